# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of terrains."""

from .terrain import sync, terrain_material

__all__ = ["sync", "terrain_material"]
