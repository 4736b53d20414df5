# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Fields: all that can be done with a field, and a comparison with real terrain."""

from typing import Any

import bpy

from ...core.analysis import FIELDS
from ...core.output import LAYER_MASKS
from ..properties.mask_view import COLORS
from ..properties.recipe import SWITCHES
from .menus import available_fields
from .panels import Panel, legend, show


class TERRAIN_PT_fields(Panel):
    bl_idname = "TERRAIN_PT_fields"
    bl_label = "Fields"
    bl_order = 5
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        terrain, layout = self.begin(context)
        available = available_fields(context)
        column = layout.column(align=True)
        for name in FIELDS:
            _field(column.row(align=True), terrain, name, made=name in available)
        if terrain.mask_view not in (COLORS, LAYER_MASKS):
            legend(layout, terrain)
        layout.operator("terrain.realism", icon="VIEWZOOM")


def _field(row: Any, terrain: Any, name: str, *, made: bool) -> None:
    """A row: the name of a field, and what can be done with it if a layer has ``made`` it."""
    row.active = made
    field, shown = FIELDS[name], terrain.mask_view == name
    colored = any(region.based_on == name for region in terrain.palette.regions)
    row.label(text=field.label)
    show(row, COLORS if shown else name, depress=shown)
    if name in SWITCHES:
        row.prop(terrain.attributes, name, text="", icon="SPREADSHEET", toggle=True)
    else:  # every terrain has it
        always = row.row(align=True)
        always.enabled = False
        always.operator("terrain.show", text="", icon="SPREADSHEET", depress=True).mask = name
    uses = row.row(align=True)
    uses.enabled = made
    uses.operator("terrain.region_add", text="", icon="COLOR", depress=colored).based_on = name
    image = uses.operator("terrain.bake", text="", icon="RENDER_STILL")
    image.image, image.field = "field", name
