# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by slope."""

from __future__ import annotations

from ...analysis.derivatives import slope
from ...numerics.arrays import Floats
from ...settings.params import angle_param, param
from ..context import LayerContext
from ._range import range_weight
from .kind import Mask, mask


@mask("slope", "Slope", "Act only between two slopes of the terrain below")
class SlopeMask(Mask):
    """1 between two slopes, fading to 0 outside of them."""

    low: float = angle_param(
        0.0, "Low", "From this slope on the layer acts fully; below, it fades in"
    )
    high: float = angle_param(
        30.0, "High", "Up to this slope the layer acts fully; above, it fades out"
    )
    fade: float = angle_param(
        5.0, "Fade", "Slope over which the layer fades in below Low, and out above High"
    )
    invert: bool = param(False, "Invert", "Act outside of the range instead")

    def weight(self, context: LayerContext) -> Floats:
        field = slope(context.height, context.grid.dx, context.grid.dy, context.cancelled)
        return range_weight(field, self.low, self.high, self.fade, self.invert, context.cancelled)

    def halo(self, dx: float, dy: float, radius: float) -> int:
        return 1
