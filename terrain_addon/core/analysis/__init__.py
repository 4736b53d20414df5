# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields that follow from the heights, and measures of realism."""

from .cross_sections import cross_section_exponent
from .fields import AREAS, FIELDS, HABITAT, derived
from .habitat import Climate
from .outlook import Outlook, Sun, outlooks
from .valleys import Valley, largest_valley

__all__ = [
    "AREAS",
    "FIELDS",
    "HABITAT",
    "Climate",
    "Outlook",
    "Sun",
    "Valley",
    "cross_section_exponent",
    "derived",
    "largest_valley",
    "outlooks",
]
