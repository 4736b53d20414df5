# SPDX-License-Identifier: GPL-3.0-or-later
"""Copy a noise layer as code for a game engine."""

import bpy
from bpy.props import EnumProperty

from ...core.output import engine_code
from ..data.terrains import active_layer
from ..properties.declare import enum_items
from ..properties.recipe import read_bare
from .base import OnTerrain, Result, reporting


class TERRAIN_OT_layer_copy_code(OnTerrain):
    """Copy the active noise layer as code that generates the same heights in a game"""

    bl_idname = "terrain.layer_copy_code"
    bl_label = "Copy as Code"
    bl_options = {"REGISTER"}

    reads_only = True

    language: EnumProperty(
        name="Language",
        description="Programming language of the code",
        items=enum_items(
            (key, label, f"Code for FastNoiseLite in {label}", "NONE")
            for key, label in engine_code.LANGUAGES.items()
        ),
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not super().poll(context):
            return False
        layer = active_layer(cls.subject(context)[1])
        if layer is None or layer.kind != "fractal_noise":
            cls.poll_message_set("Choose a Fractal Noise layer")
            return False
        return True

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        terrain = self.subject(context)[1]
        recipe = read_bare(terrain)
        layer = recipe.layers[terrain.active_layer]
        missing = engine_code.left_out(recipe, layer)
        code = engine_code.generate(
            layer.settings, self.language, seed=recipe.seed, missing=missing
        )
        context.window_manager.clipboard = code
        self.report(
            {"INFO"}, f"Copied {engine_code.LANGUAGES[self.language]} code of {layer.name!r}"
        )
        return {"FINISHED"}
