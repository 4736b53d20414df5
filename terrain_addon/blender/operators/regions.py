# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours: palettes and their regions."""

import dataclasses
from typing import Any

import bpy
from bpy.props import EnumProperty

from ...core import Region, presets
from ...core.recipe import BY_HEIGHT, MAX_REGIONS
from ...core.settings import settings_of
from ..data import keyframes as retarget
from ..live import rebuild as live
from ..properties.choices import palette_items
from ..properties.declare import enum_items
from ..properties.recipe import read_palette, read_regions, write_palette, write_settings
from .base import OnTerrain, Result, reporting

(_CHOICES,) = (one.choices for one in settings_of(Region) if one.name == "based_on")


class TERRAIN_OT_region_add(OnTerrain):
    """Add a colour: by height half way from the active one to the next higher, or by a mask"""

    bl_idname = "terrain.region_add"
    bl_label = "Add Colour"

    based_on: EnumProperty(
        name="By",
        description="What chooses the ground of the new colour",
        items=enum_items((one.key, one.label, one.help, "NONE") for one in _CHOICES),
    )

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        palette = terrain.palette
        if len(palette.regions) >= MAX_REGIONS:
            raise ValueError(f"A palette has at most {MAX_REGIONS} colours")
        last, region = len(palette.regions), _new_region(palette, self.based_on)
        with live.one_rebuild(mesh):
            # Only the list shows colours in order of height: a new one is the last.
            retarget.renumber(mesh, retarget.REGIONS, retarget.after_adding(last, last))
            write_settings(palette.regions.add(), region)
            palette.active_region = last
        return {"FINISHED"}


def _new_region(palette: Any, by: str) -> Region:
    """What comes after the active one, or goes by a mask."""
    if by != BY_HEIGHT:
        return Region.of_field(by)
    regions = read_regions(palette)
    if not regions:
        return Region()
    return read_palette(palette).region_after(regions[min(palette.active_region, len(regions) - 1)])


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


class TERRAIN_OT_region_move(OnTerrain):
    """Let the active colour cover the next one by a mask, or be covered by the one before"""

    bl_idname = "terrain.region_move"
    bl_label = "Move Colour"

    direction: EnumProperty(
        name="Direction",
        description="Where to move the colour in the list",
        items=enum_items(
            (
                ("UP", "Up", "The colour covers the next one", "TRIA_UP"),
                ("DOWN", "Down", "The colour is covered by the one before", "TRIA_DOWN"),
            )
        ),
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not super().poll(context):
            return False
        palette = cls.subject(context)[1].palette
        if palette.active_region not in _by_mask(palette):
            cls.poll_message_set("Colours by height lie in the order of their starts")
            return False
        return True

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        palette = terrain.palette
        order, start = _by_mask(palette), palette.active_region
        place = order.index(start) + (1 if self.direction == "UP" else -1)
        if not 0 <= place < len(order):
            return {"CANCELLED"}
        end = order[place]
        with live.one_rebuild(mesh):
            places = retarget.after_moving(len(palette.regions), start, end)
            retarget.renumber(mesh, retarget.REGIONS, places)
            palette.regions.move(start, end)
            palette.active_region = end
        return {"FINISHED"}


def _by_mask(palette: Any) -> list[int]:
    """Places of the colours by masks, each on top of the last."""
    return [place for place, item in enumerate(palette.regions) if item.based_on != BY_HEIGHT]


class TERRAIN_OT_palette_load(OnTerrain):
    """Replace the colours by height with a ready-made palette; those by masks stay"""

    bl_idname = "terrain.palette_load"
    bl_label = "Load Palette"

    name: EnumProperty(name="Palette", description="The palette to load", items=palette_items)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        palette = presets.load_palette(self.name)
        old = read_regions(terrain.palette)
        room = MAX_REGIONS - len(palette.regions)
        lost = (n for n, one in enumerate(old) if one.field and one.field not in palette.fields)
        stay = list(lost)[:room]
        places = {n: len(palette.regions) + place for place, n in enumerate(stay)}
        regions = (*palette.regions, *(old[n] for n in stay))
        with live.one_rebuild(mesh):
            retarget.renumber(mesh, retarget.REGIONS, places)
            write_palette(terrain.palette, dataclasses.replace(palette, regions=regions))
        return {"FINISHED"}


register, unregister = bpy.utils.register_classes_factory(
    (
        TERRAIN_OT_region_add,
        TERRAIN_OT_region_remove,
        TERRAIN_OT_region_move,
        TERRAIN_OT_palette_load,
    )
)
