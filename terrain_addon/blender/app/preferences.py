# SPDX-License-Identifier: GPL-3.0-or-later
"""What this extension is called here, its preferences and its user folder."""

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
        description="On adding a terrain, show its colours in Solid view "
        "and step back far enough to see all of it",
        default=True,
    )

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.prop(self, "prepare_view")


def prepares_view(context: bpy.types.Context) -> bool:
    """Whether adding a terrain may change how the viewport shows things."""
    addon = context.preferences.addons.get(ADDON)
    preferences: Any = addon.preferences if addon else None
    return preferences.prepare_view if preferences else True


def presets_folder() -> Path:
    """The folder of the user's own presets; it need not exist yet."""
    try:
        return Path(bpy.utils.extension_path_user(ADDON, path="presets"))
    except ValueError:  # not installed as an extension: run from the sources
        return Path(bpy.utils.user_resource("DATAFILES", path="procedural_terrain/presets"))


register, unregister = bpy.utils.register_classes_factory((TerrainPreferences,))
