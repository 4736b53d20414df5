# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that belong to a terrain object: each shows a kind of water, as `water_kinds` has it."""

import bpy

_KIND = "terrain_water"
"""Property that holds which."""
_BEHIND = "terrain_water_behind"
"""Property of those that could not be filled when they should have been."""


def kind_of(item: bpy.types.Object) -> str:
    """Which kind of water an object was made to show, "" for none.

    One that was converted to a curve, or to anything else but a mesh, is the user's own.
    """
    return str(item.get(_KIND) or "") if isinstance(item.data, bpy.types.Mesh) else ""


def of(terrain: bpy.types.Object) -> dict[str, list[bpy.types.Object]]:
    """The children of a terrain object that show water, by its kind."""
    found: dict[str, list[bpy.types.Object]] = {}
    for child in terrain.children:  # Blender looks at all objects of the file for these
        if kind := kind_of(child):
            found.setdefault(kind, []).append(child)
    return found


def add(terrain: bpy.types.Object, kind: str, mesh: bpy.types.Mesh) -> bpy.types.Object:
    """A new child of a terrain object, in the same collections."""
    item = bpy.data.objects.new(kind, mesh)
    item[_KIND] = kind
    for collection in terrain.users_collection:
        collection.objects.link(item)
    item.parent = terrain
    return item


def is_behind(item: bpy.types.Object) -> bool:
    """Whether an object shows water of before, as :func:`set_behind` has it."""
    return _BEHIND in item


def set_behind(item: bpy.types.Object, behind: bool) -> None:
    """Note whether an object shows water of before; files keep that."""
    if behind:
        item[_BEHIND] = True
    elif is_behind(item):
        del item[_BEHIND]


def remove(item: bpy.types.Object) -> None:
    """Remove an object, and its data if nothing else uses that."""
    data = item.data
    bpy.data.objects.remove(item)
    if data and not data.users:
        bpy.data.batch_remove([data])
