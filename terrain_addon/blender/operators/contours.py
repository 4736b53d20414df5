# SPDX-License-Identifier: GPL-3.0-or-later
"""Contours of the active terrain: as curves, and as a drawing or GeoJSON."""

import os
from pathlib import Path
from typing import Any, cast

import bpy
from bpy.props import EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from ...core.contours import Contour, ContourSettings, contours, geojson, svg
from ...core.output import exports
from ...core.settings import replaced, settings_of
from ..app.registration import registered
from ..data.terrains import own_collections
from ..live import rebuild
from ..mesh.triangles import Points
from ..objects import contour_curves
from ..properties.declare import blender_property
from ..properties.recipe import read, read_settings
from .base import OnTerrain, Result, reporting

WIDTH = 320
"""Pixels of the dialog."""
SVG, GEOJSON = ".svg", ".geojson"


class _Drawing(OnTerrain):
    """Base of operators that draw the contours of the mesh of a terrain as it is."""

    reads_only = True

    def found(self, context: bpy.types.Context) -> tuple[list[Contour], Points]:
        """Return the contours, and the points of the terrain; ValueError if there are none."""
        mesh = self.subject(context)[0]
        if rebuild.is_unfinished(mesh):
            raise ValueError("The mesh shows a preview: wait until the terrain is rebuilt")
        points = Points.of(mesh)
        settings = ContourSettings(**read_settings(self, ContourSettings))
        lines = contours(points.grid, points.height, settings)
        if not lines:
            raise ValueError("The terrain has no contours at this interval: set a smaller one")
        return lines, points

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        for one in settings_of(ContourSettings):
            layout.prop(self, one.name)


@registered
class TERRAIN_OT_contours(_Drawing):
    """Add the contours of the terrain as curves, index contours apart from the others"""

    bl_idname = "terrain.contours"
    bl_label = "Add Contours"

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        if bpy.app.background:
            return self.execute(context)
        return context.window_manager.invoke_props_dialog(
            self, width=WIDTH, confirm_text="Add Contours"
        )

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        item = self.subject_object(context)
        lines, _ = self.found(context)
        parent = own_collections(context, item.users_collection)[0]
        contour_curves.add(item, lines, parent)
        levels = sorted({line.level for line in lines})
        self.report({"INFO"}, f"{len(lines)} contours, {levels[0]:g} to {levels[-1]:g} m")
        return {"FINISHED"}


@registered
class TERRAIN_OT_export_contours(_Drawing, ExportHelper):
    """Write the contours of the terrain as a drawing with labels, or as GeoJSON for maps"""

    bl_idname = "terrain.export_contours"
    bl_label = "Export Contours"
    bl_options = set()  # a file is no undo step

    filename_ext: str = SVG
    filter_glob: StringProperty(
        description="Files shown", default="*.svg;*.geojson", options={"HIDDEN"}
    )
    file_format: EnumProperty(
        name="Format",
        description="What is written",
        items=[
            (SVG, "SVG", "A drawing with labels along the lines"),
            (GEOJSON, "GeoJSON", "Longitudes and latitudes where the terrain has a place"),
        ],
    )

    def check(self, context: bpy.types.Context) -> bool:
        """Let the name end as the format does."""
        self.filename_ext = self.file_format
        path = Path(self.filepath)
        if path.suffix in (SVG, GEOJSON):
            self.filepath = str(path.with_suffix(self.file_format))
        return super().check(context)

    def draw(self, context: bpy.types.Context) -> None:
        cast(Any, self.layout).prop(self, "file_format")
        super().draw(context)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        path = Path(bpy.path.abspath(self.filepath))
        if path.suffix.lower() not in (SVG, GEOJSON):
            path = path.with_name(path.name + self.file_format)
        lines, points = self.found(context)
        if path.suffix.lower() == SVG:
            text = svg(lines, *points.grid.size)
        else:
            recipe = read(self.subject(context)[1])
            base = Path(os.path.dirname(bpy.data.filepath))
            text = geojson(lines, exports.georeference_of(recipe, base))
        with replaced(path) as new:
            new.write_text(text, encoding="utf-8")
        self.report({"INFO"}, f"Wrote {len(lines)} contours to {path.name}")
        return {"FINISHED"}


for _cls in (TERRAIN_OT_contours, TERRAIN_OT_export_contours):
    for _one in settings_of(ContourSettings):
        _cls.__annotations__[_one.name] = blender_property(_one, None)
