# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays, grids, resampling, progress and cancellation."""

from . import srgb
from .arrays import Floats
from .blocks import row_bands
from .curves import MOST_POINTS, Curve, curve_points, curve_text
from .progress import Cancel, LayerProgress, never_cancelled, no_progress, user_message
from .resample import bilinear_exact

__all__ = [
    "MOST_POINTS",
    "Cancel",
    "Curve",
    "Floats",
    "LayerProgress",
    "bilinear_exact",
    "curve_points",
    "curve_text",
    "never_cancelled",
    "no_progress",
    "row_bands",
    "srgb",
    "user_message",
]
