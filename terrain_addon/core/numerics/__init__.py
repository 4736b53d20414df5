# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays, grids, resampling, progress and cancellation."""

from . import srgb
from .arrays import Floats
from .blocks import row_bands
from .progress import Cancel, LayerProgress, never_cancelled, no_progress, user_message
from .resample import bilinear_exact

__all__ = [
    "Cancel",
    "Floats",
    "LayerProgress",
    "bilinear_exact",
    "never_cancelled",
    "no_progress",
    "row_bands",
    "srgb",
    "user_message",
]
