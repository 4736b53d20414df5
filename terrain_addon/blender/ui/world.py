# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel World: tiles of a terrain that is too large for one mesh."""

from typing import Any

import bpy

from ...core import worlds
from ..app import manual
from ..app.registration import registered
from ..data.terrains import active_mesh
from ..worlds import scene, status
from ..worlds.loading import world_load
from ..worlds.running import world_run
from ..worlds.settings import CAMERA, CURSOR, NUMBERS, settings_of
from . import draw
from .help import Helped
from .widths import notice


@registered
class TERRAIN_PT_world(Helped, bpy.types.Panel):
    """Shown without a terrain, too: a world is one"""

    bl_idname = "TERRAIN_PT_world"
    page = manual.WORLDS
    bl_label = "World"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Terrain"
    bl_parent_id = "TERRAIN_PT_output"
    bl_order = 4
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.use_property_decorate = False
        settings = settings_of(context.scene)
        row = layout.row(align=True)
        row.prop(settings, "folder", text="")
        column = layout.column()
        _bar(column, status.absolute(settings.folder))
        if not settings.folder:
            column.operator("terrain.world_open", text="Open World...", icon="FILE_FOLDER")
            return
        folder = status.absolute(settings.folder)
        known = status.of(folder)
        if known.world is None:
            if not world_run.is_planning():
                notice(column, known.error, "ERROR")
            return
        status.watch(known)
        _about(column, known.world, known)
        _open(column, settings, known)
        collection = scene.find(context.scene, folder)
        if collection is not None:
            _load(column.column(), settings, collection)


@registered
class TERRAIN_PT_world_export(Helped, bpy.types.Panel):
    bl_idname = "TERRAIN_PT_world_export"
    page = manual.WORLDS
    bl_label = "Export Tiles"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Terrain"
    bl_parent_id = "TERRAIN_PT_world"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_mesh(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        settings, mesh = settings_of(context.scene), active_mesh(context)
        column = layout.column()
        for name in ("target", "spacing", "side", "workers"):
            _named(column, settings, name)
        terrain: Any = mesh and mesh.terrain  # type: ignore[attr-defined]
        if terrain:
            draw.field(column, "").label(text=_size_of(terrain, settings))
        column.operator("terrain.world_export", icon="EXPORT")


def _bar(layout: Any, folder: str) -> None:
    """Draw the progress with a button to cancel, or how it ended."""
    for task in (world_load, world_run):
        text, failed = task.message() if task.folder == folder else ("", False)
        if progress := task.progress():
            row = layout.row(align=True)
            row.progress(factor=progress[0], text=progress[1])
            row.operator("terrain.world_cancel", text="", icon="CANCEL")
        elif text:
            notice(layout, text, "ERROR" if failed else "INFO")


def _named(layout: Any, settings: Any, name: str) -> None:
    """Draw a setting with its label beside it, as panels of terrains do."""
    prop = settings.bl_rna.properties[name]
    is_switch = prop.type == "BOOLEAN"
    row = draw.field(layout, "" if is_switch else prop.name)
    row.prop(settings, name, text=prop.name if is_switch else "")


def _about(layout: Any, world: worlds.World, known: status.WorldStatus) -> None:
    """Draw size, spacing and tiles of a world."""
    recipe, grid = world.recipe, world.grid
    column = layout.column(align=True)
    column.scale_y = 0.9
    for label, text in (
        ("Size", f"{recipe.size_x / 1000:.4g} x {recipe.size_y / 1000:.4g} km"),
        ("Spacing", f"{grid.dx:.4g} m"),
        ("Tiles", f"{world.columns} x {world.rows} of {world.side} x {world.side}"),
        ("Made", f"{known.made} of {known.total}"),
        ("Heights", "{:.0f} to {:.0f} m".format(*world.manifest.range)),
        ("Engine", f"Version {world.manifest.made_by.get('engine', '?')}"),
    ):
        draw.field(column, label).label(text=text)
    for text in known.warnings:
        notice(layout, text, "ERROR")


def _open(layout: Any, settings: Any, known: status.WorldStatus) -> None:
    row = layout.row(align=True)
    opened: Any = row.operator("terrain.world_open", text="Open Overview", icon="WORLD")
    opened.directory = settings.folder
    run: Any = row.row(align=True)
    run.enabled = not known.is_complete
    run.operator("terrain.world_run", text="Make Tiles", icon="PLAY")


def _load(layout: Any, settings: Any, collection: bpy.types.Collection) -> None:
    """Draw which tiles to load, and how."""
    layout.separator()
    _named(layout, settings, "choose")
    if settings.choose in (CURSOR, CAMERA):
        _named(layout, settings, "radius")
    if settings.choose == NUMBERS:
        _named(layout, settings, "first")
        _named(layout, settings, "last")
    _named(layout, settings, "detail")
    if settings.choose in (CURSOR, CAMERA):
        _named(layout, settings, "coarser")
    row = layout.row(align=True)
    row.operator("terrain.world_load", icon="IMPORT")
    row.operator("terrain.world_unload", text="Unload")
    if count := len(scene.tiles_of(collection)):
        row = layout.row(align=True)
        row.label(text=f"{count} tile{'s' * (count > 1)} loaded")
        row.operator("terrain.world_unload", text="Unload All").all = True


def _size_of(terrain: Any, settings: Any) -> str:
    """Return the tiles that would be made, and their bytes."""
    counts = [
        max(-(-size // (settings.spacing * (settings.side - 1))), 1)
        for size in (terrain.size_x, terrain.size_y)
    ]
    size = counts[0] * counts[1] * settings.side**2 * 4
    return f"{counts[0]:.0f} x {counts[1]:.0f} tiles, {size / 1e9:.2g} GB"
