# SPDX-License-Identifier: GPL-3.0-or-later
"""Voronoi plates."""

from __future__ import annotations

import numpy as np

from .... import noise
from ....numerics.arrays import Doubles, Floats
from ....settings.params import param
from ...context import SIDE
from ...kind import layer
from ._pattern import JITTER_HELP, Pattern, in_cells, smoothstep, usual_height


@layer(
    "plates",
    label="Plates",
    help="Cells at different heights: plates, cobbles, basalt columns",
    icon="MESH_GRID",
)
class Plates(Pattern):
    """Voronoi cells (Worley 1996), each at a random height, with beveled edges."""

    warped_side = SIDE  # slow: cancellation is polled between squares

    height: float = usual_height(30.0)
    size: float = param(
        150.0,
        label="Plate Size",
        help="Mean distance between plate centers",
        unit="m",
        min=1e-3,
        soft_min=1.0,
        soft_max=2000.0,
    )
    variation: float = param(
        1.0, label="Variation", help="Variation of the heights of plates", unit="factor"
    )
    bevel: float = param(
        0.15,
        label="Bevel",
        help="Width of a plate's beveled border, relative to its size",
        unit="factor",
    )
    doming: float = param(
        0.0, label="Doming", help="How much plates bulge in the middle", unit="factor"
    )
    jitter: float = param(1.0, label="Jitter", help=JITTER_HELP, unit="factor")

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        u, v = in_cells(u, self.size), in_cells(v, self.size)
        number, middle, border = noise.cell_borders(u, v, seed, self.jitter)
        value = 1 + np.float32(self.variation / 2) * (number - 1)
        if self.bevel:
            value *= smoothstep(0, self.bevel / 2, border)
        if self.doming:
            value *= 1 - np.float32(self.doming) * np.minimum(middle * middle, np.float32(1))
        return value
