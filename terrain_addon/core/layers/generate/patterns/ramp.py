# SPDX-License-Identifier: GPL-3.0-or-later
"""A slope from one level to another."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from ....numerics.arrays import Doubles, Floats
from ....numerics.hashing import hashed
from ....settings.params import factor_param, param, size_param
from ...context import LayerContext
from ...kind import layer
from ._pattern import OnlyBent, usual_height


@layer("ramp", "Ramp", "A slope from one level to another", icon="IPO_LINEAR")
class Ramp(OnlyBent):
    """0 on one side of the center, ``height`` on the other, a slope between.

    Its ends are parabolic arcs, smooth at the flat ground and at the straight slope.
    """

    height: float = usual_height(150.0)
    size: float = size_param(
        500.0, "Length", "Length of the slope along X, before rotation", soft_max=5000.0
    )
    smoothness: float = factor_param(
        0.5, "Smoothness", "From a straight slope to one with rounded ends"
    )
    endless: bool = param(
        False, "Endless", "Continue the slope beyond its ends, which tilts the whole terrain"
    )

    by_seed: bool = param(
        False,
        "Direction by Seed",
        "Turn the ramp with its center around the middle of the terrain, by an angle that follows "
        "from the seed",
    )

    def apply(self, context: LayerContext) -> Floats:
        if not self.by_seed:
            return super().apply(context)
        chance = hashed(context.seed + self.seed, 0, np.zeros(1, np.int64))[0] / 2**32
        turn = 2 * math.pi * float(chance)
        cos, sin = math.cos(turn), math.sin(turn)
        turned = dataclasses.replace(
            self,
            by_seed=False,
            rotation=self.rotation + math.degrees(turn),
            center_x=cos * self.center_x - sin * self.center_y,
            center_y=sin * self.center_x + cos * self.center_y,
        )
        return turned.apply(context)

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
