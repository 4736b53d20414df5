# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Export: files for a game engine, and the numbers to type in there."""

from collections.abc import Iterable, Iterator
from typing import Any

import bpy

from ...core import Recipe
from ...core.numerics import user_message
from ...core.output.engines import as_text
from ...core.output.exports import ExportSettings
from ..app import manual
from ..app.registration import registered
from ..bake.export_settings import settings, target
from ..bake.exporting import exporter
from ..data.terrains import active_mesh, active_terrain, terrain_of
from ..properties.recipe import read_bare
from . import draw, widths
from .edited import height_range
from .field_choice import available_fields
from .lists import has_masks
from .panels import Panel, progress_bar
from .widths import notice

MOST_NAMES = 0.65
"""Share of the width that the names of the numbers may take."""


@registered
class TERRAIN_PT_export(Panel):
    bl_idname = "TERRAIN_PT_export"
    page = manual.EXPORT
    bl_label = "Export"
    bl_parent_id = "TERRAIN_PT_output"
    bl_order = 2
    bl_options = {"DEFAULT_CLOSED"}

    reads_only = True

    def draw(self, context: bpy.types.Context) -> None:
        terrain, layout = self.begin(context)
        group = terrain.export
        own, column = getattr(group, group.engine), layout.column()
        column.prop(group, "engine", text="")  # labels of engines are long
        draw.named(column, own, "size")
        row = draw.field(column, "Tiles")
        row.prop(group, "tiles_x", text="X")
        row.prop(group, "tiles_y", text="Y")
        column.separator()
        draw.named(column, own, "height")
        for name in ("weights", "color", "normal"):
            draw.named(column, group, name)
        column.separator()
        draw.named(column, group, "name")
        draw.named(column, group, "folder")
        try:
            _, made = _settings(context)
            notice(column, f"To {target(group.folder, made)}", "FILE_FOLDER")
        except (ValueError, OSError) as error:
            notice(column, user_message(error), "ERROR")
        column.operator("terrain.export", icon="EXPORT")
        text, failed = exporter.message(terrain.id_data)
        if progress := exporter.progress():
            progress_bar(layout, *progress)
        elif text:
            notice(layout, text, "ERROR" if failed else "CHECKMARK")


@registered
class TERRAIN_PT_export_masks(Panel):
    bl_idname = "TERRAIN_PT_export_masks"
    page = manual.EXPORT
    bl_label = "Masks"
    bl_parent_id = "TERRAIN_PT_export"
    bl_options = {"DEFAULT_CLOSED"}

    reads_only = True

    def draw(self, context: bpy.types.Context) -> None:
        terrain, layout = self.begin(context)
        column: Any = layout.column(align=True)
        column.use_property_split = False
        for name in available_fields(context):
            column.prop(terrain.export.masks, name)
        for item in terrain.layers:
            if item.enabled and item.opacity > 0 and has_masks(item):
                column.prop(item, "export_mask", text=f"Layer: {item.name}", translate=False)


@registered
class TERRAIN_PT_export_numbers(Panel):
    bl_idname = "TERRAIN_PT_export_numbers"
    page = manual.EXPORT
    bl_label = "Numbers to Enter"
    bl_parent_id = "TERRAIN_PT_export"

    reads_only = True

    def draw(self, context: bpy.types.Context) -> None:
        terrain, layout = self.begin(context)
        mesh = terrain.id_data
        ends = height_range(mesh)
        if ends is None:
            notice(layout, "The heights are not known: rebuild the terrain first", "INFO")
            return
        try:
            recipe, made = _settings(context)
            manifest, is_made = exporter.manifest(mesh, terrain.built, recipe, made, ends)
        except (ValueError, OSError) as error:
            notice(layout, user_message(error), "ERROR")
            return
        layout.operator("terrain.export_copy", text="Copy All", icon="COPYDOWN")
        column = layout.column(align=True)
        share = _share(context, manifest["import_settings"])
        for name, value in manifest["import_settings"].items():
            for number, text, label in _rows(name, value):
                row: Any = draw.field(column, label, share)
                button = row.operator("terrain.export_copy", text=text, emboss=False)
                button.field, button.number = name, number
        (nx, ny), (dx, _) = manifest["points"], manifest["spacing"]
        notice(layout, f"{nx} x {ny} samples, {dx:.4g} m apart", "MESH_GRID")
        if not is_made:
            notice(layout, "From the heights of the mesh: the export finds the exact range", "INFO")


def _share(context: bpy.types.Context, names: Iterable[str]) -> float:
    """Return the share of the width for the names of the numbers."""
    longest = max(widths.text(context, name) for name in names) + widths.PADDING / 2
    return min(longest / widths.content(context), MOST_NAMES)


def _rows(name: str, value: Any) -> Iterator[tuple[int, str, str]]:
    """Yield the rows of a value: which of its numbers to copy, from 1 on, or 0 for all, the text,
    the label. Floats are shown in as many digits as have room."""
    if isinstance(value, list) and any(isinstance(one, float) for one in value):
        for number, one in enumerate(value, start=1):
            yield number, f"{one:.9g}", name if number == 1 else ""
    else:
        yield 0, f"{value:.9g}" if isinstance(value, float) else as_text(value), name


def _settings(context: bpy.types.Context) -> tuple[Recipe, ExportSettings]:
    """Return the recipe of the active terrain without its maps, and the settings of its export.

    Raises ValueError for values that are not valid.
    """
    item, mesh = active_terrain(context), active_mesh(context)
    assert item and mesh
    terrain = terrain_of(mesh)
    recipe = read_bare(terrain)
    return recipe, settings(item, terrain, recipe)
