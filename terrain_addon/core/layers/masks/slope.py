# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by slope."""

from __future__ import annotations

from ...analysis.derivatives import slope
from ...numerics.arrays import Floats
from ...settings.params import length_param
from ..context import LayerContext
from ..means import mean_around, mean_halo
from ._range import RangeMask, fade_param, high_param, low_param
from .kind import mask


@mask("slope", "Slope", "Act only between two slopes of the terrain below")
class SlopeMask(RangeMask):
    """1 between two slopes, fading to 0 outside of them; of means over a radius."""

    low: float = low_param(0.0, "slope", unit="deg", min=0.0, max=90.0)
    high: float = high_param(30.0, "slope", unit="deg", min=0.0, max=90.0)
    fade: float = fade_param(5.0, "Slope", unit="deg", max=90.0)
    radius: float = length_param(
        0.0,
        "Radius",
        "Distance over which slopes are averaged: broad level ground with soft borders, without "
        "narrow crests and valley floors",
        soft_max=200.0,
    )

    @property
    def selects(self) -> str:
        return "slope"

    def values(self, context: LayerContext) -> Floats:
        found = slope(context.height, context.grid.dx, context.grid.dy, context.cancelled)
        return mean_around(found, self.radius, context) if self.radius else found

    def halo(self, dx: float, dy: float, radius: float) -> int:
        return 1 + (mean_halo(self.radius, dx, dy) if self.radius else 0)
