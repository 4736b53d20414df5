# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by height."""

from __future__ import annotations

from ...numerics.arrays import Floats
from ..context import LayerContext
from ._range import RangeMask, fade_param, high_param, low_param
from .kind import mask


@mask("height", "Height", "Act only between two heights of the terrain below")
class HeightMask(RangeMask):
    """1 between two heights, fading to 0 outside of them."""

    low: float = low_param(0.0, "height", unit="m", soft_max=5000.0)
    high: float = high_param(1000.0, "height", unit="m", soft_min=-1000.0, soft_max=5000.0)
    fade: float = fade_param(20.0, "Height", unit="m", soft_max=500.0)

    @property
    def selects(self) -> str:
        return "height"

    def values(self, context: LayerContext) -> Floats:
        return context.height
