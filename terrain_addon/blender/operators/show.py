# SPDX-License-Identifier: GPL-3.0-or-later
"""Look at a mask on the terrain, and back at its colours."""

from typing import Any

import bpy
from bpy.props import EnumProperty

from ...core.analysis import FIELDS
from ...core.output import LAYER_MASKS
from ..properties.mask_view import COLORS, ITEMS
from .base import OnTerrain, Result, reporting


class TERRAIN_OT_show(OnTerrain):
    """Colour the terrain by a mask, to look at it, or by its palette"""

    bl_idname = "terrain.show"
    bl_label = "Show Mask"
    bl_options = {"UNDO"}  # there is nothing to adjust afterwards

    mask: EnumProperty(name="Mask", description="What the colours stand for", items=ITEMS)

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        if properties.mask == COLORS:
            return "Colour the terrain by its palette again"
        if properties.mask == LAYER_MASKS:
            return "Colour the terrain by where the active layer acts, to look at it"
        return FIELDS[properties.mask].help

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        self.subject(context)[1].shown = self.mask
        return {"FINISHED"}


register, unregister = bpy.utils.register_classes_factory((TERRAIN_OT_show,))
