# SPDX-License-Identifier: GPL-3.0-or-later
"""The band-pass shared by the masks that select a range of a field."""

from __future__ import annotations

import numpy as np

from ...numerics.arrays import Floats
from ...numerics.blocks import by_bands
from ...numerics.progress import Cancel

LEAST_FADE = 1e-4  # narrower than this (meters, degrees) float32 has no room for a ramp


def range_weight(
    field: Floats,
    low: float,
    high: float,
    fade: float,
    invert: bool,
    cancelled: Cancel | None = None,
) -> Floats:
    """1 where ``low <= field <= high``, falling linearly to 0 over ``fade`` outside of it."""

    def weight(field: Floats) -> Floats:
        inside = _inside(field, low, high, fade)
        return np.float32(1) - inside if invert else inside

    return by_bands(weight, cancelled, field)


def _inside(field: Floats, low: float, high: float, fade: float) -> Floats:
    if fade > LEAST_FADE:
        below = (field - np.float32(low - fade)) / np.float32(fade)
        above = (np.float32(high + fade) - field) / np.float32(fade)
        return np.clip(np.minimum(below, above), np.float32(0), np.float32(1))
    return ((field >= low) & (field <= high)).astype(np.float32)
