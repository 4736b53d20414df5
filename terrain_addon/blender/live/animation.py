# SPDX-License-Identifier: GPL-3.0-or-later
"""Rebuilds animated terrains when the frame or an input of a driver changes.

F-curves and drivers call no update callback. In the viewport the new values are on the mesh
itself. While rendering they are only on its evaluated copy, so the recipe is read from the copy and
the heights are written to the mesh. Nothing is pushed to the undo stack.

Blender also evaluates animation between frames: when an input of a driver changes, and after a file
is opened, whose terrain may have been changed without a keyframe.
"""

import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, cast

import bpy
from bpy.app.handlers import persistent

from ..app.registration import handlers_factory
from ..data.terrains import is_terrain, terrain_of
from ..mesh.drawn_shapes import rendering, sources_first
from ..properties import drag_speeds
from . import rebuild
from .surface import is_current

UNLOCKED = "Enable Lock Interface to render this animated terrain"


def is_animated(mesh: bpy.types.Mesh) -> bool:
    """Return whether keyframes or drivers may change a terrain."""
    data = mesh.animation_data
    return data is not None and is_terrain(mesh) and _moves(data)


def _moves(data: Any) -> bool:
    return bool(data.action or data.drivers or data.nla_tracks)


@persistent
def _on_frame(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    animated = {mesh.session_uid: mesh for mesh in bpy.data.meshes if is_animated(mesh)}
    for uid in sources_first(animated):
        with rebuild.noted(animated[uid]):
            _follow(animated[uid], scene, depsgraph)


def _follow(mesh: bpy.types.Mesh, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if depsgraph.mode != "RENDER":
        rebuild.request(mesh)
    elif may_write(scene):
        evaluated = cast(bpy.types.Mesh, mesh.evaluated_get(depsgraph))
        with rendering(depsgraph):
            rebuild.request(mesh, None, settings=terrain_of(evaluated))
    else:
        rebuild.complain(mesh, UNLOCKED)


def follow_updates(meshes: Iterable[bpy.types.Mesh]) -> None:
    """Rebuild the animated terrains of some updated meshes whose settings have other values now.

    Not while a frame is rendered: a render writes meshes but not their settings, so they differ as
    they should.
    """
    for mesh in filter(is_animated, meshes):
        with rebuild.noted(mesh):
            _move_animation(mesh)
            if not is_current(mesh):
                rebuild.request(mesh)


@persistent
def _on_undo(*_: Any) -> None:
    """Move what an undo step holds as it was before it was moved."""
    for mesh in bpy.data.meshes:
        if is_animated(mesh):
            _move_animation(mesh)


def _move_animation(mesh: bpy.types.Mesh) -> None:
    with suppress(ValueError):  # as in the NLA's Tweak Mode; the next update tries again
        drag_speeds.move_animation(mesh)


@persistent
def _on_load(*_: Any) -> None:
    animated = [mesh for mesh in bpy.data.meshes if is_animated(mesh)]
    if not animated or not bpy.context.view_layer:
        return
    for mesh in animated:
        mesh.update_tag(refresh={"TIME"})
    # Blender would do this later, and calls no handler in either case.
    bpy.context.view_layer.update()
    for mesh in animated:
        rebuild.request(mesh)


def may_write(scene: bpy.types.Scene) -> bool:
    """Return whether no window draws a mesh while the render thread writes it."""
    main = threading.current_thread() is threading.main_thread()
    return main or bpy.app.background or scene.render.use_lock_interface


register, unregister = handlers_factory(
    {
        "frame_change_post": _on_frame,
        "load_post": _on_load,
        "undo_post": _on_undo,
        "redo_post": _on_undo,
    }
)
