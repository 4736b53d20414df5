# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours: palettes and their regions."""

from typing import Any

import bpy
from bpy.props import EnumProperty

from ...core import MAX_REGIONS, Palette, Region, presets
from .. import live, retarget
from ..choices import palette_items
from ..recipes import read_settings, write_palette, write_settings
from .base import OnTerrain, Result, reporting


class TERRAIN_OT_region_add(OnTerrain):
    """Add a colour half way from the active one to the next higher"""

    bl_idname = "terrain.region_add"
    bl_label = "Add Colour"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        palette = terrain.palette
        if len(palette.regions) >= MAX_REGIONS:
            raise ValueError(f"A palette has at most {MAX_REGIONS} colours")
        last, region = len(palette.regions), _new_region(palette)
        with live.one_rebuild(mesh):
            # Only the list shows colours in order of height: a new one is the last.
            retarget.renumber(mesh, retarget.REGIONS, retarget.after_adding(last, last))
            write_settings(palette.regions.add(), region)
            palette.active_region = last
        return {"FINISHED"}


def _new_region(palette: Any) -> Region:
    """What comes after the active one."""
    regions = [Region(**read_settings(item, Region)) for item in palette.regions]
    if not regions:
        return Region()
    whole = Palette(**read_settings(palette, Palette), regions=tuple(regions))
    return whole.region_after(regions[min(palette.active_region, len(regions) - 1)])


class TERRAIN_OT_region_remove(OnTerrain):
    """Remove the active colour; the last one stays"""

    bl_idname = "terrain.region_remove"
    bl_label = "Remove Colour"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not super().poll(context):
            return False
        if len(cls.subject(context)[1].palette.regions) < 2:
            cls.poll_message_set("A palette has at least one colour")
            return False
        return True

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        palette = terrain.palette
        places = retarget.after_removing(len(palette.regions), palette.active_region)
        with live.one_rebuild(mesh):
            retarget.renumber(mesh, retarget.REGIONS, places)
            palette.regions.remove(palette.active_region)
            palette.active_region = min(palette.active_region, len(palette.regions) - 1)
        return {"FINISHED"}


class TERRAIN_OT_palette_load(OnTerrain):
    """Replace the colours of the terrain with a ready-made palette"""

    bl_idname = "terrain.palette_load"
    bl_label = "Load Palette"

    name: EnumProperty(name="Palette", description="The palette to load", items=palette_items)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        palette = presets.load_palette(self.name)
        with live.one_rebuild(mesh):
            retarget.renumber(mesh, retarget.REGIONS, {})  # all of them are others
            write_palette(terrain.palette, palette)
        return {"FINISHED"}


register, unregister = bpy.utils.register_classes_factory(
    (TERRAIN_OT_region_add, TERRAIN_OT_region_remove, TERRAIN_OT_palette_load)
)
