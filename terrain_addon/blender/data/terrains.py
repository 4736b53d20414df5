# SPDX-License-Identifier: GPL-3.0-or-later
"""Which terrain is meant, and why it may not be edited."""

from collections.abc import Iterable
from typing import Any, cast

import bpy

from . import water_objects


def terrain_of(mesh: bpy.types.Mesh) -> Any:
    """The terrain settings of a mesh (its ``terrain`` property group)."""
    return cast(Any, mesh).terrain


def is_terrain(mesh: bpy.types.Mesh) -> bool:
    """Whether a mesh is made by a recipe."""
    return terrain_of(mesh).is_terrain


def is_terrain_object(item: bpy.types.Object) -> bool:
    """Whether an object shows such a mesh."""
    return isinstance(item.data, bpy.types.Mesh) and is_terrain(item.data)


def active_mesh(context: bpy.types.Context) -> bpy.types.Mesh | None:
    """The mesh of the active object, if it is a terrain; of a sea, river or lake that of its
    terrain."""
    item = active_terrain(context)
    return cast(bpy.types.Mesh, item.data) if item else None


def active_terrain(context: bpy.types.Context) -> bpy.types.Object | None:
    """The active object, if it is a terrain; that of an active sea, river or lake."""
    item = getattr(context, "object", None)  # a context without a window has none
    if item and item.parent and water_objects.kind_of(item):
        item = item.parent
    return item if item and is_terrain_object(item) else None


def objects_of(mesh: bpy.types.Mesh) -> list[bpy.types.Object]:
    """The objects of this file that show a mesh; of a linked mesh also those linked with it."""
    if not mesh.users:
        return []
    # Asked of all kinds of data, Blender takes four times as long.
    users: Any = bpy.data.user_map(subset=[mesh], value_types={"OBJECT"})  # type: ignore[arg-type]
    return [user for user in users[mesh] if mesh.library or not user.library]


def active_layer(terrain: Any) -> Any:
    """The layer that is chosen in the list; None where there is none."""
    place = terrain.active_layer
    return terrain.layers[place] if 0 <= place < len(terrain.layers) else None


def why_not_editable(mesh: bpy.types.Mesh) -> str:
    """Why this terrain cannot be changed now, "" when it can."""
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
    """Whether data is a library's, as it is or overridden: files keep nothing written to it."""
    return bool(data.library or data.override_library)


def own_collections(
    context: bpy.types.Context, wanted: Iterable[bpy.types.Collection]
) -> list[bpy.types.Collection]:
    """Those of some collections that take new objects; where none does, the scene's own."""
    return [one for one in wanted if not is_borrowed(one)] or [context.scene.collection]


def problem(context: bpy.types.Context, *, reading: bool = False) -> str:
    """Why there is no terrain to work on here, "" when there is.

    ``reading`` its recipe is all that some want: then it need not be one that can be changed.
    """
    mesh = active_mesh(context)
    if mesh is None:
        active = getattr(context, "object", None)
        return "Select a terrain" if active else "No object is active: select a terrain"
    if context.mode != "OBJECT":
        return "Return to Object Mode to change the terrain"
    if reading and not mesh.is_editmode:
        return ""
    if mesh.override_library:  # it follows the animation that its library has, and no more
        return "A library override keeps no changes of a terrain: make it local to edit it"
    return why_not_editable(mesh)
