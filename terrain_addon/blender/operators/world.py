# SPDX-License-Identifier: GPL-3.0-or-later
"""Open worlds, load their tiles, and export a terrain as a world."""

from typing import Any

import bpy
from bpy.props import BoolProperty, StringProperty

from ...core.worlds import World
from ..app.preferences import computes_in_background, prepares_view
from ..app.registration import registered
from ..data import elevation_files
from ..properties.recipe import read
from ..worlds import choosing, loading, scene, status
from ..worlds.loading import world_load
from ..worlds.running import world_run
from ..worlds.settings import settings_of
from .add import show_all
from .base import OnTerrain, Result, reporting


class _OnWorld(bpy.types.Operator):
    """Base of operators on the world of the scene."""

    bl_options = {"REGISTER", "UNDO"}

    in_background = False
    """Whether to load in the background: for buttons, not for scripts."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not settings_of(context.scene).folder:
            cls.poll_message_set("Open a world first")
            return False
        if world_load.progress():
            cls.poll_message_set("A world is being loaded")
            return False
        return True

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        self.in_background = computes_in_background(context)
        return self.execute(context)

    @property
    def loader(self) -> Any:
        """What loads an overview or tiles: in the background, or while Blender waits."""
        return world_load if self.in_background else loading

    @staticmethod
    def folder(context: bpy.types.Context) -> str:
        """Return the full path of the world's folder."""
        return status.absolute(settings_of(context.scene).folder)


@registered
class TERRAIN_OT_world_open(_OnWorld):
    """Show the whole world in a folder as one coarse terrain"""

    bl_idname = "terrain.world_open"
    bl_label = "Open World"

    directory: StringProperty(
        name="Folder", description="Folder of the world", subtype="DIR_PATH", options={"SKIP_SAVE"}
    )
    filter_folder: BoolProperty(
        name="Filter Folders", description="Show folders", default=True, options={"HIDDEN"}
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if context.mode != "OBJECT":
            cls.poll_message_set("Return to Object Mode to open a world")
            return False
        return not world_load.progress()

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        if not self.directory:
            context.window_manager.fileselect_add(self)
            return {"RUNNING_MODAL"}
        self.in_background = computes_in_background(context)
        return self.execute(context)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        settings = settings_of(context.scene)
        folder = status.absolute(self.directory or settings.folder)
        world = status.load(folder)
        self.loader.open_overview(context.scene, folder, world)
        if prepares_view(context):
            _prepare(context, world)
        if self.directory:
            settings.folder = self.directory
        settings.last = world.columns - 1, world.rows - 1
        status.of(folder, now=True)
        return {"FINISHED"}


@registered
class TERRAIN_OT_world_load(_OnWorld):
    """Show the chosen tiles as meshes, in place of the overview"""

    bl_idname = "terrain.world_load"
    bl_label = "Load Tiles"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        folder = self.folder(context)
        world = status.load(folder)
        steps = choosing.chosen(context, world, folder, settings_of(context.scene))
        self.loader.load_tiles(context.scene, folder, world, steps)
        if not self.in_background:
            self.report({"INFO"}, f"{len(steps)} tiles loaded")
        return {"FINISHED"}


@registered
class TERRAIN_OT_world_unload(_OnWorld):
    """Remove tiles from the scene. Their files stay"""

    bl_idname = "terrain.world_unload"
    bl_label = "Unload Tiles"

    all: BoolProperty(
        name="All", description="Remove all tiles, not only the chosen ones", options={"SKIP_SAVE"}
    )

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        folder = self.folder(context)
        collection = scene.find(context.scene, folder)
        tiles = scene.tiles_of(collection) if collection else {}
        if not self.all:
            world = status.load(folder)
            chosen = choosing.chosen(context, world, folder, settings_of(context.scene))
            tiles = {tile: item for tile, item in tiles.items() if tile in chosen}
        if not tiles:
            raise ValueError("None of these tiles is loaded")
        loading.unload_tiles(context.scene, folder, tiles)
        self.report({"INFO"}, f"{len(tiles)} tiles unloaded")
        return {"FINISHED"}


@registered
class TERRAIN_OT_world_export(OnTerrain):
    """Make tiles of the terrain in a new folder, while you continue to work"""

    bl_idname = "terrain.world_export"
    bl_label = "Export Tiles"
    bl_options = {"REGISTER"}

    reads_only = True

    directory: StringProperty(
        name="Folder",
        description="New or empty folder for the tiles",
        subtype="DIR_PATH",
        options={"SKIP_SAVE"},
    )
    filter_folder: BoolProperty(
        name="Filter Folders", description="Show folders", default=True, options={"HIDDEN"}
    )
    wait = True
    """Whether to wait for the tiles: scripts do."""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        self.wait = not computes_in_background(context)
        if not (self.directory or settings_of(context.scene).target):
            context.window_manager.fileselect_add(self)
            return {"RUNNING_MODAL"}
        return self.execute(context)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        settings = settings_of(context.scene)
        folder = status.absolute(self.directory or settings.target)
        mesh, terrain = self.subject(context)
        base = elevation_files.folder(mesh)
        world_run.plan(
            read(terrain), folder, settings.spacing, settings.side, settings.workers, base
        )
        settings.folder = folder
        return _waited(self) if self.wait else {"FINISHED"}


@registered
class TERRAIN_OT_world_run(_OnWorld):
    """Make the tiles that are missing, while you continue to work"""

    bl_idname = "terrain.world_run"
    bl_label = "Make Missing Tiles"
    bl_options = {"REGISTER"}

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        world_run.run(self.folder(context), settings_of(context.scene).workers)
        return {"FINISHED"} if self.in_background else _waited(self)


@registered
class TERRAIN_OT_world_cancel(bpy.types.Operator):
    """Stop loading and making tiles. Finished tiles stay, and you can continue later"""

    bl_idname = "terrain.world_cancel"
    bl_label = "Cancel"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not (world_load.progress() or world_run.is_busy()):
            cls.poll_message_set("No world is being loaded or made")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> Result:
        world_load.cancel()
        world_run.cancel()
        return {"FINISHED"}


def _prepare(context: bpy.types.Context, world: World) -> None:
    """Show colors and the whole world, without the outlines that would look like seams."""
    show_all(context, max(world.recipe.size_x, world.recipe.size_y), (0, 0, 0))
    space = context.space_data
    if isinstance(space, bpy.types.SpaceView3D):
        space.shading.show_object_outline = False


def _waited(operator: Any) -> Result:
    """Wait for the tiles, and report how that ended."""
    world_run.finish()
    text, failed = world_run.message()
    if failed:
        raise ValueError(text)
    operator.report({"INFO"}, text)
    return {"FINISHED"}
