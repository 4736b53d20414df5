# SPDX-License-Identifier: GPL-3.0-or-later
"""Rebuild animated terrains when the frame changes.

F-curves and drivers call no update callback. In the viewport the new values are on the mesh
itself; while rendering they are only on its evaluated copy, the mesh keeps the old ones. So the
recipe is read from the copy, and the land written to the mesh. Nothing is pushed to the undo stack.
"""

import threading
from typing import Any, cast

import bpy
from bpy.app.handlers import persistent

from . import live
from .context import is_terrain, terrain_of

UNLOCKED = "Switch on Lock Interface to render this animated terrain"


def is_animated(mesh: bpy.types.Mesh) -> bool:
    """Whether keyframes or drivers may change the recipe of a terrain."""
    data = mesh.animation_data
    return data is not None and is_terrain(mesh) and _moves(data)


def _moves(data: Any) -> bool:
    return bool(data.action or data.drivers or data.nla_tracks)


@persistent
def _on_frame(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    for mesh in bpy.data.meshes:
        if is_animated(mesh):
            _follow(mesh, scene, depsgraph)


def _follow(mesh: bpy.types.Mesh, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if depsgraph.mode != "RENDER":
        live.request(mesh)
    elif _may_write(scene):
        evaluated = cast(bpy.types.Mesh, mesh.evaluated_get(depsgraph))
        live.request(mesh, None, settings=terrain_of(evaluated))
    else:
        live.complain(mesh, UNLOCKED)


def _may_write(scene: bpy.types.Scene) -> bool:
    """Whether no window draws a mesh while it is written: a render has a thread of its own."""
    main = threading.current_thread() is threading.main_thread()
    return main or bpy.app.background or scene.render.use_lock_interface


def register() -> None:
    bpy.app.handlers.frame_change_post.append(_on_frame)


def unregister() -> None:
    bpy.app.handlers.frame_change_post.remove(_on_frame)
