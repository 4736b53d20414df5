# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Bake, and the dialog that asks which images a set holds."""

from collections.abc import Sequence
from typing import Any

import bpy

from ...core import LAYERS, Bake, Kind, why_no_noise
from .. import bake_jobs
from ..bake_orders import IN_SETS
from ..baking import Output, place
from ..context import active_mesh
from ..recipes import SWITCHES, read_settings
from . import draw
from .panels import Panel, notice, progress_bar

WIDE = 60
"""Characters of a line of the dialog."""


class TERRAIN_PT_bake(Panel):
    bl_idname = "TERRAIN_PT_bake"
    bl_label = "Bake"
    bl_order = 4
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        terrain, layout = self.begin(context)
        column = layout.column()
        draw.settings(column, terrain.bake, Bake, skip=["block_size"])
        if terrain.bake.image == "noise":
            _name_layer(column, terrain)
        column.prop(terrain.bake, "block_size")
        column.separator()
        draw.settings(column, terrain.bake, Output)
        column.label(text=_pixels(terrain), icon="BLANK1")
        row = column.row(align=True)
        row.operator("terrain.bake", icon="RENDER_STILL")
        row.operator("terrain.bake_set", text="Bake Set...", icon="RENDERLAYERS")
        column.operator("terrain.displace_setup", icon="MOD_DISPLACE")
        mesh = active_mesh(context)
        text, failed = bake_jobs.message(mesh) if mesh else ("", False)
        if progress := bake_jobs.progress():
            progress_bar(layout, *progress)
            if count := bake_jobs.waiting():
                layout.label(text="1 bake waits" if count == 1 else f"{count} bakes wait")
        elif text:
            notice(layout, text, "ERROR" if failed else "INFO")


def _name_layer(layout: bpy.types.UILayout, terrain: Any) -> None:
    """Which layer the number stands for, below it."""
    number = terrain.bake.layer
    kinds = [LAYERS.get(item.kind) or Kind for item in terrain.layers]
    if reason := why_no_noise(kinds, number):
        notice(layout, reason, "ERROR")
        return
    beside = layout.split(factor=draw.NAMES)
    beside.separator()
    icon: Any = kinds[number - 1].icon
    beside.label(text=f"{number}: {terrain.layers[number - 1].name}", icon=icon)


def draw_set(layout: Any, terrain: Any, known: Sequence[str]) -> None:
    """The dialog: what to make of what the terrain has, and how and where that is made."""
    row = layout.row()
    for masks, title in ((False, "Images"), (True, "Masks")):
        keys = [key for key in IN_SETS if key in known and (key in SWITCHES) == masks]
        box = row.column(align=True)
        box.label(text=title)
        flow = box.grid_flow(columns=2 if masks else 1, even_columns=True, row_major=False)
        for key in keys:
            flow.prop(terrain.bake_set, key)
    layout.separator()
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    chosen = {key for key in known if getattr(terrain.bake_set, key)}
    if chosen & {"displacement", *SWITCHES}:
        column.prop(terrain.bake, "values")
    if "normal" in chosen:
        column.prop(terrain.bake, "green")
    for line in _lines(terrain):
        layout.label(text=line)


def _lines(terrain: Any) -> list[str]:
    """Size, format and place of the images, as the panel has them."""
    output = Output(**read_settings(terrain.bake, Output))
    parts = []
    if output.is_file:
        parts.append(f"to {place(output)}")
    if output.is_image:
        parts.append("into this blend file")
    where = " and ".join(parts)
    form = ", EXR" if output.format == "exr" else ", PNG"
    what = _pixels(terrain) + (form if output.is_file else "")
    line = f"{what}, {where}"
    return [line] if len(line) <= WIDE else [what, where]


def _pixels(terrain: Any) -> str:
    output = Output(**read_settings(terrain.bake, Output))
    width, height = output.size(terrain.size_x, terrain.size_y)
    return f"{width} x {height} pixels"


register, unregister = bpy.utils.register_classes_factory((TERRAIN_PT_bake,))
