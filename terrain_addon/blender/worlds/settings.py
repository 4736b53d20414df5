# SPDX-License-Identifier: GPL-3.0-or-later
"""``Scene.terrain_world``: the settings of the World panel."""

from typing import Any, cast

import bpy
from bpy.props import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    IntVectorProperty,
    PointerProperty,
    StringProperty,
)

from ..properties.declare import enum_items
from .surfaces import DETAILS

SELECTED, CURSOR, CAMERA, NUMBERS, ALL = "selected", "cursor", "camera", "numbers", "all"
CHOICES = (
    (
        SELECTED,
        "Selection",
        "Tiles with selected faces of the overview, and those below selected objects",
        "RESTRICT_SELECT_OFF",
    ),
    (CURSOR, "3D Cursor", "Tiles around the 3D cursor", "PIVOT_CURSOR"),
    (CAMERA, "Camera", "Tiles around the active camera", "CAMERA_DATA"),
    (NUMBERS, "Numbers", "Tiles from one column and row to another", "LINENUMBERS_ON"),
    (ALL, "All", "All tiles", "SELECT_SET"),
)
DETAIL_ITEMS = enum_items(
    (str(step), f"1/{step}", "Every sample" if step == 1 else f"Every {step}th sample", "NONE")
    for step in DETAILS
)


class WorldSettings(bpy.types.PropertyGroup):
    folder: StringProperty(
        name="Folder",
        description="Folder of a world, which contains world.json",
        subtype="DIR_PATH",
        options=set(),
    )
    choose: EnumProperty(
        name="Tiles", description="Which tiles to load", items=enum_items(CHOICES), options=set()
    )
    radius: FloatProperty(
        name="Radius",
        description="Distance within which tiles are loaded. 0: only the tile below",
        default=0.0,
        min=0.0,
        step=10000,
        subtype="DISTANCE",
        unit="LENGTH",
        options=set(),
    )
    first: IntVectorProperty(
        name="First", description="Column and row of the first tile", size=2, min=0, options=set()
    )
    last: IntVectorProperty(
        name="Last", description="Column and row of the last tile", size=2, min=0, options=set()
    )
    detail: EnumProperty(
        name="Detail",
        description="Points of the meshes along a side, as a share of the samples",
        items=DETAIL_ITEMS,
        default=DETAIL_ITEMS[2][-1],
        options=set(),
    )
    coarser: BoolProperty(
        name="Detail Falloff",
        description="Halve the detail with each tile of distance from the cursor or the camera",
        options=set(),
    )
    target: StringProperty(
        name="Export To",
        description="New or empty folder for the tiles",
        subtype="DIR_PATH",
        options=set(),
    )
    spacing: FloatProperty(
        name="Spacing",
        description="Distance between two samples, at most: the terrain is divided into whole "
        "tiles",
        default=1.0,
        min=0.001,
        soft_min=0.1,
        soft_max=100.0,
        subtype="DISTANCE",
        unit="LENGTH",
        options=set(),
    )
    side: IntProperty(
        name="Tile Size",
        description="Samples along a side of a tile; neighbors share those on their border",
        default=1025,
        min=2,
        max=16385,
        soft_min=129,
        soft_max=4097,
        options=set(),
    )
    workers: IntProperty(
        name="Processes",
        description="Processes that make tiles at the same time",
        default=2,
        min=1,
        max=256,
        soft_max=32,
        options=set(),
    )


def settings_of(scene: bpy.types.Scene) -> Any:
    """Return the world settings of a scene."""
    return cast(Any, scene).terrain_world


def register() -> None:
    bpy.utils.register_class(WorldSettings)
    cast(Any, bpy.types.Scene).terrain_world = PointerProperty(
        type=WorldSettings, name="World", description="World of tiles in a folder"
    )


def unregister() -> None:
    del cast(Any, bpy.types.Scene).terrain_world
    bpy.utils.unregister_class(WorldSettings)
