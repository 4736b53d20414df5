# SPDX-License-Identifier: GPL-3.0-or-later
"""Cracks between Voronoi cells."""

from __future__ import annotations

import numpy as np

from .... import noise
from ....numerics.arrays import Doubles, Floats
from ....settings.params import factor_param, param, size_param
from ...context import SIDE
from ...kind import layer
from ._pattern import JITTER_HELP, Pattern, in_cells, smoothstep, usual_height


@layer(
    "cracks",
    "Cracks",
    "A network of cracks around cells, cut into the terrain or raised as walls",
    icon="MOD_EXPLODE",
)
class Cracks(Pattern):
    """Borders of Voronoi cells (Worley 1996), as ditches of depth ``height``."""

    warped_side = SIDE  # slow: cancellation is polled between squares

    height: float = usual_height(10.0)
    size: float = size_param(150.0, "Cell Size", "Mean distance between cell centers")
    width: float = factor_param(
        0.25, "Width", "Width of a crack relative to the cell size", min=1e-3
    )
    raised: bool = param(False, "Raised", "Walls instead of cracks")
    sparseness: float = factor_param(0.0, "Sparseness", "Share of cracks that are missing")
    jitter: float = factor_param(1.0, "Jitter", JITTER_HELP)

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        u, v = in_cells(u, self.size), in_cells(v, self.size)
        _, _, border = noise.cell_borders(u, v, seed, self.jitter)
        value = smoothstep(self.width / 2, 0, border)
        if self.sparseness:
            kept = noise.sample("perlin", u / 2, v / 2, seed=seed + 1)
            value *= smoothstep(-0.2, 0.2, kept + np.float32(0.8 - 1.6 * self.sparseness))
        return value if self.raised else -value
