# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Bake."""

from typing import Any

import bpy

from ...core import Bake
from ...core.layers import LAYERS, LayerKind
from ...core.output import IMAGES, why_no_noise
from ..app import manual
from ..app.registration import registered
from ..bake.output import Output, pixels
from ..bake.queue import bakes
from ..data.terrains import active_mesh
from . import draw
from .panels import Panel, progress_bar
from .widths import notice


@registered
class TERRAIN_PT_bake(Panel):
    bl_idname = "TERRAIN_PT_bake"
    page = manual.BAKE
    bl_label = "Bake"
    bl_parent_id = "TERRAIN_PT_output"
    bl_order = 1
    bl_options = {"DEFAULT_CLOSED"}

    reads_only = True

    def draw(self, context: bpy.types.Context) -> None:
        terrain, layout = self.begin(context)
        column = layout.column()
        draw.settings(column, terrain.bake, Bake, skip=["pixel_step"])
        if IMAGES[terrain.bake.image].which == "layer":
            _name_layer(column, terrain)
        draw.named(column, terrain.bake, "pixel_step")
        column.separator()
        draw.settings(column, terrain.bake, Output)
        column.label(text=pixels(terrain), icon="BLANK1")
        row = column.row(align=True)
        row.operator("terrain.bake", icon="RENDER_STILL")
        row.operator("terrain.bake_set", text="Bake Set...", icon="RENDERLAYERS")
        column.operator("terrain.displace_setup", icon="MOD_DISPLACE")
        mesh = active_mesh(context)
        text, failed = bakes.message(mesh) if mesh else ("", False)
        if progress := bakes.progress():
            progress_bar(layout, *progress)
            if count := bakes.waiting():
                layout.label(text=f"{count} more in the queue")
        elif text:
            notice(layout, text, "ERROR" if failed else "INFO")
            if not failed and mesh and (ends := bakes.height_range(mesh)):
                draw.ends(layout, *ends, source="image")


def _name_layer(layout: bpy.types.UILayout, terrain: Any) -> None:
    """Show the name of the chosen layer below its number."""
    number = terrain.bake.layer
    kinds = [LAYERS.get(item.kind) or LayerKind for item in terrain.layers]
    if reason := why_no_noise(kinds, number):
        notice(layout, reason, "ERROR")
        return
    icon: Any = kinds[number - 1].icon
    draw.field(layout, "").label(text=f"{number}: {terrain.layers[number - 1].name}", icon=icon)
