# SPDX-License-Identifier: GPL-3.0-or-later
"""Voronoi plates and cracks."""

from __future__ import annotations

import numpy as np

from .. import noise
from ..arrays import Doubles, Floats
from ..params import param
from . import layer
from ._bands import SIDE
from ._pattern import Pattern, smoothstep, usual_height

JITTER_HELP = "From a square net to scattered cells"
REPEAT = 2.0**29
"""Cells after which the pattern repeats: farther out they could not be told apart."""


@layer(
    "plates",
    label="Plates",
    help="Cells at different heights: plates, cobbles, basalt columns",
    icon="MESH_GRID",
)
class Plates(Pattern):
    """Voronoi cells (Worley 1996), each at a random height, with bevelled edges."""

    warped_side = SIDE  # takes long: whether to go on is asked between squares

    height: float = usual_height(30.0)
    size: float = param(
        150.0,
        label="Plate Size",
        help="Mean distance between the middles of plates",
        unit="m",
        min=1e-3,
        max=1e7,
        soft_min=1.0,
        soft_max=2000.0,
    )
    variation: float = param(
        1.0,
        label="Variation",
        help="How much plates differ in height",
        unit="factor",
        min=0.0,
        max=1.0,
    )
    bevel: float = param(
        0.15,
        label="Bevel",
        help="Width of the sunken border of a plate, as a part of its size",
        unit="factor",
        min=0.0,
        max=1.0,
    )
    doming: float = param(
        0.0,
        label="Doming",
        help="How far plates bulge in the middle",
        unit="factor",
        min=0.0,
        max=1.0,
    )
    jitter: float = param(1.0, label="Jitter", help=JITTER_HELP, unit="factor", min=0.0, max=1.0)

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        u, v = _in_cells(u, self.size), _in_cells(v, self.size)
        number, middle, border = noise.cell_borders(u, v, seed, self.jitter)
        value = 1 + np.float32(self.variation / 2) * (number - 1)
        if self.bevel:
            value *= smoothstep(0, self.bevel / 2, border)
        if self.doming:
            value *= 1 - np.float32(self.doming) * np.minimum(middle * middle, np.float32(1))
        return value


@layer(
    "cracks",
    label="Cracks",
    help="A net of cracks around cells, sunk into the land or raised as walls",
    icon="MOD_EXPLODE",
)
class Cracks(Pattern):
    """Borders of Voronoi cells (Worley 1996), as ditches of depth ``height``."""

    warped_side = SIDE  # takes long: whether to go on is asked between squares

    height: float = usual_height(10.0)
    size: float = param(
        150.0,
        label="Cell Size",
        help="Mean distance between the middles of cells",
        unit="m",
        min=1e-3,
        max=1e7,
        soft_min=1.0,
        soft_max=2000.0,
    )
    width: float = param(
        0.25,
        label="Width",
        help="Width of a crack, as a part of the cell size",
        unit="factor",
        min=1e-3,
        max=1.0,
    )
    raised: bool = param(False, label="Raised", help="Walls instead of cracks")
    sparseness: float = param(
        0.0,
        label="Sparseness",
        help="How many of the cracks are missing",
        unit="factor",
        min=0.0,
        max=1.0,
    )
    jitter: float = param(1.0, label="Jitter", help=JITTER_HELP, unit="factor", min=0.0, max=1.0)

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        u, v = _in_cells(u, self.size), _in_cells(v, self.size)
        _, _, border = noise.cell_borders(u, v, seed, self.jitter)
        value = smoothstep(self.width / 2, 0, border)
        if self.sparseness:
            kept = noise.sample("perlin", u / 2, v / 2, seed=seed + 1)
            value *= smoothstep(-0.2, 0.2, kept + np.float32(0.8 - 1.6 * self.sparseness))
        return value if self.raised else -value


def _in_cells(metres: Doubles, size: float) -> Doubles:
    cells = metres / size
    cells -= REPEAT * np.rint(cells / REPEAT)
    return cells
