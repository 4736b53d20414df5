# SPDX-License-Identifier: GPL-3.0-or-later
"""Rebuilds a terrain after each stroke on one of its maps, while the paint mode goes on.

The handler of the dependency graph notes which terrains are painted on, and a timer rebuilds them
once the stroke has ended: a brush keeps positions of the mesh until then.
"""

from dataclasses import dataclass, field
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..app.registration import handlers_factory
from ..data.terrains import is_terrain_object, mesh_of
from . import rebuild
from .message_bus import has_maps

MODES = ("WEIGHT_PAINT", "VERTEX_PAINT")
SOON = 0.1
"""Seconds after a dab of the brush until the first check whether the stroke has ended."""


@dataclass
class _State:
    """State between calls.

    Attributes
    ----------
    painted : session_uids of the meshes that were painted on
    following : whether terrains are rebuilt: that changes them, and reading weights makes Blender
        report them
    """

    painted: set[int] = field(default_factory=set[int])
    following: bool = False


_state = _State()


def follow() -> float | None:
    """Timer: rebuild the terrains that were painted on, once no stroke goes on."""
    if _is_stroke():
        return SOON
    _state.following = True
    try:
        for uid in _state.painted:
            if (mesh := mesh_of(uid)) and has_maps(mesh):
                rebuild.request(mesh)
        bpy.context.view_layer.update()
    finally:
        _state.painted.clear()
        _state.following = False
    return None


def _is_stroke() -> bool:
    """Whether a brush is being dragged in any window."""
    windows = bpy.context.window_manager.windows
    return any("PAINT" in one.bl_idname for window in windows for one in window.modal_operators)


@persistent
def _on_update(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if _state.following:
        return
    for update in depsgraph.updates:
        item: Any = update.id.original
        if (
            isinstance(item, bpy.types.Object)
            and item.mode in MODES
            and update.is_updated_geometry
            and is_terrain_object(item)
        ):
            _state.painted.add(item.data.session_uid)
    if _state.painted and not bpy.app.timers.is_registered(follow):
        bpy.app.timers.register(follow, first_interval=SOON)


register, _remove_handlers = handlers_factory({"depsgraph_update_post": _on_update})


def unregister() -> None:
    _remove_handlers()
    _state.painted.clear()
    if bpy.app.timers.is_registered(follow):
        bpy.app.timers.unregister(follow)
