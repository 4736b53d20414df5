# SPDX-License-Identifier: GPL-3.0-or-later
"""Scattered hills."""

from __future__ import annotations

import numpy as np

from .... import noise
from ....numerics.arrays import Doubles, Floats
from ....settings.params import factor_param, size_param
from ...context import SIDE
from ...kind import layer
from ._pattern import Pattern, smoothstep, usual_height


@layer("hills", "Hills", "Rounded hills scattered over the terrain", icon="SPHERECURVE")
class Hills(Pattern):
    """Bell-shaped hills (Gaussians), which add up where they meet."""

    warped_side = SIDE  # slow: cancellation is polled between squares

    height: float = usual_height(40.0)
    size: float = size_param(
        200.0, "Hill Size", "Diameter of the largest hills", min=1e-2, soft_min=10.0
    )
    density: float = factor_param(0.6, "Density", "Share of cells with a hill")
    variation: float = factor_param(0.5, "Variation", "Variation of the size and height of hills")
    jitter: float = factor_param(1.0, "Jitter", "From a square grid to scattered hills")

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        total = np.zeros(u.shape, np.float32)
        # The bell reaches 0 at one radius, which is one cell, from its center.
        cell = self.size / 2
        for dx, dy, chance, random in noise.scattered(u / cell, v / cell, seed, self.jitter):
            part = 1 - np.float32(0.8 * self.variation) * random
            square = (dx * dx + dy * dy) / (part * part)
            bell = np.exp(np.float32(-4.5) * square) * smoothstep(1, 0.5, square)
            total += bell * part * (chance < self.density)
        return total
