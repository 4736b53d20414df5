# SPDX-License-Identifier: GPL-3.0-or-later
"""Solutions: what layers and masks find out about a whole terrain."""

from .files import made_by, version_key
from .grid_fields import GridField, grid_field_key, grid_fields
from .solution import KnownParts, Solution, has_whole_parts, part_key

__all__ = [
    "GridField",
    "KnownParts",
    "Solution",
    "grid_field_key",
    "grid_fields",
    "has_whole_parts",
    "made_by",
    "part_key",
    "version_key",
]
