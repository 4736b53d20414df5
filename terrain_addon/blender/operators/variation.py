# SPDX-License-Identifier: GPL-3.0-or-later
"""Reset and randomize the settings of the active layer."""

import random
from typing import Any

import bpy
from bpy.props import FloatProperty, IntProperty

from ...core.layers import LayerKind
from ...core.recipe import varied, varied_settings
from ..data.terrains import active_layer
from ..live import rebuild
from ..properties.recipe import read_layer, write_settings
from .base import Result, reporting
from .layers import OnLayer, usual_layer

SEEDS = 100_000


class TERRAIN_OT_layer_reset(OnLayer):
    """Give the active layer the settings of a new one. Its name and masks stay"""

    bl_idname = "terrain.layer_reset"
    bl_label = "Reset Layer"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        item = active_layer(terrain)
        usual = usual_layer(mesh, type(read_layer(item).settings))
        with rebuild.one_rebuild(mesh):
            item.blend, item.opacity = usual.blend, usual.opacity
            write_settings(getattr(item, item.kind), usual.settings)
        return {"FINISHED"}


class TERRAIN_OT_layer_randomize(OnLayer):
    """Vary the settings of the active layer around their values, except those that are locked"""

    bl_idname = "terrain.layer_randomize"
    bl_label = "Randomize Layer"

    seed: IntProperty(
        name="Seed",
        description="Number that selects a variation",
        default=1,
        min=1,
        options={"SKIP_SAVE"},
    )
    strength: FloatProperty(
        name="Strength",
        description="How far the settings vary: at 1, from half to double their values",
        default=0.4,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        self.seed = random.randrange(1, SEEDS)
        return self.execute(context)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        item = active_layer(terrain)
        settings = read_layer(item).settings
        made = varied(settings, self.seed, self.strength, _locked(item, settings))
        if made == settings:
            raise ValueError("All settings of this layer are locked, off or automatic")
        with rebuild.one_rebuild(mesh):
            write_settings(getattr(item, item.kind), made)
        return {"FINISHED"}


def _locked(item: Any, settings: LayerKind) -> list[str]:
    locks = getattr(item, item.kind).locks
    return [one.name for one in varied_settings(settings) if getattr(locks, one.name)]
