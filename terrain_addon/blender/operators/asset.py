# SPDX-License-Identifier: GPL-3.0-or-later
"""Mark a terrain as an asset."""

from typing import Any

import bpy
import numpy as np

from ...core.output import terrain_picture
from ..data import previews
from ..properties.recipe import read
from .base import OnTerrain, Result, reporting


class TERRAIN_OT_mark_asset(OnTerrain):
    """Show the terrain in the Asset Browser, with its picture and its description"""

    bl_idname = "terrain.mark_asset"
    bl_label = "Mark as Asset"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        item: Any = self.subject_object(context)
        recipe = read(self.subject(context)[1])
        picture = terrain_picture(recipe)
        item.asset_mark()
        item.asset_data.description = recipe.about
        item.asset_data.tags.new("Terrain", skip_if_exists=True)
        pixels = picture[::-1].astype(np.float32) / np.float32(255)
        previews.fill(item.preview_ensure(), pixels)
        return {"FINISHED"}
