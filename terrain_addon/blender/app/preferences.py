# SPDX-License-Identifier: GPL-3.0-or-later
"""The id of the extension, its preferences and its user folder."""

from pathlib import Path

import bpy
from bpy.props import BoolProperty

_PATH = (__package__ or "").split(".")
ADDON = ".".join(_PATH[: 3 if _PATH[0] == "bl_ext" else 1])
"""Name of the add-on: ``bl_ext.<repository>.<id>``, or its folder where it is no extension."""


class TerrainPreferences(bpy.types.AddonPreferences):
    bl_idname = ADDON

    prepare_view: BoolProperty(
        name="Prepare the Viewport",
        description="When a terrain is added, show its colors in Solid view "
        "and zoom out until all of it is visible",
        default=True,
    )

    in_background: BoolProperty(
        name="Compute in Background",
        description="Compute expensive terrain and baked images while you continue to work. "
        "If disabled, Blender waits for every rebuild and bake",
        default=True,
    )

    lighter_drags: BoolProperty(
        name="Lighter Mesh While Dragging",
        description="Show large terrains with fewer points while you drag a setting. "
        "All points are back when you release the mouse. Renders and files always have all",
        default=True,
    )

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.prop(self, "prepare_view")
        self.layout.prop(self, "in_background")
        self.layout.prop(self, "lighter_drags")
        self.layout.operator("terrain.copy_report", icon="URL")


def prepares_view(context: bpy.types.Context) -> bool:
    """Return whether adding a terrain may change the display of the viewport."""
    return _preference(context, "prepare_view")


def computes_in_background(context: bpy.types.Context) -> bool:
    """Return whether expensive rebuilds and bakes go to the worker; never without a window."""
    return not bpy.app.background and _preference(context, "in_background")


def lightens_drags(context: bpy.types.Context) -> bool:
    """Return whether large terrains are shown with fewer points while a setting is dragged."""
    return _preference(context, "lighter_drags")


def _preference(context: bpy.types.Context, name: str) -> bool:
    addon = context.preferences.addons.get(ADDON)
    return getattr(addon.preferences, name) if addon and addon.preferences else True


def presets_folder() -> Path:
    """Return the folder of the user's own presets, which may not exist yet."""
    return _user_folder("presets")


def biomes_folder() -> Path:
    """Return the folder of the user's own biomes, which may not exist yet."""
    return _user_folder("biomes")


def _user_folder(name: str) -> Path:
    try:
        return Path(bpy.utils.extension_path_user(ADDON, path=name))
    except ValueError:  # run from the sources, not installed
        return Path(bpy.utils.user_resource("DATAFILES", path=f"orogen/{name}"))


register, unregister = bpy.utils.register_classes_factory((TerrainPreferences,))
