# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that belong to a terrain object: its sea, rivers and lakes."""

import bpy

SEA, WATER = "terrain_sea", "terrain_water"
"""Properties that mark such objects."""


def is_made(item: bpy.types.Object) -> bool:
    """Whether an object is a sea, or holds rivers or lakes, that was made here."""
    return bool(kind(item))


def kind(item: bpy.types.Object) -> str:
    """ "Sea", "Rivers" or "Lakes", "" for all other objects."""
    return "Sea" if item.get(SEA) else str(item.get(WATER) or "")


def add(terrain: bpy.types.Object, name: str, mesh: bpy.types.Mesh) -> bpy.types.Object:
    """A new child of a terrain object, in the same collections."""
    item = bpy.data.objects.new(name, mesh)
    for collection in terrain.users_collection:
        collection.objects.link(item)
    item.parent = terrain
    return item


def remove(item: bpy.types.Object) -> None:
    """Remove a child, and its mesh if nothing else shows it."""
    mesh = item.data
    bpy.data.objects.remove(item)
    if isinstance(mesh, bpy.types.Mesh) and not mesh.users:
        bpy.data.meshes.remove(mesh)
