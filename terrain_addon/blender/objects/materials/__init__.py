# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of terrains."""

from .shared import noise_texture, shared_material, tree_of
from .terrain import sync, terrain_material

__all__ = ["noise_texture", "shared_material", "sync", "terrain_material", "tree_of"]
