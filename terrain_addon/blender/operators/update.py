# SPDX-License-Identifier: GPL-3.0-or-later
"""Rebuild now, stop rebuilding, another seed."""

import random

import bpy

from .. import bake_jobs, live
from .base import OnTerrain, Result, reporting

SEEDS = 100000


class TERRAIN_OT_rebuild(OnTerrain):
    """Make the terrain from its settings again, whatever was done to the mesh by hand"""

    bl_idname = "terrain.rebuild"
    bl_label = "Update Terrain"

    patience: float | None = None
    """A script waits for the terrain, a button does not."""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        self.patience = live.LONG_PATIENCE
        return self.execute(context)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        live.rebuild(self.subject(context)[0], self.patience, fresh=True)
        return {"FINISHED"}


class TERRAIN_OT_cancel(bpy.types.Operator):
    """Stop what is being made; a coarse preview stays until the next change or Update"""

    bl_idname = "terrain.cancel"
    bl_label = "Cancel"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        busy = live.is_busy() or bake_jobs.is_busy()
        if not busy:
            cls.poll_message_set("No terrain and no image is being made")
        return busy

    def execute(self, context: bpy.types.Context) -> Result:
        live.cancel()
        bake_jobs.cancel()
        return {"FINISHED"}


class TERRAIN_OT_random_seed(OnTerrain):
    """Take another seed: another land of the same kind"""

    bl_idname = "terrain.random_seed"
    bl_label = "Random Seed"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        with live.one_rebuild(mesh):
            terrain.seed = random.randrange(1, SEEDS)
        return {"FINISHED"}


register, unregister = bpy.utils.register_classes_factory(
    (TERRAIN_OT_rebuild, TERRAIN_OT_cancel, TERRAIN_OT_random_seed)
)
