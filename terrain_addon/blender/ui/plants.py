# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of the plants of a terrain, which their objects hold."""

from typing import Any

import bpy

from ..app import manual
from ..app.registration import registered
from ..data.plant_objects import plants_of, settings_of_plants
from ..data.terrains import active_terrain
from ..live import plants
from . import draw
from .panels import Panel
from .widths import notice


@registered
class TERRAIN_PT_plants(Panel):
    bl_idname = "TERRAIN_PT_plants"
    page = manual.PLANTS
    bl_label = "Plants"
    bl_parent_id = "TERRAIN_PT_scene"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        terrain = active_terrain(context)
        return terrain is not None and bool(plants_of(terrain))

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.begin(context)[1]
        terrain = active_terrain(context)
        for item in plants_of(terrain) if terrain else ():
            header, body = layout.panel(f"terrain_plants_{item.name}")
            header.label(text=item.name, icon="OUTLINER_OB_POINTCLOUD")
            header.prop(item, "hide_viewport", text="", emboss=False)
            if body:
                _settings(body.column(), item)


def _settings(layout: Any, item: bpy.types.Object) -> None:
    settings: Any = settings_of_plants(item)
    if error := plants.error_of(item):
        notice(layout, error, "ERROR")
    names = ["species", "file", "groups", "own_climate"]
    names += ["temperature", "latitude"] * settings.own_climate
    names += ["density", "extent", "center", "seed"]
    names += ["viewport_share", "viewport_simple", "far", "autumn", "snow"]
    for name in names:
        draw.named(layout, settings, name)
    row = draw.named(layout, settings, "live")
    row.operator("terrain.plants_grow", text="", icon="FILE_REFRESH")
    count = sum(one.count for one in settings.kinds)
    text = "Growing" if plants.is_growing(item) else f"{count:,} Plants"
    if not count and settings.grown:
        notice(layout, "Nothing lives here: try another temperature or set", "INFO")
    header, body = layout.panel(f"terrain_plant_kinds_{item.name}", default_closed=True)
    header.label(text=text.replace(",", " "))
    if body:
        column = body.column(align=True)
        for one in settings.kinds:
            row = draw.field(column, one.name)
            row.label(text=f"{one.count:,}".replace(",", " "))
            row.prop(one, "collection", text="")
