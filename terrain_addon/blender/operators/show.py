# SPDX-License-Identifier: GPL-3.0-or-later
"""Show a field or a mask on the terrain, or its colors."""

from typing import Any

import bpy
from bpy.props import EnumProperty

from ...core.analysis import FIELDS
from ...core.output import LAYER_MASKS
from ..app.registration import registered
from ..properties.mask_view import COLORS, ITEMS
from .add import show_colors
from .base import OnTerrain, Result, reporting


@registered
class TERRAIN_OT_show(OnTerrain):
    """Color the terrain by a field, by a mask or by its palette"""

    bl_idname = "terrain.show"
    bl_label = "Show Field or Mask"
    bl_options = {"UNDO"}  # nothing to adjust afterwards

    mask: EnumProperty(name="Field or Mask", description="What the colors show", items=ITEMS)

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        if properties.mask == COLORS:
            return "Color the terrain by its palette again"
        if properties.mask == LAYER_MASKS:
            return "Color the terrain by where the active layer acts"
        return f"Color the terrain by this field. {FIELDS[properties.mask].help}"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        self.subject(context)[1].mask_view = self.mask
        show_colors(context)
        return {"FINISHED"}
