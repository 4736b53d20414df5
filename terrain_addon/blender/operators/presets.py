# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets: load, save, import, export and remove them; terrains as assets."""

import dataclasses
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy.props import EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ...core.output import terrain_picture
from ...core.settings import replaced
from ..app.registration import registered
from ..data import keyframes, previews
from ..data.terrains import is_borrowed
from ..live import rebuild
from ..properties import loaded_preset, user_presets
from ..properties.choices import own_preset_items, preset_items
from ..properties.recipe import read, read_bare, write
from .add import kept_in_view
from .base import OnTerrain, Result, reporting


@registered
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
        view = kept_in_view(context, mesh, self.subject_object(context))
        with view, rebuild.one_rebuild(mesh):
            for items in (keyframes.LAYERS, keyframes.REGIONS):
                keyframes.renumber(mesh, items, {})  # keyframes of the old layers and colors
            terrain.active_layer = 0
            write(terrain, recipe)
            loaded_preset.remember(terrain, self.preset)
        return {"FINISHED"}


@registered
class TERRAIN_OT_preset_save(OnTerrain):
    """Save the recipe of the terrain as a preset of your own, with a picture"""

    bl_idname = "terrain.preset_save"
    bl_label = "Save Preset"

    reads_only = True

    name: StringProperty(
        name="Name", description="Name of the preset. It replaces your preset of the same name"
    )
    about: StringProperty(
        name="About", description="Description in one sentence, the tooltip of the preset"
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        name = self.subject(context)[1].preset
        if name not in user_presets.users_own():
            name = self.subject_object(context).name
        self.name = f"My {name}" if user_presets.is_built_in(name) else name
        self.about = user_presets.about(self.name) if self.name in user_presets.users_own() else ""
        return context.window_manager.invoke_props_dialog(self)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        name, recipe = self.name.strip(), read(terrain)
        user_presets.save(name, dataclasses.replace(recipe, about=self.about.strip(), group=""))
        if not is_borrowed(mesh):
            loaded_preset.remember(terrain, name)
        self.report({"INFO"}, f"Saved the preset {name!r}")
        return {"FINISHED"}


@registered
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


@registered
class TERRAIN_OT_preset_import(bpy.types.Operator, ImportHelper):
    """Add a recipe file to your own presets"""

    bl_idname = "terrain.preset_import"
    bl_label = "Import Preset"
    bl_options = {"REGISTER"}

    filename_ext = ".json"
    filter_glob: StringProperty(description="Files shown", default="*.json", options={"HIDDEN"})

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        name = user_presets.add_file(_path_of(self))
        self.report({"INFO"}, f"Imported the preset {name!r}")
        return {"FINISHED"}


@registered
class TERRAIN_OT_preset_export(OnTerrain, ExportHelper):
    """Write the recipe of the terrain to a JSON file"""

    bl_idname = "terrain.preset_export"
    bl_label = "Export Recipe"
    bl_options = {"REGISTER"}

    reads_only = True
    filename_ext = ".json"
    filter_glob: StringProperty(description="Files shown", default="*.json", options={"HIDDEN"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        name = bpy.path.clean_name(self.subject_object(context).name)
        self.filepath = bpy.path.ensure_ext(name, ".json")
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        path = _path_of(self)
        recipe = read_bare(self.subject(context)[1])
        with replaced(path) as beside:
            beside.write_text(recipe.to_json(), encoding="utf-8")
        self.report({"INFO"}, f"Exported {path.name}")
        return {"FINISHED"}


@registered
class TERRAIN_OT_mark_asset(OnTerrain):
    """Show the terrain in the Asset Browser, with its picture and its description"""

    bl_idname = "terrain.mark_asset"
    bl_label = "Mark as Asset"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        item: Any = self.subject_object(context)
        recipe = read(self.subject(context)[1])
        picture = terrain_picture(recipe)
        item.asset_mark()
        item.asset_data.description = recipe.about
        item.asset_data.tags.new("Terrain", skip_if_exists=True)
        pixels = picture[::-1].astype(np.float32) / np.float32(255)
        previews.fill(item.preview_ensure(), pixels)
        return {"FINISHED"}


def _path_of(operator: Any) -> Path:
    """Return the file that was chosen."""
    return Path(bpy.path.abspath(operator.filepath))
