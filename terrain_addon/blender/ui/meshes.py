# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Meshes: meshes for engines and for printing."""

import bpy

from ..app.registration import registered
from .panels import Panel


@registered
class TERRAIN_PT_meshes(Panel):
    bl_idname = "TERRAIN_PT_meshes"
    page = "meshes"
    bl_label = "Meshes"
    bl_parent_id = "TERRAIN_PT_output"
    bl_order = 3
    bl_options = {"DEFAULT_CLOSED"}

    reads_only = True

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.begin(context)[1]
        column = layout.column()
        column.operator("terrain.levels_of_detail", text="Levels of Detail...", icon="MOD_DECIM")
        column.operator("terrain.solid", text="Solid for Printing...", icon="MESH_CUBE")
        column.operator("terrain.export_usd", text="Export USD...", icon="EXPORT")
