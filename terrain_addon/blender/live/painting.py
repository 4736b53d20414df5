# SPDX-License-Identifier: GPL-3.0-or-later
"""Rebuilds a terrain after each stroke on one of its maps, while the paint mode goes on.

The handler of updates (`watch.py`) tells which terrains are painted on, and a timer rebuilds them
once the stroke has ended: a brush keeps positions of the mesh until then.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, cast

import bpy

from ..app import timers
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
    """Rebuild, from a timer, the painted terrains once the stroke has ended."""
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
    """Return whether a brush is being dragged in any window."""
    windows = bpy.context.window_manager.windows
    return any(
        "PAINT" in operator.bl_idname for window in windows for operator in window.modal_operators
    )


def note(items: Iterable[bpy.types.Object]) -> None:
    """Rebuild the terrains among some objects with new geometry that are painted on, soon."""
    if _state.following:
        return
    for item in items:
        if item.mode in MODES and is_terrain_object(item):
            _state.painted.add(cast(Any, item.data).session_uid)
    if _state.painted:
        timers.start(follow, SOON)


def forget() -> None:
    """Forget what was painted, and remove the timer."""
    _state.painted.clear()
    timers.stop(follow)
