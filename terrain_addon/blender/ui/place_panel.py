# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Place: the coordinates of the 3D cursor in a scene that lies on the Earth."""

from typing import Any

import bpy
from mathutils import Vector

from ..app.registration import registered
from ..data import scene_place, units
from ..data.terrains import active_terrain
from ..mesh import ground
from .panels import Panel
from .widths import notice


@registered
class TERRAIN_PT_place(Panel):
    bl_idname = "TERRAIN_PT_place"
    page = "from-an-elevation-file"
    bl_label = "Place"
    bl_order = 7
    bl_options = {"DEFAULT_CLOSED"}

    reads_only = True

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return scene_place.is_placed(context.scene)

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        column = layout.column(align=True)
        try:
            rows = list(readings(context))
        except ValueError as error:
            notice(layout, str(error), "ERROR")
            rows = []
        for name, text in rows:
            row = column.split(factor=0.4)
            label = row.row()
            label.alignment = "RIGHT"
            label.label(text=name)
            row.label(text=text)
        layout.operator("terrain.drape_image", text="Drape Image...", icon="IMAGE_DATA")
        layout.operator("terrain.clear_place", icon="X")


def readings(context: bpy.types.Context) -> list[tuple[str, str]]:
    """Return what the panel says of the 3D cursor, by name.

    Raises ValueError for a place that is not known.
    """
    scene = context.scene
    at = scene.cursor.location
    origin = scene_place.origin_of(scene)
    x, y = scene_place.coordinates(scene, at)
    plane = origin.system
    digits = 6 if plane.geographic else 2
    names = ("X", "Y") if plane.geographic else ("Easting", "Northing")
    known = plane.geographic or plane.projection is not None
    name = plane.title.partition(", ")[2] or plane.name
    rows = [("System", name if known and name else "Not named")]
    rows += [(names[0], f"{x:.{digits}f}"), (names[1], f"{y:.{digits}f}")]
    if place := scene_place.degrees(scene, at):
        rows += [("Longitude", f"{place[0]:.6f}\N{DEGREE SIGN}")]
        rows += [("Latitude", f"{place[1]:.6f}\N{DEGREE SIGN}")]
    per_meter = scene_place.units_of_meter(scene)
    rows.append(("Cursor Height", units.length(at.z / per_meter, 5)))
    height = _ground(context, at)
    if height is not None:
        rows.append(("Ground", units.length(height, 5)))
    return rows


def _ground(context: bpy.types.Context, at: Vector) -> float | None:
    """Return the height of the active terrain above the scene's origin at a place, in meters."""
    item = active_terrain(context)
    point = item and ground.below(item, at)
    return None if point is None else point.z / scene_place.units_of_meter(context.scene)
