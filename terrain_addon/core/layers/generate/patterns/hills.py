# SPDX-License-Identifier: GPL-3.0-or-later
"""Hills scattered over the land."""

from __future__ import annotations

import numpy as np

from .... import noise
from ....numerics.arrays import Doubles, Floats
from ....settings.params import param
from ...context import SIDE
from ...kind import layer
from ._pattern import Pattern, smoothstep, usual_height


@layer(
    "hills",
    label="Hills",
    help="Rounded hills scattered over the land",
    icon="SPHERECURVE",
)
class Hills(Pattern):
    """Bell-shaped hills (Gaussians), which add up where they meet."""

    warped_side = SIDE  # takes long: whether to go on is asked between squares

    height: float = usual_height(40.0)
    size: float = param(
        200.0,
        label="Hill Size",
        help="Diameter of the largest hills",
        unit="m",
        min=1e-2,
        soft_min=10.0,
        soft_max=2000.0,
    )
    density: float = param(0.6, label="Density", help="How many places have a hill", unit="factor")
    variation: float = param(
        0.5, label="Variation", help="How much hills differ in size and height", unit="factor"
    )
    jitter: float = param(
        1.0, label="Jitter", help="From a square net to scattered hills", unit="factor"
    )

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        total = np.zeros(u.shape, np.float32)
        # The bell has sunk to nothing one radius, that is one cell, from its middle.
        cell = self.size / 2
        for dx, dy, chance, random in noise.scattered(u / cell, v / cell, seed, self.jitter):
            part = 1 - np.float32(0.8 * self.variation) * random
            square = (dx * dx + dy * dy) / (part * part)
            bell = np.exp(np.float32(-4.5) * square) * smoothstep(1, 0.5, square)
            total += bell * part * (chance < self.density)
        return total
