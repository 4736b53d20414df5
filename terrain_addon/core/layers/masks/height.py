# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by height."""

from __future__ import annotations

from ...numerics.arrays import Floats
from ...settings.params import param
from ..context import LayerContext
from ._range import range_weight
from .kind import Mask, mask


@mask("height", label="Height", help="Act only between two heights of the terrain below")
class HeightMask(Mask):
    """1 between two heights, fading to 0 outside of them."""

    low: float = param(
        0.0,
        label="Low",
        help="From this height on the layer acts fully; below, it fades in",
        unit="m",
        soft_max=5000.0,
    )
    high: float = param(
        1000.0,
        label="High",
        help="Up to this height the layer acts fully; above, it fades out",
        unit="m",
        soft_min=-1000.0,
        soft_max=5000.0,
    )
    fade: float = param(
        20.0,
        label="Fade",
        help="Height over which the layer fades in below Low, and out above High",
        unit="m",
        min=0.0,
        soft_max=500.0,
    )
    invert: bool = param(False, label="Invert", help="Act outside of the range instead")

    @property
    def selects(self) -> str:
        return "height"

    def weight(self, context: LayerContext) -> Floats:
        return range_weight(
            context.height, self.low, self.high, self.fade, self.invert, context.cancelled
        )
