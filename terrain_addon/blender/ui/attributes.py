# SPDX-License-Identifier: GPL-3.0-or-later
"""Which masks the mesh carries as attributes."""

import bpy

from ..recipes import SWITCHES
from .panels import Panel


class TERRAIN_PT_attributes(Panel):
    bl_idname = "TERRAIN_PT_attributes"
    bl_label = "Attributes"
    bl_order = 5
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        terrain, layout = self.begin(context)
        column = layout.column(heading="Write")
        for name in SWITCHES:
            column.prop(terrain.attributes, name)


def register() -> None:
    bpy.utils.register_class(TERRAIN_PT_attributes)


def unregister() -> None:
    bpy.utils.unregister_class(TERRAIN_PT_attributes)
