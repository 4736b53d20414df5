# SPDX-License-Identifier: GPL-3.0-or-later
"""Updates on changes that only Blender's message bus reports.

After painting, the terrain follows the painted maps; a copy of a terrain is rebuilt where the
original is about to be, and gets its own sea, rivers and lakes. Opening a file drops
subscriptions, so a handler renews them.
"""

from collections.abc import Callable
from typing import Any, cast

import bpy
from bpy.app.handlers import persistent

from ..data.terrains import active_mesh, is_terrain_object, terrain_of, why_not_editable
from ..objects.water_kinds import is_in_sync
from ..properties.recipe import read, read_bare
from . import drawing_hint, paint_overlay, rebuild
from .surface import is_current, update_water_objects

_owner = object()


def _on_mode() -> None:
    """Update the active terrain after its mode changed: it may have been painted."""
    drawing_hint.follow_mode()
    paint_overlay.follow_mode()
    context = bpy.context
    mesh = active_mesh(context)
    if mesh is None or context.mode != "OBJECT":
        return
    if has_maps(mesh) or not is_current(mesh):
        rebuild.request(mesh)
    _complete(mesh)


def _on_active() -> None:
    """Rebuild and complete the active and selected terrains: they may be copies.

    A copy of a terrain that waits for the worker is out of date, and has no job of its own.
    """
    context = bpy.context
    found: list[Any] = [active_mesh(context)]
    found += [one.data for one in context.view_layer.objects.selected if is_terrain_object(one)]
    for mesh in dict.fromkeys(found):
        if mesh:
            if not is_current(mesh) and rebuild.is_left_alone(mesh):
                rebuild.request(mesh)
            _complete(mesh)


def _complete(mesh: bpy.types.Mesh) -> None:
    """Add missing sea, rivers and lakes to a terrain, unless it was edited by hand."""
    if not terrain_of(mesh).live or why_not_editable(mesh) or not is_current(mesh):
        return
    recipe = read_bare(terrain_of(mesh))
    if not is_in_sync(mesh, recipe) and not rebuild.is_edited(mesh):
        with rebuild.noted(mesh):
            update_water_objects(mesh, read(terrain_of(mesh)))


def has_maps(mesh: bpy.types.Mesh) -> bool:
    """Return whether the recipe of a terrain names maps or an image."""
    try:
        recipe = read_bare(terrain_of(mesh))
        return bool(recipe.map_names or recipe.palette.image)
    except ValueError:
        return False


@persistent
def _subscribe(*_: Any) -> None:
    bpy.msgbus.clear_by_owner(_owner)
    _listen((bpy.types.Object, "mode"), _on_mode)
    _listen((bpy.types.LayerObjects, "active"), _on_active)


def _listen(key: Any, notify: Callable[[], None]) -> None:
    bpy.msgbus.subscribe_rna(key=cast(Any, key), owner=_owner, args=(), notify=notify)


def register() -> None:
    bpy.app.handlers.load_post.append(_subscribe)
    _subscribe()


def unregister() -> None:
    bpy.app.handlers.load_post.remove(_subscribe)
    bpy.msgbus.clear_by_owner(_owner)
