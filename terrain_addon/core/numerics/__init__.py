# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays, grids, resampling, progress and cancellation."""

from . import srgb
from .arrays import Floats
from .blocks import row_bands
from .progress import Cancel, LayerProgress, never_cancelled, no_progress, user_message

__all__ = [
    "Cancel",
    "Floats",
    "LayerProgress",
    "never_cancelled",
    "no_progress",
    "row_bands",
    "srgb",
    "user_message",
]
