# SPDX-License-Identifier: GPL-3.0-or-later
"""The menu Add > Terrain of geometry nodes."""

from typing import Any

import bpy

from ...core.analysis import AREAS, FIELDS
from ..app.registration import registered
from ..objects.field_nodes import GROUPS


@registered
class TERRAIN_MT_nodes(bpy.types.Menu):
    """Nodes that read a terrain at any point, or put points on it"""

    bl_idname = "TERRAIN_MT_nodes"
    bl_label = "Terrain"

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.operator_context = "INVOKE_REGION_WIN"
        for key, one in GROUPS.items():
            if key == "field":
                layout.menu("TERRAIN_MT_field_nodes")
            else:
                layout.operator("terrain.add_nodes", text=one.name).group = key
        if context.preferences.filepaths.asset_libraries:
            layout.separator()
            layout.operator("terrain.mark_nodes", icon="ASSET_MANAGER")


@registered
class TERRAIN_MT_field_nodes(bpy.types.Menu):
    """Add nodes that read a field of a terrain at any point"""

    bl_idname = "TERRAIN_MT_field_nodes"
    bl_label = "Terrain Field at Point"

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.operator_context = "INVOKE_REGION_WIN"
        for name, field in FIELDS.items():
            if name not in AREAS:
                button = layout.operator("terrain.add_nodes", text=field.label)
                button.group, button.field = "field", name


def _in_add_menu(self: Any, context: Any) -> None:
    if context.space_data.tree_type == "GeometryNodeTree":
        self.layout.separator()
        self.layout.menu("TERRAIN_MT_nodes", icon="RNDCURVE")


_MENU: Any = bpy.types.NODE_MT_add


def register() -> None:
    """Add the menu to that of the node editor."""
    _MENU.append(_in_add_menu)


def unregister() -> None:
    """Remove the menu from that of the node editor."""
    _MENU.remove(_in_add_menu)
