# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of what is spread over the terrain, which modifiers of its children hold."""

from typing import Any

import bpy

from ...core.analysis import FIELDS
from ..app import manual
from ..app.registration import registered
from ..data.terrains import active_terrain
from ..objects import scatter
from . import draw
from .panels import Panel

FIELD_RANGE = ("Field Min", "Field Max")
"""Inputs that mean something for a field only."""
POINTERS = {"Collection": "collections", "Avoid": "collections"}
"""Inputs that are data-blocks, and where these are."""


@registered
class TERRAIN_PT_scatter(Panel):
    bl_idname = "TERRAIN_PT_scatter"
    page = manual.SCATTER
    bl_label = "Trees and Rocks"
    bl_parent_id = "TERRAIN_PT_scene"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        terrain = active_terrain(context)
        return terrain is not None and bool(scatter.modifiers_of(terrain))

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.begin(context)[1]
        terrain = active_terrain(context)
        for item, modifier in scatter.modifiers_of(terrain) if terrain else ():
            header, body = layout.panel(f"terrain_scatter_{item.name}")
            header.label(text=item.name, icon="OUTLINER_OB_POINTCLOUD")
            header.prop(modifier, "show_viewport", text="", emboss=False)
            if body:
                inputs(body.column(), item, modifier)


def inputs(layout: Any, item: bpy.types.Object, modifier: Any) -> None:
    """Draw the inputs of a modifier, but the terrain, which is the one that is active."""
    chosen = scatter.get_input(modifier, "Field")
    for name, (owner, path) in scatter.inputs_of(modifier).items():
        if name == "Terrain" or (name in FIELD_RANGE and not chosen):
            continue
        row = draw.field(layout, name)
        if name == "Field":
            label = FIELDS[chosen].label if chosen in FIELDS else chosen or "None"
            row.operator_menu_enum("terrain.scatter_field", "field", text=label).item = item.name
        elif name in POINTERS:
            row.prop_search(owner, path, bpy.data, POINTERS[name], text="")
        else:
            row.prop(owner, path, text="")
