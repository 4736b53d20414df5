# SPDX-License-Identifier: GPL-3.0-or-later
"""Waves and stripes."""

from __future__ import annotations

import math

import numpy as np

from ....numerics.arrays import Doubles, Floats
from ....settings.params import param, size_param
from ...kind import layer
from ._pattern import PROFILES, OnlyBent, profile, usual_height


@layer(
    "waves", "Waves", "Stripes, strata edges, bumps, zigzags, grids and spirals", icon="MOD_OCEAN"
)
class Waves(OnlyBent):
    """A wave along one axis, or two waves combined."""

    height: float = usual_height(15.0)
    pattern: str = param(
        "stripes",
        "Pattern",
        "How the waves along both axes are combined",
        choices=[
            ("stripes", "Stripes", "One wave along X: swell, strata, furrows"),
            ("bumps", "Bumps", "The mean of a wave along X and one along Y"),
            ("dots", "Dots", "The product of both: separate bumps"),
            ("grid", "Grid", "The higher of both: a net of walls"),
            ("blocks", "Blocks", "The lower of both: blocks between a net of ditches"),
            ("zigzag", "Zigzag", "Stripes that swing from side to side"),
            ("spiral", "Spiral", "Arms that wind around the center"),
        ],
    )
    profile: str = param("sine", "Profile", "The cross-section of the waves", choices=PROFILES)
    size: float = size_param(200.0, "Wavelength", "Distance from crest to crest")

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        u, v = u / self.size, v / self.size
        if self.pattern == "stripes":
            return profile(self.profile, u)
        if self.pattern == "zigzag":
            return profile(self.profile, u + 0.5 * np.sin(math.pi * v))
        if self.pattern == "spiral":
            return profile(self.profile, np.hypot(u, v) + np.arctan2(v, u) / (2 * math.pi))
        a, b = profile(self.profile, u), profile(self.profile, v)
        if self.pattern == "bumps":
            return (a + b) * np.float32(0.5)
        if self.pattern == "dots":
            return a * b
        return np.maximum(a, b) if self.pattern == "grid" else np.minimum(a, b)
