# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of terrains."""

from .terrain import match_haze, sync, terrain_material

__all__ = ["match_haze", "sync", "terrain_material"]
