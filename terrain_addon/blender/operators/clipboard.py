# SPDX-License-Identifier: GPL-3.0-or-later
"""Copy and paste layers as text on the clipboard, and copy noise layers as code for engines."""

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ...core import Layer
from ...core.output import engine_code
from ...core.recipe import layers_from_json, layers_to_json
from ..app.registration import registered
from ..data import keyframes
from ..data.terrains import active_layer
from ..live import rebuild
from ..properties.declare import enum_items
from ..properties.recipe import read_bare
from .base import OnTerrain, Result, reporting
from .layers import OnLayer, check_room, insert_layers, read_block


@registered
class TERRAIN_OT_layer_copy(OnLayer):
    """Copy the active layer with its masks to the clipboard, as text"""

    bl_idname = "terrain.layer_copy"
    bl_label = "Copy Layer"
    bl_options = {"REGISTER"}

    reads_only = True

    all: BoolProperty(
        name="All Layers", description="Copy all layers of the terrain", options={"SKIP_SAVE"}
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        return "Copy all layers of the terrain to the clipboard" if properties.all else ""

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        terrain = self.subject(context)[1]
        copied = read_bare(terrain).layers if self.all else read_block(terrain)
        copy_text(context, layers_to_json(copied))
        what = f"{len(copied)} layers" if self.all else f"the layer {copied[-1].name!r}"
        self.report({"INFO"}, f"Copied {what}")
        return {"FINISHED"}


@registered
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


@registered
class TERRAIN_OT_layer_paste(OnTerrain):
    """Add the layers on the clipboard after the active one. A recipe in JSON has layers, too"""

    bl_idname = "terrain.layer_paste"
    bl_label = "Paste Layers"

    replace: BoolProperty(
        name="Replace", description="Replace all layers of the terrain", options={"SKIP_SAVE"}
    )
    text: StringProperty(
        name="Text",
        description="The layers as JSON. Empty: the text on the clipboard",
        options={"HIDDEN", "SKIP_SAVE"},
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        return "Replace all layers with those on the clipboard" if properties.replace else ""

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        self.text = self.text or context.window_manager.clipboard  # the same when repeated
        layers = _layers_in(self.text)
        if not self.replace:
            check_room(terrain, len(layers))
        with rebuild.one_rebuild(mesh):
            if self.replace:
                keyframes.renumber(mesh, keyframes.LAYERS, {})
                terrain.layers.clear()
            insert_layers(terrain, layers)
        self.report({"INFO"}, f"Pasted {', '.join(repr(layer.name) for layer in layers)}")
        return {"FINISHED"}


def copy_text(context: bpy.types.Context, text: str) -> None:
    """Put text on the clipboard; ValueError in background mode, which has none."""
    if bpy.app.background:
        raise ValueError("There is no clipboard in background mode: export the recipe instead")
    context.window_manager.clipboard = text


def _layers_in(text: str) -> tuple[Layer, ...]:
    if not text.strip():
        raise ValueError("There is nothing on the clipboard: copy a layer first")
    try:
        return layers_from_json(text)
    except ValueError as error:
        raise ValueError(f"The clipboard has no layers. {error}") from None
