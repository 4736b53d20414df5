# SPDX-License-Identifier: GPL-3.0-or-later
"""The active terrain, and why it cannot be edited."""

from collections.abc import Iterable
from typing import Any, cast

import bpy

from . import plant_objects, water_objects


def terrain_of(mesh: bpy.types.Mesh) -> Any:
    """Return the terrain settings of a mesh (its ``terrain`` property group)."""
    return cast(Any, mesh).terrain


def is_terrain(mesh: bpy.types.Mesh) -> bool:
    """Return whether a mesh is built from a recipe."""
    return terrain_of(mesh).is_terrain


def is_terrain_object(item: bpy.types.Object) -> bool:
    """Return whether an object shows a terrain."""
    return isinstance(item.data, bpy.types.Mesh) and is_terrain(item.data)


def terrain_named(name: str) -> bpy.types.Object | None:
    """Return the object of that name, if it shows a terrain."""
    item = bpy.data.objects.get(name)
    return item if item and is_terrain_object(item) else None


def active_mesh(context: bpy.types.Context) -> bpy.types.Mesh | None:
    """Return the mesh of the active terrain object."""
    item = active_terrain(context)
    return cast(bpy.types.Mesh, item.data) if item else None


def active_terrain(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the active object if it is a terrain, or that of its active water, plants or curve."""
    item = getattr(context, "object", None)  # a context without a window has none
    if item and item.parent and _belongs(item):
        item = item.parent
    return item if item and is_terrain_object(item) else None


def _belongs(item: bpy.types.Object) -> bool:
    """Return whether an object may be a part of the terrain that is its parent."""
    is_drawn = item.type in ("CURVE", "EMPTY")
    return is_drawn or bool(water_objects.kind_of(item)) or plant_objects.is_plants(item)


def mesh_of(uid: int) -> bpy.types.Mesh | None:
    """Return the mesh with that ``session_uid``, None if it was removed."""
    return next((mesh for mesh in bpy.data.meshes if mesh.session_uid == uid), None)


def objects_of(mesh: bpy.types.Mesh) -> list[bpy.types.Object]:
    """Return the objects of this file that show a mesh; for a linked mesh also linked objects."""
    if not mesh.users:
        return []
    # Without value_types Blender takes four times as long.
    users: Any = bpy.data.user_map(subset=[mesh], value_types={"OBJECT"})  # type: ignore[arg-type]
    return [user for user in users[mesh] if mesh.library or not user.library]


def active_layer(terrain: Any) -> Any:
    """Return the active layer; None if there is none."""
    place = terrain.active_layer
    return terrain.layers[place] if 0 <= place < len(terrain.layers) else None


def why_not_editable(mesh: bpy.types.Mesh) -> str:
    """Return why this terrain cannot be changed now, "" if it can."""
    if mesh.library:
        return "Linked from a library: make it local to edit it"
    if not mesh.is_editable:
        return "This terrain cannot be edited"
    if mesh.is_editmode:
        return "Leave Edit Mode to change the terrain"
    if mesh.shape_keys:
        return "Remove the shape keys to change the terrain"
    return ""


def is_borrowed(data: bpy.types.ID) -> bool:
    """Return whether data is linked or a library override: files do not keep what is written to
    it."""
    return bool(data.library or data.override_library)


def own_collections(
    context: bpy.types.Context, collections: Iterable[bpy.types.Collection]
) -> list[bpy.types.Collection]:
    """Return those of some collections that accept new objects, or the scene's own collection."""
    return [collection for collection in collections if not is_borrowed(collection)] or [
        context.scene.collection
    ]


PAINTING = ("PAINT_WEIGHT", "PAINT_VERTEX")
"""Modes of the context in which maps are painted."""


def problem(
    context: bpy.types.Context,
    *,
    reading: bool = False,
    setting: bool = False,
    painting: bool = False,
) -> str:
    """Return why there is no terrain to work on here, "" if there is.

    For ``reading`` its recipe, it need not be editable. Settings can be ``setting`` while one of
    its curves is in Edit Mode, and those that keep its points while its maps are ``painting`` too.
    """
    mesh = active_mesh(context)
    if mesh is None:
        active = getattr(context, "object", None)
        return "Select a terrain" if active else "No object is active: select a terrain"
    modes = ("OBJECT", *["EDIT_CURVE"] * setting, *PAINTING * painting)
    if context.mode not in modes:
        return "Return to Object Mode to change the terrain"
    if reading and not mesh.is_editmode:
        return ""
    if mesh.override_library:  # only the animation of its library changes it
        return "A library override cannot keep changes of a terrain: make it local to edit it"
    return why_not_editable(mesh)


def drop_old_copy(mesh: bpy.types.Mesh) -> None:
    """Remove the copy of a 4.x file's settings that Blender 5 leaves in the custom properties."""
    copy: Any = mesh.get("terrain")
    if is_terrain(mesh) and not mesh.library and hasattr(copy, "keys") and "is_terrain" in copy:
        del mesh["terrain"]
