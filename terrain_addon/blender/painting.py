# SPDX-License-Identifier: GPL-3.0-or-later
"""Rebuild a terrain that uses painted maps when its user comes back from painting.

Strokes call no update callback; that an object changes its mode is told through the message bus.
It goes with each file, so a handler subscribes again.
"""

from typing import Any, cast

import bpy
from bpy.app.handlers import persistent

from . import live
from .context import active_mesh, terrain_of
from .recipes import read_bare

_owner = object()


def _on_mode() -> None:
    context = bpy.context
    mesh = active_mesh(context)
    if mesh is not None and context.mode == "OBJECT" and _has_maps(mesh):
        live.request(mesh)


def _has_maps(mesh: bpy.types.Mesh) -> bool:
    try:
        return bool(read_bare(terrain_of(mesh)).map_names)
    except ValueError:
        return False


@persistent
def _subscribe(*_: Any) -> None:
    bpy.msgbus.clear_by_owner(_owner)
    bpy.msgbus.subscribe_rna(
        key=cast(Any, (bpy.types.Object, "mode")), owner=_owner, args=(), notify=_on_mode
    )


def register() -> None:
    bpy.app.handlers.load_post.append(_subscribe)
    _subscribe()


def unregister() -> None:
    bpy.app.handlers.load_post.remove(_subscribe)
    bpy.msgbus.clear_by_owner(_owner)
