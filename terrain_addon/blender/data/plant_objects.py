# SPDX-License-Identifier: GPL-3.0-or-later
"""Child objects of a terrain that are its plants: a point for each, and settings on the object."""

from typing import Any, cast

import bpy


def settings_of_plants(item: bpy.types.Object) -> Any:
    """Return the settings of an object of plants (its ``terrain_plants`` property group)."""
    return cast(Any, item).terrain_plants


def is_plants(item: bpy.types.Object) -> bool:
    """Return whether an object is the plants of a terrain."""
    return isinstance(item.data, bpy.types.Mesh) and settings_of_plants(item).is_plants


def plants_of(terrain: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the plants of a terrain object."""
    return [child for child in terrain.children if is_plants(child)]


def plants_with(uid: int) -> bpy.types.Object | None:
    """Return the plants with that ``session_uid``, None if they were removed."""
    found = (item for item in bpy.data.objects if item.session_uid == uid)
    return next(filter(is_plants, found), None)
