# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields that follow from the heights, and measures of realism."""

from .fields import FIELDS, derived

__all__ = ["FIELDS", "derived"]
