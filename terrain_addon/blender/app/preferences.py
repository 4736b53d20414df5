# SPDX-License-Identifier: GPL-3.0-or-later
"""The id of the extension, its preferences and its user folder."""

from pathlib import Path
from typing import Any

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

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.prop(self, "prepare_view")


def prepares_view(context: bpy.types.Context) -> bool:
    """Whether adding a terrain may change the display of the viewport."""
    addon = context.preferences.addons.get(ADDON)
    preferences: Any = addon.preferences if addon else None
    return preferences.prepare_view if preferences else True


def presets_folder() -> Path:
    """The folder of the user's own presets; it may not exist yet."""
    try:
        return Path(bpy.utils.extension_path_user(ADDON, path="presets"))
    except ValueError:  # run from the sources, not installed
        return Path(bpy.utils.user_resource("DATAFILES", path="orogen/presets"))


register, unregister = bpy.utils.register_classes_factory((TerrainPreferences,))
