# SPDX-License-Identifier: GPL-3.0-or-later
"""Diamond-square: terrain by midpoint displacement."""

from __future__ import annotations

from ...noise.diamond_square.lattice import DiamondSquareLattice
from ...noise.diamond_square.sample import sample
from ...numerics.arrays import Floats
from ...settings.params import height_param, param, seed_param
from ..context import LayerContext
from ..kind import POINT, LayerKind, layer

AVERAGE, WRAP = "average", "wrap"
MEAN, CURVE = "mean", "curve"
MOST_SQUARES = 64  # along the longer side of a very long terrain


def _corner(where: str) -> float:
    return height_param(
        0.0,
        where,
        f"Height of the {where.lower()} corner",
        soft_min=-1000.0,
        soft_max=1000.0,
        advanced=True,
    )


@layer(
    "diamond_square",
    "Diamond-Square",
    "Rugged terrain by midpoint displacement, also known as plasma",
    icon="MOD_LATTICE",
)
class DiamondSquare(LayerKind):
    """Midpoint displacement on a lattice over the whole terrain (Fournier et al., 1982).

    The lattice has 2**subdivisions + 1 points each way on a square terrain; a longer one gets
    several squares side by side. All grids sample the same terrain.
    """

    depends_on = POINT
    heights = ("height", "corner_sw", "corner_se", "corner_nw", "corner_ne")

    seed: int = seed_param("Seed of the displacements")
    height: float = height_param(200.0, "Height", "Largest displacement of the first subdivision")
    roughness: float = param(
        0.9,
        "Roughness H",
        "Each subdivision moves points 2^-H times as far as the last: low is rugged, "
        "high is smooth",
        min=0.0,
        max=4.0,
        soft_min=0.3,
        soft_max=1.5,
    )
    subdivisions: int = param(
        11,
        "Subdivisions",
        "Largest number of times that cells are halved; finer samples are interpolated",
        min=1,
        max=14,
    )
    midpoints: str = param(
        MEAN,
        "Midpoints",
        "What the points of each subdivision are displaced from",
        choices=[
            (
                MEAN,
                "Mean",
                "The mean of their neighbors, as published in 1982; smooth terrain (H from "
                "0.9) has sharp peaks and pits on a square grid",
            ),
            (CURVE, "Curve", "Smooth curves through their neighbors: no sharp peaks and pits"),
        ],
    )
    border: str = param(
        AVERAGE,
        "Border",
        "How points at the border of the terrain are computed",
        choices=[
            (AVERAGE, "Average of Three", "From the three neighbors inside"),
            (WRAP, "Wrap", "From the opposite side too: copies of the terrain tile without a seam"),
        ],
    )
    corner_sw: float = _corner("South-West")
    corner_se: float = _corner("South-East")
    corner_nw: float = _corner("North-West")
    corner_ne: float = _corner("North-East")

    def apply(self, context: LayerContext) -> Floats:
        cells = base_squares(context.size_x, context.size_y)
        lattice = DiamondSquareLattice(
            seed=context.seed + self.seed,
            cells=cells,
            corners=(self.corner_sw, self.corner_se, self.corner_nw, self.corner_ne),
            height=self.height,
            roughness=self.roughness,
            wrap=context.seamless or self.border == WRAP,
            curved=self.midpoints == CURVE,
        )
        x = (context.grid.x / context.size_x + 0.5) * cells[0]
        y = (context.grid.y / context.size_y + 0.5) * cells[1]
        return sample(lattice, self.subdivisions, x, y, context.poll, context.progress)


def base_squares(size_x: float, size_y: float) -> tuple[int, int]:
    """Return the number of nearly square parts (x, y) of a terrain of that size: (1, 1) if it is
    square."""
    ratio = size_x / size_y
    along_x, along_y = (min(max(round(r), 1), MOST_SQUARES) for r in (ratio, 1 / ratio))
    return along_x, along_y
