# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays, grids, resampling, and long steps that report progress and can be cancelled."""

from . import srgb
from .progress import Cancel, LayerProgress, never_cancelled, no_progress, user_message

__all__ = [
    "Cancel",
    "LayerProgress",
    "never_cancelled",
    "no_progress",
    "srgb",
    "user_message",
]
