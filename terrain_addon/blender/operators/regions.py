# SPDX-License-Identifier: GPL-3.0-or-later
"""Add, remove and move colors, and load palettes."""

import dataclasses
from typing import Any

import bpy
from bpy.props import EnumProperty

from ...core import Region, presets
from ...core.analysis import FIELDS
from ...core.recipe import BY_HEIGHT, MAX_REGIONS
from ...core.settings import settings_of
from ..app.registration import registered
from ..data import keyframes
from ..live import rebuild
from ..properties.choices import palette_items
from ..properties.declare import enum_items
from ..properties.layer_tree import palette_of
from ..properties.recipe import read_palette, read_regions, write_palette, write_settings
from .base import OnTerrain, Result, reporting

(_CHOICES,) = (setting.choices for setting in settings_of(Region) if setting.name == "based_on")


@registered
class TERRAIN_OT_region_add(OnTerrain):
    """Add a color, by height halfway to the next higher one, or by a field"""

    bl_idname = "terrain.region_add"
    bl_label = "Add Color"

    based_on: EnumProperty(
        name="Based On",
        description="What the place of the new color depends on",
        items=enum_items((choice.key, choice.label, choice.help, "NONE") for choice in _CHOICES),
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        field = FIELDS.get(properties.based_on)
        return f"Add a color where this field is high. {field.help}" if field else cls.__doc__ or ""

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        palette, path = palette_of(terrain)
        if self.based_on != BY_HEIGHT:  # these lie on top of all groups
            palette, path = terrain.palette, keyframes.REGIONS
        if len(palette.regions) >= MAX_REGIONS:
            raise ValueError(f"A palette has at most {MAX_REGIONS} colors")
        last, region = len(palette.regions), _new_region(palette, self.based_on)
        with rebuild.one_rebuild(mesh):
            # The list is sorted by height only when drawn: a new color is the last item.
            keyframes.renumber(mesh, path, keyframes.after_adding(last, last))
            write_settings(palette.regions.add(), region)
            palette.active_region = last
        return {"FINISHED"}


def _new_region(palette: Any, by: str) -> Region:
    """Make a region above the active one, or one by a field."""
    if by != BY_HEIGHT:
        return Region.of_field(by)
    regions = read_regions(palette)
    if not regions:
        return Region()
    return read_palette(palette).region_after(regions[min(palette.active_region, len(regions) - 1)])


@registered
class TERRAIN_OT_region_remove(OnTerrain):
    """Remove the active color; at least one stays"""

    bl_idname = "terrain.region_remove"
    bl_label = "Remove Color"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not super().poll(context):
            return False
        if len(palette_of(cls.subject(context)[1])[0].regions) < 2:
            cls.poll_message_set("A palette has at least one color")
            return False
        return True

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        palette, path = palette_of(terrain)
        places = keyframes.after_removing(len(palette.regions), palette.active_region)
        with rebuild.one_rebuild(mesh):
            keyframes.renumber(mesh, path, places)
            palette.regions.remove(palette.active_region)
            palette.active_region = min(palette.active_region, len(palette.regions) - 1)
        return {"FINISHED"}


@registered
class TERRAIN_OT_region_move(OnTerrain):
    """Move the active color above or below the next color by a field"""

    bl_idname = "terrain.region_move"
    bl_label = "Move Color"

    direction: EnumProperty(
        name="Direction",
        description="Where to move the color in the list",
        items=enum_items(
            (
                ("UP", "Up", "The color covers the next one", "TRIA_UP"),
                ("DOWN", "Down", "The color is covered by the one before", "TRIA_DOWN"),
            )
        ),
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not super().poll(context):
            return False
        palette = palette_of(cls.subject(context)[1])[0]
        if palette.active_region not in _by_field(palette):
            cls.poll_message_set("Colors by height are sorted by their start")
            return False
        return True

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        palette, path = palette_of(terrain)
        order, start = _by_field(palette), palette.active_region
        place = order.index(start) + (1 if self.direction == "UP" else -1)
        if not 0 <= place < len(order):
            return {"CANCELLED"}
        end = order[place]
        with rebuild.one_rebuild(mesh):
            places = keyframes.after_moving(len(palette.regions), start, end)
            keyframes.renumber(mesh, path, places)
            palette.regions.move(start, end)
            palette.active_region = end
        return {"FINISHED"}


def _by_field(palette: Any) -> list[int]:
    """Return the indices of the colors by fields, from the bottom."""
    return [place for place, item in enumerate(palette.regions) if item.based_on != BY_HEIGHT]


@registered
class TERRAIN_OT_palette_load(OnTerrain):
    """Replace the colors by height with a built-in palette; colors by fields and an image stay"""

    bl_idname = "terrain.palette_load"
    bl_label = "Load Palette"

    name: EnumProperty(name="Palette", description="The palette to load", items=palette_items)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        palette, (shown, path) = presets.load_palette(self.name), palette_of(terrain)
        old = read_regions(shown)
        room = MAX_REGIONS - len(palette.regions)
        lost = (n for n, one in enumerate(old) if one.field and one.field not in palette.fields)
        stay = list(lost)[:room]
        places = {n: len(palette.regions) + place for place, n in enumerate(stay)}
        regions = (*palette.regions, *(old[n] for n in stay))
        if path != keyframes.REGIONS:
            regions = palette.by_height  # all that a group has
        with rebuild.one_rebuild(mesh):
            keyframes.renumber(mesh, path, places)
            new = dataclasses.replace(palette, regions=regions, image=shown.image)
            write_palette(shown, new)
        return {"FINISHED"}
