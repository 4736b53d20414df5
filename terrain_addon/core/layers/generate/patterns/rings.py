# SPDX-License-Identifier: GPL-3.0-or-later
"""Concentric waves."""

from __future__ import annotations

import numpy as np

from ....numerics.arrays import Doubles, Floats
from ....settings.params import factor_param, param, size_param
from ...kind import layer
from ._pattern import PROFILES, OnlyBent, profile, usual_height


@layer("rings", "Rings", "Concentric waves around a center", icon="MESH_TORUS")
class Rings(OnlyBent):
    """Waves around the center that fade outward."""

    height: float = usual_height(20.0)
    profile: str = param("sine", "Profile", "The cross-section of the waves", choices=PROFILES)
    size: float = size_param(200.0, "Wavelength", "Distance from ring to ring")
    reach: float = param(
        0.0,
        "Reach",
        "Distance from the center at which rings fall to a third of the height; 0 is constant",
        unit="m",
        min=0.0,
        soft_max=2000.0,
    )
    squareness: float = factor_param(0.0, "Squareness", "From circles to squares")

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        round_distance = np.hypot(u, v)
        square_distance = np.maximum(np.abs(u), np.abs(v))
        distance = round_distance + self.squareness * (square_distance - round_distance)
        value = profile(self.profile, distance / self.size)
        if self.reach:
            value *= np.exp(-distance / self.reach).astype(np.float32)
        return value
