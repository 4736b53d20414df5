# SPDX-License-Identifier: GPL-3.0-or-later
"""A table mountain."""

from __future__ import annotations

import numpy as np

from ....numerics.arrays import Doubles, Floats
from ....settings.params import param
from ...kind import layer
from ._pattern import OnlyBent, smoothstep, usual_height


@layer("mesa", label="Mesa", help="A table mountain with cliffs and a skirt", icon="MESH_CYLINDER")
class Mesa(OnlyBent):
    """A flat top, a cliff, and a skirt of rubble at its foot."""

    height: float = usual_height(120.0)
    radius: float = param(
        300.0,
        label="Radius",
        help="Distance from the center to the edge of the top",
        unit="m",
        min=1e-2,
        soft_min=10.0,
        soft_max=5000.0,
    )
    stretch: float = param(
        1.0,
        label="Stretch",
        help="Length along X relative to Y",
        min=0.05,
        max=20.0,
        soft_min=0.25,
        soft_max=4.0,
    )
    squareness: float = param(
        0.3, label="Squareness", help="From a round to a square outline", unit="factor"
    )
    cliff: float = param(
        0.08,
        label="Cliff Width",
        help="Width of the cliff relative to the radius",
        unit="factor",
        max=2.0,
        soft_max=0.5,
    )
    skirt: float = param(
        0.35,
        label="Skirt",
        help="Height of the skirt at the foot of the cliff, relative to the whole",
        unit="factor",
    )
    skirt_width: float = param(
        0.6,
        label="Skirt Width",
        help="Width of the skirt relative to the radius",
        unit="factor",
        max=5.0,
        soft_max=2.0,
    )

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        a, b = np.abs(u) / self.stretch, np.abs(v)
        power = 2 + 10 * self.squareness**2  # a superellipse
        r = (a**power + b**power) ** (1 / power) / self.radius
        top = smoothstep(1 + self.cliff, 1, r) * np.float32(1 - self.skirt)
        slope = np.clip((1 + self.cliff + self.skirt_width - r) / max(self.skirt_width, 1e-9), 0, 1)
        return top + (np.float32(self.skirt) * slope * slope).astype(np.float32)
