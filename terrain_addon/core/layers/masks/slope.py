# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by slope."""

from __future__ import annotations

from ...analysis.derivatives import slope
from ...numerics.arrays import Floats
from ...settings.params import param
from ..context import LayerContext
from ._range import range_weight
from .kind import Mask, mask


@mask("slope", label="Slope", help="Act only between two slopes of the terrain below")
class SlopeMask(Mask):
    """1 between two slopes, fading to 0 outside of them."""

    low: float = param(
        0.0,
        label="Low",
        help="From this slope on the layer acts fully; below, it fades in",
        unit="deg",
        min=0.0,
        max=90.0,
    )
    high: float = param(
        30.0,
        label="High",
        help="Up to this slope the layer acts fully; above, it fades out",
        unit="deg",
        min=0.0,
        max=90.0,
    )
    fade: float = param(
        5.0,
        label="Fade",
        help="Slope over which the layer fades in below Low, and out above High",
        unit="deg",
        min=0.0,
        max=90.0,
    )
    invert: bool = param(False, label="Invert", help="Act outside of the range instead")

    @property
    def selects(self) -> str:
        return "slope"

    def weight(self, context: LayerContext) -> Floats:
        field = slope(context.height, context.grid.dx, context.grid.dy, context.cancelled)
        return range_weight(field, self.low, self.high, self.fade, self.invert, context.cancelled)

    def halo(self, dx: float, dy: float, radius: float) -> int:
        return 1
