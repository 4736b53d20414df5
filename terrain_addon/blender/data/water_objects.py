# SPDX-License-Identifier: GPL-3.0-or-later
"""Child objects of a terrain that show its water, by the kinds of `water_kinds`."""

import bpy

_KIND = "terrain_water"
"""Custom property that holds the kind."""
_BEHIND = "terrain_water_behind"
"""Custom property of objects that could not be updated."""

_removed: set[int] = set()
"""The session_uids of objects that the extension removed."""


def kind_of(item: bpy.types.Object) -> str:
    """Return the kind of water an object shows, "" for none.

    An object that was converted from a mesh to another type belongs to the user.
    """
    return str(item.get(_KIND) or "") if isinstance(item.data, bpy.types.Mesh) else ""


def waters_of(terrain: bpy.types.Object) -> dict[str, list[bpy.types.Object]]:
    """Return the children of a terrain object that show water, by kind."""
    found: dict[str, list[bpy.types.Object]] = {}
    for child in terrain.children:  # slow: Blender searches all objects of the file
        if kind := kind_of(child):
            found.setdefault(kind, []).append(child)
    return found


def add_water(terrain: bpy.types.Object, kind: str, mesh: bpy.types.Mesh) -> bpy.types.Object:
    """Return a new child of a terrain object, in the same collections."""
    item = bpy.data.objects.new(kind, mesh)
    item[_KIND] = kind
    for collection in terrain.users_collection:
        collection.objects.link(item)
    item.parent = terrain
    return item


def is_behind(item: bpy.types.Object) -> bool:
    """Return whether an object shows outdated water."""
    return _BEHIND in item


def set_behind(item: bpy.types.Object, behind: bool) -> None:
    """Record in the file whether an object shows outdated water."""
    if behind:
        item[_BEHIND] = True
    elif is_behind(item):
        del item[_BEHIND]


def remove(item: bpy.types.Object) -> None:
    """Remove an object, and its data if nothing else uses it."""
    _removed.add(item.session_uid)
    data = item.data
    bpy.data.objects.remove(item)
    if data and not data.users:
        bpy.data.batch_remove([data])


def was_removed(uid: int) -> bool:
    """Return, once, whether the extension removed the object of that session_uid, not the user."""
    removed = uid in _removed
    _removed.discard(uid)
    return removed
