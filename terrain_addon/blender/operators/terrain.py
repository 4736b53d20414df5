# SPDX-License-Identifier: GPL-3.0-or-later
"""Rebuild now, stop rebuilding, another seed."""

import random

import bpy
from bpy.props import FloatProperty

from ...core.recipe import rescale
from ..bake import queue
from ..data import keyframes
from ..live import rebuild
from ..objects import scenery
from ..properties.mask_view import COLORS
from ..properties.recipe import rewrite
from .base import OnTerrain, Result, reporting

SEEDS = 100000


class TERRAIN_OT_rebuild(OnTerrain):
    """Make the terrain from its settings again, whatever was done to the mesh by hand"""

    bl_idname = "terrain.rebuild"
    bl_label = "Update Terrain"

    patience: float | None = None
    """A script waits for the terrain, a button does not."""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        self.patience = rebuild.LONG_PATIENCE
        return self.execute(context)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        rebuild.update(self.subject(context)[0], self.patience, fresh=True)
        return {"FINISHED"}


class TERRAIN_OT_cancel(bpy.types.Operator):
    """Stop what is being made; a coarse preview stays until the next change or Update"""

    bl_idname = "terrain.cancel"
    bl_label = "Cancel"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        busy = rebuild.is_busy() or queue.is_busy()
        if not busy:
            cls.poll_message_set("No terrain and no image is being made")
        return busy

    def execute(self, context: bpy.types.Context) -> Result:
        rebuild.cancel()
        queue.cancel()
        return {"FINISHED"}


class TERRAIN_OT_random_seed(OnTerrain):
    """Take another seed: another land of the same kind"""

    bl_idname = "terrain.random_seed"
    bl_label = "Random Seed"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        with rebuild.one_rebuild(mesh):
            terrain.seed = random.randrange(1, SEEDS)
        return {"FINISHED"}


class TERRAIN_OT_scale(OnTerrain):
    """Make the same land larger or smaller: its extent, its forms and their heights alike"""

    bl_idname = "terrain.scale"
    bl_label = "Scale Land"

    factor: FloatProperty(
        name="Factor",
        description="What all that is measured in metres is multiplied with",
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
        if keyframes.is_animated(mesh):
            self.report({"WARNING"}, "Keys and drivers keep their values: scale them by hand")
        return {"FINISHED"}


class TERRAIN_OT_scenery(OnTerrain):
    """Give the scene a sun, a sky and a camera that sees the whole terrain"""

    bl_idname = "terrain.scenery"
    bl_label = "Add Sun, Sky and Camera"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        context.view_layer.update()
        scenery.set_up(context.scene, self.subject_object(context))
        return {"FINISHED"}


class TERRAIN_OT_make_plain(OnTerrain):
    """Keep the mesh as it is now and forget how it was made: no setting changes it any more"""

    bl_idname = "terrain.make_plain"
    bl_label = "Make Plain Mesh"

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
