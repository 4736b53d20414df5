# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Analysis: optional attributes, and a comparison with real terrain."""

import bpy

from ..properties.recipe import SWITCHES
from .panels import Panel


class TERRAIN_PT_analysis(Panel):
    bl_idname = "TERRAIN_PT_analysis"
    bl_label = "Analysis"
    bl_order = 5
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        terrain, layout = self.begin(context)
        column = layout.column(heading="Attributes")
        for name in SWITCHES:
            column.prop(terrain.attributes, name)
        layout.operator("terrain.realism", icon="VIEWZOOM")
