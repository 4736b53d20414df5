# SPDX-License-Identifier: GPL-3.0-or-later
"""Voronoi plates."""

from __future__ import annotations

import numpy as np

from .... import noise
from ....numerics.arrays import Doubles, Floats
from ....settings.params import factor_param, size_param
from ...context import SIDE
from ...kind import layer
from ._pattern import JITTER_HELP, Pattern, in_cells, smoothstep, usual_height


@layer(
    "plates",
    "Plates",
    "Cells at different heights: plates, cobbles, basalt columns",
    icon="MESH_GRID",
)
class Plates(Pattern):
    """Voronoi cells (Worley 1996), each at a random height, with beveled edges."""

    warped_side = SIDE  # slow: cancellation is polled between squares

    height: float = usual_height(30.0)
    size: float = size_param(150.0, "Plate Size", "Mean distance between plate centers")
    variation: float = factor_param(1.0, "Variation", "Variation of the heights of plates")
    bevel: float = factor_param(
        0.15, "Bevel", "Width of a plate's beveled border, relative to its size"
    )
    doming: float = factor_param(0.0, "Doming", "How much plates bulge in the middle")
    jitter: float = factor_param(1.0, "Jitter", JITTER_HELP)

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        u, v = in_cells(u, self.size), in_cells(v, self.size)
        number, middle, border = noise.cell_borders(u, v, seed, self.jitter)
        value = 1 + np.float32(self.variation / 2) * (number - 1)
        if self.bevel:
            value *= smoothstep(0, self.bevel / 2, border)
        if self.doming:
            value *= 1 - np.float32(self.doming) * np.minimum(middle * middle, np.float32(1))
        return value
