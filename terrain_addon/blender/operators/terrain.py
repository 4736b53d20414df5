# SPDX-License-Identifier: GPL-3.0-or-later
"""Rebuild, cancel, scale and convert terrains, and set up a scene."""

import random

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty

from ...core.recipe import rescale
from ..app.registration import registered
from ..bake.exporting import exporter
from ..bake.queue import bakes
from ..data import keyframes
from ..live import rebuild
from ..materials.sky import DAYLIGHT
from ..mesh.terrain_mesh import HEIGHT, range_of, range_of_points
from ..objects import drawn_objects
from ..objects.scenery import EDGES, FRAMINGS, SceneryChoices, set_up
from ..properties.declare import enum_items
from ..properties.mask_view import COLORS
from ..properties.recipe import read_layer, rewrite
from ..worlds.loading import world_load
from ..worlds.running import world_run
from .base import OnTerrain, Result, reporting

SEEDS = 100000


@registered
class TERRAIN_OT_rebuild(OnTerrain):
    """Rebuild the terrain from its settings and discard manual edits of the mesh"""

    bl_idname = "terrain.rebuild"
    bl_label = "Rebuild Terrain"

    patience: float | None = None
    """Seconds to wait; a script waits for the terrain, a button does not."""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        self.patience = rebuild.LONG_PATIENCE
        return self.execute(context)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        rebuild.update(self.subject(context)[0], self.patience, fresh=True)
        return {"FINISHED"}


@registered
class TERRAIN_OT_cancel(bpy.types.Operator):
    """Cancel rebuilds, bakes, exports and loading; a coarse preview stays until the next change"""

    bl_idname = "terrain.cancel"
    bl_label = "Cancel"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        worlds = world_load.progress() is not None or world_run.is_planning()
        busy = rebuild.is_busy() or bakes.is_busy() or exporter.is_busy() or worlds
        if not busy:
            cls.poll_message_set("Nothing is being computed")
        return busy

    def execute(self, context: bpy.types.Context) -> Result:
        rebuild.cancel()
        bakes.cancel()
        exporter.cancel()
        world_load.cancel()
        if world_run.is_planning():
            world_run.cancel()
        return {"FINISHED"}


@registered
class TERRAIN_OT_random_seed(OnTerrain):
    """Choose a random seed for another terrain of the same kind"""

    bl_idname = "terrain.random_seed"
    bl_label = "Random Seed"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        with rebuild.one_rebuild(mesh):
            terrain.seed = random.randrange(1, SEEDS)
        return {"FINISHED"}


@registered
class TERRAIN_OT_scale(OnTerrain):
    """Scale the terrain as a whole: its size, its features, their heights and its curves"""

    bl_idname = "terrain.scale"
    bl_label = "Scale Terrain"

    factor: FloatProperty(
        name="Factor",
        description="Factor applied to all lengths and heights",
        default=2.0,
        min=1e-4,
        max=1e4,
        soft_min=0.1,
        soft_max=10.0,
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        return context.window_manager.invoke_props_dialog(self)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        with rebuild.one_rebuild(mesh):
            rewrite(terrain, lambda recipe: rescale(recipe, self.factor))
            layers = map(read_layer, terrain.layers)
            names = {name for layer in layers for name in layer.shape_names}
            others = drawn_objects.scale(mesh, names, self.factor)
        if others:
            listed = ", ".join(sorted(others)[:3]) + ", ..." * (len(others) > 3)
            self.report({"WARNING"}, f"Not children of the terrain: scale them by hand: {listed}")
        if keyframes.is_animated(mesh):
            self.report({"WARNING"}, "Keyframes and drivers keep their values: scale them by hand")
        return {"FINISHED"}


@registered
class TERRAIN_OT_scenery(OnTerrain):
    """Add a sun, a sky, haze and a camera that frames the terrain, and look through it"""

    bl_idname = "terrain.scenery"
    bl_label = "Add Sun, Sky and Camera"

    daylight: EnumProperty(
        name="Daylight",
        description="Height and color of the sun, and the sky",
        items=enum_items(
            tuple((key, light.label, light.description, "NONE") for key, light in DAYLIGHT.items())
        ),
    )
    edges: EnumProperty(
        name="Edges",
        description="What surrounds the terrain",
        items=enum_items(tuple((key, *texts, "NONE") for key, texts in EDGES.items())),
    )
    framing: EnumProperty(
        name="Framing",
        description="What the camera shows",
        items=enum_items(tuple((key, *texts, "NONE") for key, texts in FRAMINGS.items())),
    )
    clouds: BoolProperty(
        name="Clouds", description="Clouds in a clear sky, and their shadows on the ground"
    )
    haze: FloatProperty(
        name="Haze Distance",
        description="Distance at which haze hides 63 %, in sizes of the terrain. 0 for no haze",
        default=SceneryChoices().haze,
        min=0.0,
        soft_min=1.0,
        soft_max=50.0,
    )

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        context.view_layer.update()
        setting = SceneryChoices(self.daylight, self.edges, self.haze, self.framing, self.clouds)
        for note in set_up(context.scene, self.subject_object(context), setting):
            self.report({"INFO"}, note)
        if isinstance(space := context.space_data, bpy.types.SpaceView3D):
            space.region_3d.view_perspective = "CAMERA"
        return {"FINISHED"}


@registered
class TERRAIN_OT_copy_height(OnTerrain):
    """Copy the height in meters to the clipboard"""

    bl_idname = "terrain.copy_height"
    bl_label = "Copy Height"
    bl_options = {"REGISTER"}

    reads_only = True

    point: EnumProperty(
        name="Point",
        description="Which height to copy",
        items=enum_items(
            (
                ("low", "Lowest Point", "The lowest height", "NONE"),
                ("high", "Highest Point", "The highest height", "NONE"),
            )
        ),
    )
    source: EnumProperty(
        name="Source",
        description="What has this point",
        items=enum_items(
            (
                ("terrain", "Terrain", "The mesh", "NONE"),
                ("image", "Image", "The image that was baked last", "NONE"),
            )
        ),
    )

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh = self.subject(context)[0]
        if self.source == "image":
            ends = bakes.height_range(mesh)
        else:
            edited = rebuild.is_edited(mesh)
            ends = range_of_points(mesh) if edited else range_of(mesh, HEIGHT)
        if ends is None:
            raise ValueError("No height is known: rebuild the terrain, or bake an image first")
        number = f"{ends[self.point == 'high']:.9g}"
        context.window_manager.clipboard = number
        self.report({"INFO"}, f"Copied {number} (meters)")
        return {"FINISHED"}


@registered
class TERRAIN_OT_make_plain(OnTerrain):
    """Convert the terrain to an ordinary mesh. Its settings, keyframes and drivers are removed"""

    bl_idname = "terrain.make_plain"
    bl_label = "Convert to Mesh"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        keyframes.forget(mesh)
        if terrain.mask_view != COLORS:
            with rebuild.quiet():
                terrain.mask_view = COLORS
            rebuild.request(mesh, None)
        with rebuild.quiet():
            mesh.property_unset("terrain")
        return {"FINISHED"}
