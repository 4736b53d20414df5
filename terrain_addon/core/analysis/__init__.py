# SPDX-License-Identifier: GPL-3.0-or-later
"""What a terrain carries beside its heights, and how real it looks."""

from .fields import FIELDS

__all__ = [
    "FIELDS",
]
