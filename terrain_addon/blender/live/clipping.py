# SPDX-License-Identifier: GPL-3.0-or-later
"""Widens the clip range of viewports, so that terrains from other files are in sight.

Blender clips at 1 km, and an appended terrain of 16 km would show nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..app.preferences import prepares_view
from ..app.registration import handlers_factory
from ..data.terrains import is_terrain, terrain_of


@dataclass
class _State:
    """Session UIDs of the meshes for which viewports need no more widening."""

    seen: set[int] = field(default_factory=set[int])


def widen(space: Any, size: float) -> None:
    """Let a viewport show a terrain of so many meters, whole and from near.

    With Blender's near limit of 1 cm, the depth buffer cannot separate a distant sea from the
    ground a few meters below.
    """
    space.clip_end = max(space.clip_end, 10 * size)
    space.clip_start = max(space.clip_start, size / 2000)


def note(meshes: Iterable[bpy.types.Mesh]) -> None:
    """Widen all viewports for the terrains among changed meshes that were not seen before."""
    new = [m for m in meshes if m.session_uid not in _state.seen and is_terrain(m)]
    _state.seen.update(mesh.session_uid for mesh in new)
    if not new or bpy.app.background or not prepares_view(bpy.context):
        return
    size = max(max(terrain_of(mesh).size_x, terrain_of(mesh).size_y) for mesh in new)
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                widen(area.spaces.active, size)


@persistent
def _on_load(*_: Any) -> None:
    """Leave the viewports of an opened file as they were saved."""
    _state.seen = {mesh.session_uid for mesh in bpy.data.meshes}


_state = _State()
register, unregister = handlers_factory({"load_post": _on_load})
