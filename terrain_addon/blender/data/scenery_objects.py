# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of sceneries: which of them belong to the extension, and what surrounds a terrain."""

from typing import Any

import bpy

from . import water_objects

_MARK = "terrain_scenery"
"""Custom property that holds the name of an object of a scenery. Copies have another name."""
_KIND = "terrain_surroundings"
"""Custom property of surroundings that holds their kind."""


def mark(item: bpy.types.Object) -> None:
    """Mark an object as part of a scenery."""
    item[_MARK] = item.name


def is_ours(item: bpy.types.Object) -> bool:
    """Return whether an object is part of a scenery. What the user copied or renamed is the
    user's."""
    return not item.library and item.get(_MARK) == item.name


def kind_of(item: bpy.types.Object) -> str:
    """Return the kind of surroundings that an object shows, "" for none."""
    return str(item.get(_KIND) or "") if isinstance(item.data, bpy.types.Mesh) else ""


def set_kind(item: bpy.types.Object, kind: str) -> None:
    """Mark an object as surroundings of a kind."""
    item[_KIND] = kind


def surroundings_of(terrain: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the children of a terrain object that surround it."""
    return [child for child in terrain.children if kind_of(child)]


def remove(item: bpy.types.Object) -> None:
    """Remove an object with its data and its node groups, if nothing else uses them."""
    groups = nodes_of(item)
    water_objects.remove(item)
    bpy.data.batch_remove([group for group in groups if not group.users])


def nodes_of(item: bpy.types.Object) -> set[Any]:
    """Return the node groups of an object's modifiers."""
    groups = {getattr(modifier, "node_group", None) for modifier in item.modifiers}
    return {group for group in groups if group}
