# SPDX-License-Identifier: GPL-3.0-or-later
"""A table mountain."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ....numerics.arrays import Doubles, Floats
from ....settings.params import factor_param, param, size_param
from ....shapes import Shape
from ...handles import Handle, length_handle, superellipse
from ...kind import layer
from ._pattern import OnlyBent, smoothstep, usual_height


@layer("mesa", "Mesa", "A table mountain with cliffs and a skirt", icon="MESH_CYLINDER")
class Mesa(OnlyBent):
    """A flat top, a cliff, and a skirt of rubble at its foot."""

    height: float = usual_height(120.0)
    radius: float = size_param(
        300.0,
        "Radius",
        "Distance from the center to the edge of the top",
        min=1e-2,
        soft_min=10.0,
        soft_max=5000.0,
    )
    stretch: float = param(
        1.0,
        "Stretch",
        "Length along X relative to Y",
        min=0.05,
        max=20.0,
        soft_min=0.25,
        soft_max=4.0,
    )
    squareness: float = factor_param(0.3, "Squareness", "From a round to a square outline")
    cliff: float = factor_param(
        0.08, "Cliff Width", "Width of the cliff relative to the radius", max=2.0, soft_max=0.5
    )
    skirt: float = factor_param(
        0.35, "Skirt", "Height of the skirt at the foot of the cliff, relative to the whole"
    )
    skirt_width: float = factor_param(
        0.6, "Skirt Width", "Width of the skirt relative to the radius", max=5.0, soft_max=2.0
    )

    def handles(
        self, size_x: float, size_y: float, shapes: Mapping[str, Shape]
    ) -> Sequence[Handle]:
        middle, turned = (self.center_x, self.center_y), math.radians(self.rotation)
        across, up = (math.cos(turned), math.sin(turned)), (-math.sin(turned), math.cos(turned))
        length = self.radius * self.stretch
        edge = superellipse(middle, length, self.radius, self._power, self.rotation)
        return (
            *super().handles(size_x, size_y, shapes),
            length_handle("Radius", "radius", self.radius, middle, up, guide=edge),
            length_handle("Stretch", "stretch", self.stretch, middle, across, scale=self.radius),
        )

    @property
    def _power(self) -> float:
        """Power of the superellipse of the outline."""
        return 2 + 10 * self.squareness**2

    def shape(self, u: Doubles, v: Doubles, seed: int) -> Floats:
        a, b = np.abs(u) / self.stretch, np.abs(v)
        power = self._power
        r = (a**power + b**power) ** (1 / power) / self.radius
        top = smoothstep(1 + self.cliff, 1, r) * np.float32(1 - self.skirt)
        slope = np.clip((1 + self.cliff + self.skirt_width - r) / max(self.skirt_width, 1e-9), 0, 1)
        return top + (np.float32(self.skirt) * slope * slope).astype(np.float32)
