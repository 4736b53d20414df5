# SPDX-License-Identifier: GPL-3.0-or-later
"""Smooth: average heights with those around them."""

from __future__ import annotations

import numpy as np

from ...numerics.arrays import Floats
from ...settings.params import length_param, param
from ..context import LayerContext
from ..kind import SHAPE, LayerKind, layer
from ..means import mean_around, mean_halo


@layer(
    "smooth",
    "Smooth",
    "Smooth the terrain, or sharpen it with a strength below 0",
    group=SHAPE,
    icon="MOD_SMOOTH",
)
class Smooth(LayerKind):
    """A bell-shaped mean over a radius in meters, the same at any resolution.

    The radius is limited to the terrain's extent along either axis, or to 32 samples if that is
    more. Heights farther than half the extent beyond the border count as equal to the last there.
    """

    radius: float = length_param(
        20.0,
        "Radius",
        "Distance up to which heights are averaged, at most the terrain's extent",
        soft_max=200.0,
    )
    strength: float = param(
        1.0,
        "Strength",
        "Blend with the smoothed terrain; below 0 sharpens",
        min=-4.0,
        max=1.0,
        soft_min=-1.0,
    )

    def halo(self, dx: float, dy: float) -> int:
        return mean_halo(self.radius, dx, dy)

    def apply(self, context: LayerContext) -> Floats:
        smooth = mean_around(context.height, self.radius, context)
        out = np.empty(context.grid.shape, np.float32)
        for rows in context.row_bands():
            change = np.subtract(smooth[rows], context.height[rows], out=out[rows])
            change *= np.float32(self.strength)
            change += context.height[rows]
        return out
