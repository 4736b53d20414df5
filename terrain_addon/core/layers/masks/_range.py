# SPDX-License-Identifier: GPL-3.0-or-later
"""The base of the masks that select a range of a field."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...numerics.arrays import Floats
from ...numerics.blocks import by_bands
from ...settings.params import param
from ..context import LayerContext
from .kind import Mask

LEAST_FADE = 1e-4  # narrower than this (meters, degrees) float32 has no room for a ramp


def low_param(default: float, what: str, **limits: Any) -> Any:
    """Declare the setting "low" of a range of heights, slopes or the like."""
    help = f"From this {what} on the layer acts fully; below, it fades in"
    return param(default, "Low", help, **limits)


def high_param(default: float, what: str, **limits: Any) -> Any:
    """Declare the setting "high"."""
    help = f"Up to this {what} the layer acts fully; above, it fades out"
    return param(default, "High", help, **limits)


def fade_param(default: float, what: str, **limits: Any) -> Any:
    """Declare the setting "fade"."""
    help = f"{what} over which the layer fades in below Low, and out above High"
    return param(default, "Fade", help, min=0.0, **limits)


class RangeMask(Mask):
    """1 where a field is from ``low`` to ``high``, falling linearly to 0 over ``fade`` outside."""

    shown_last = True

    low: float = low_param(0.0, "value")
    high: float = high_param(1.0, "value")
    fade: float = fade_param(0.5, "Range of values")
    invert: bool = param(False, "Invert", "Act outside of the range instead")

    def values(self, context: LayerContext) -> Floats:
        """Return the field, (ny, nx) float32."""
        raise NotImplementedError

    def weight(self, context: LayerContext) -> Floats:
        return by_bands(self._weight, context.cancelled, self.values(context))

    def _weight(self, field: Floats) -> Floats:
        low, high, fade = self.low, self.high, self.fade
        if fade > LEAST_FADE:
            below = (field - np.float32(low - fade)) / np.float32(fade)
            above = (np.float32(high + fade) - field) / np.float32(fade)
            inside = np.clip(np.minimum(below, above), np.float32(0), np.float32(1))
        else:
            inside = ((field >= low) & (field <= high)).astype(np.float32)
        return np.float32(1) - inside if self.invert else inside
