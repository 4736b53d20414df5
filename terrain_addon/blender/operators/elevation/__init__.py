# SPDX-License-Identifier: GPL-3.0-or-later
"""Add > Mesh > Terrain > From Elevation File."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import bpy
from bpy_extras.io_utils import poll_file_object_drop
from mathutils import Vector

from ....core import Recipe, formats
from ....core.elevation import Elevation
from ....core.numerics import user_message
from ....core.output import shaded_relief
from ....core.output.exports import georeference_of
from ....core.real_terrain import Source
from ...app.preferences import prepares_view
from ...app.registration import registered
from ...data import elevation_files, previews, scene_place
from ...data.terrains import own_collections
from ..add import ADDED, activate, make_terrain, show_all
from ..base import Result, reporting
from .options import ElevationOptions, is_picture, is_raw

KEY = "elevation"
"""Of the picture."""
LARGE = 300 << 20
"""Bytes of files that a file browser does not read before they are opened."""
DIALOG = 380
"""Pixels of the width of the dialog."""


@registered
class TERRAIN_OT_add_elevation(bpy.types.Operator, ElevationOptions):
    """Add a terrain of true size and height from elevation files: GeoTIFF, SRTM, ESRI grids, RAW"""

    bl_idname = "terrain.add_elevation"
    bl_label = "Add Real Terrain"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if context.mode != "OBJECT":
            cls.poll_message_set("Return to Object Mode to add a terrain")
            return False
        return True

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        if self.is_dropped:
            manager = cast(Any, context.window_manager)
            return manager.invoke_props_dialog(self, width=DIALOG, confirm_text="Add Terrain")
        return super().invoke(context, event)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        source, model = self.opened(self.chosen())
        recipe = self.recipe(source, model)
        collection = own_collections(context, [context.collection])[0]
        name = Path(source.paths[0]).stem + source.more
        item = make_terrain(name, recipe, self.points(recipe), collection)
        units = scene_place.units_of_meter(context.scene)
        self._place(context.scene, item, recipe)
        activate(context, item)
        if prepares_view(context):
            low, high = (item.bound_box[corner][2] for corner in (0, 1))
            middle = item.location + Vector((0, 0, (low + high) / 2 * units))
            show_all(context, max(recipe.size_x, recipe.size_y) * units, middle)
        scaled = "" if units == 1 else f". Scaled by {units:g} to the unit scale of the scene"
        self.report({"INFO"}, ADDED + scaled)
        return {"FINISHED"}

    def _place(self, scene: bpy.types.Scene, item: bpy.types.Object, recipe: Recipe) -> None:
        """Move the terrain to its coordinates, or to the 3D cursor where they are not known."""
        units = scene_place.units_of_meter(scene)
        item.location, item.scale = scene.cursor.location, (units, units, units)
        place = georeference_of(recipe, read=lambda one, _: elevation_files.model_of(one))
        if place is None:
            return
        try:
            said = scene_place.place(scene, item, place, (recipe.size_x, recipe.size_y))
        except ValueError as error:
            self.report({"WARNING"}, f"The terrain is at the 3D cursor, not at its place: {error}")
        else:
            if said:
                self.report({"INFO"}, f"{item.name}: {said}")

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        paths = list(_selected(context)) or self.chosen()
        if not paths:
            layout.label(text="Choose one or several files", icon="INFO")
            return
        size = sum(path.stat().st_size for path in paths if path.is_file())
        if _in_browser(context) and size > LARGE:
            layout.label(text=f"{size >> 20} MB: not read before it is opened", icon="INFO")
            self._draw_options(layout, paths, None)
            return
        try:
            source, model = self.opened(paths)
        except (ValueError, OSError, MemoryError) as error:
            _lines(layout, user_message(error), "ERROR")
            self._draw_options(layout, paths, None)
            return
        _picture(layout, source, model)
        column = layout.column(align=True)
        column.scale_y = 0.8
        for name, text in elevation_files.facts_of(source).items():
            row = column.split(factor=0.33)
            row.label(text=name)
            row.label(text=text)
        for note in model.notes:
            _lines(layout, note, "DOT")
        self._draw_options(layout, paths, model)
        try:
            self.recipe(source, model)
        except ValueError as error:
            _lines(layout, user_message(error), "ERROR")

    def _draw_options(self, layout: Any, paths: list[Path], model: Elevation | None) -> None:
        """Draw the settings that matter for such files."""
        column = layout.column()
        column.prop(self, "resolution")
        column.prop(self, "every")
        if model is None or model.voids.any():
            column.prop(self, "fill")
        column.prop(self, "use_part")
        if self.use_part:
            column.prop(self, "part_size")
            column.prop(self, "part_middle")
        if model is None or model.georeference is not None:
            column.prop(self, "system")
        if model is None or model.georeference is None:
            column.prop(self, "spacing")
        column.prop(self, "height_unit")
        column.prop(self, "coordinate_unit")
        if any(map(is_picture, paths)):
            column.prop(self, "encoding")
        raw = any(is_raw(path) for path in paths)
        if raw or model is None or self.is_plain(paths):
            column.prop(self, "low")
            column.prop(self, "high")
        if raw:
            for name in ("columns", "rows", "bits", "order", "type", "north"):
                column.prop(self, name)


@registered
class TERRAIN_FH_elevation(bpy.types.FileHandler):
    """Elevation files that are dropped into the viewport"""

    bl_idname = "TERRAIN_FH_elevation"
    bl_label = "Terrain from Elevation File"
    bl_import_operator = "terrain.add_elevation"
    bl_file_extensions = ";".join(formats.readable())

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        return poll_file_object_drop(context)


def _in_browser(context: bpy.types.Context) -> bool:
    return isinstance(context.space_data, bpy.types.SpaceFileBrowser)


def _selected(context: bpy.types.Context) -> Iterator[Path]:
    """Return the files that are selected in a file browser."""
    if not _in_browser(context):
        return
    space: Any = context.space_data
    folder = Path(space.params.directory.decode(errors="surrogateescape"))
    for one in getattr(context, "selected_files", None) or ():
        path = folder / one.name
        if path.suffix.lower() in formats.readable():
            yield path


def _picture(layout: Any, source: Source, model: Elevation) -> None:
    """Draw a small hillshade."""
    state = (str(source), model.height.shape, id(model))
    if not previews.is_current(KEY, state):
        picture = shaded_relief(model.height, model.spacing or (1.0, 1.0))
        previews.show(KEY, picture, state)
    layout.template_icon(previews.icon(KEY), scale=8.0)


def _lines(layout: Any, text: str, icon: Any) -> None:
    """Draw a message in lines that fit the dialog and the side bar of a file browser."""
    column = layout.column(align=True)
    column.scale_y = 0.8
    line = ""
    for word in text.split():
        if line and len(line) + len(word) > 32:
            column.label(text=line, icon=icon)
            line, icon = "", "BLANK1"
        line = f"{line} {word}".strip()
    column.label(text=line, icon=icon)
