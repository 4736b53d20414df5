# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Randomize: the operator, and a lock for each setting that it varies."""

import bpy

from ...core.recipe import varied_settings
from ..app import manual
from ..app.registration import registered
from ..data.terrains import active_layer, active_mesh, terrain_of
from ..properties.layer_tree import is_group
from ..properties.recipe import read_layer
from .panels import Panel


@registered
class TERRAIN_PT_randomize(Panel):
    bl_idname = "TERRAIN_PT_randomize"
    page = manual.LAYERED
    bl_label = "Randomize"
    bl_parent_id = "TERRAIN_PT_layers"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 1

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        mesh = active_mesh(context)
        item = active_layer(terrain_of(mesh)) if mesh else None
        return item is not None and not is_group(item)  # which has nothing to vary

    def draw(self, context: bpy.types.Context) -> None:
        terrain, layout = self.begin(context)
        layout.use_property_split = False
        layout.operator("terrain.layer_randomize", icon="SHADERFX")
        layout.operator_menu_enum("terrain.variations", "setting", icon="MESH_GRID")
        item = active_layer(terrain)
        try:
            settings = read_layer(item).settings
        except ValueError:  # the panel of the layer says why
            return
        locks = getattr(item, item.kind).locks
        flow = layout.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
        for setting in varied_settings(settings):
            locked = "LOCKED" if getattr(locks, setting.name) else "UNLOCKED"
            flow.prop(locks, setting.name, toggle=True, icon=locked)
