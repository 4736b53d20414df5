# SPDX-License-Identifier: GPL-3.0-or-later
"""A slope from one level to another."""

from __future__ import annotations

import numpy as np

from ....numerics.arrays import Doubles, Floats
from ....settings.params import param
from ...kind import layer
from ._pattern import OnlyBent, usual_height


@layer("ramp", label="Ramp", help="A slope from one level to another", icon="IPO_LINEAR")
class Ramp(OnlyBent):
    """0 on one side of the center, ``height`` on the other, a slope between.

    Its ends are parabolic arcs, smooth at the flat ground and at the straight slope.
    """

    height: float = usual_height(150.0)
    size: float = param(
        500.0,
        label="Length",
        help="Length of the slope along X, before rotation",
        unit="m",
        min=1e-3,
        soft_min=1.0,
        soft_max=5000.0,
    )
    smoothness: float = param(
        0.5,
        label="Smoothness",
        help="From a straight slope to one with rounded ends",
        unit="factor",
    )
    endless: bool = param(
        False,
        label="Endless",
        help="Continue the slope beyond its ends, which tilts the whole terrain",
    )

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        t = u / self.size + 0.5
        if self.endless:
            return t.astype(np.float32)
        t = np.clip(t, 0, 1)
        bend = self.smoothness / 2  # how much of the length each arc takes
        if not bend:
            return t.astype(np.float32)
        from_end = np.minimum(t, 1 - t)
        bent = np.minimum(from_end, bend)
        rise = (from_end - bent + bent * bent / (2 * bend)) / (1 - bend)
        return np.where(t < 0.5, rise, 1 - rise).astype(np.float32)
