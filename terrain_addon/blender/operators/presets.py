# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets: load one into a terrain, save and remove the user's own."""

import dataclasses
from typing import Any

import bpy
from bpy.props import EnumProperty, StringProperty

from ..data import keyframes
from ..live import rebuild
from ..properties import user_presets
from ..properties.choices import own_preset_items, preset_items
from ..properties.recipe import read_bare, write
from .base import OnTerrain, Result, reporting


class TERRAIN_OT_preset_load(OnTerrain):
    """Replace the recipe of the terrain with a preset"""

    bl_idname = "terrain.preset_load"
    bl_label = "Load Preset"

    preset: EnumProperty(name="Preset", description="The preset to load", items=preset_items)

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        return user_presets.tooltip(properties.preset, cls.__doc__ or "")

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        recipe = user_presets.load(self.preset)
        with rebuild.one_rebuild(mesh):
            for items in (keyframes.LAYERS, keyframes.REGIONS):
                keyframes.renumber(mesh, items, {})  # keyframes of the old layers and colors
            terrain.active_layer = 0
            write(terrain, recipe)
        return {"FINISHED"}


class TERRAIN_OT_preset_save(OnTerrain):
    """Save the recipe of the terrain as a preset of your own"""

    bl_idname = "terrain.preset_save"
    bl_label = "Save Preset"
    bl_options = {"REGISTER"}

    reads_only = True

    name: StringProperty(
        name="Name", description="Name of the preset. It replaces your preset of the same name"
    )
    about: StringProperty(
        name="About", description="Description in one sentence, the tooltip of the preset"
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        name = self.subject_object(context).name
        self.name = f"My {name}" if user_presets.is_built_in(name) else name
        self.about = user_presets.about(self.name) if self.name in user_presets.users_own() else ""
        return context.window_manager.invoke_props_dialog(self)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        recipe = read_bare(self.subject(context)[1])
        user_presets.save(self.name, dataclasses.replace(recipe, about=self.about.strip()))
        self.report({"INFO"}, f"Saved the preset {self.name.strip()!r}")
        return {"FINISHED"}


class TERRAIN_OT_preset_remove(bpy.types.Operator):
    """Delete one of your own presets"""

    bl_idname = "terrain.preset_remove"
    bl_label = "Remove Preset"
    bl_options = {"REGISTER"}

    preset: EnumProperty(name="Preset", description="The preset to delete", items=own_preset_items)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not user_presets.users_own():
            cls.poll_message_set("You have not saved any presets")
            return False
        return True

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        if not self.properties.is_property_set("preset"):
            self.preset = user_presets.users_own()[0]
        return context.window_manager.invoke_props_dialog(self, confirm_text="Remove")

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        name = self.preset  # removing it resets the property
        user_presets.remove(name)
        self.report({"INFO"}, f"Removed the preset {name!r}")
        return {"FINISHED"}
