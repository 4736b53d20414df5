# SPDX-License-Identifier: GPL-3.0-or-later
"""Rebuilds terrains when the objects that their shapes name, or the terrains that are their maps,
are edited, moved, added or removed. Also looks at each terrain that is new in the file.

The handler of updates (`watch.py`) passes the changed data-blocks, which are compared with those
that shapes are made from, and a timer rebuilds: reading shapes evaluates nodes, which must not
happen within the handler.
"""

from collections.abc import Iterable
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..app import timers
from ..app.registration import handlers_factory
from ..data.terrains import is_terrain, mesh_of
from ..mesh import shape_readers
from ..mesh.drawn_shapes import FOLLOWED, rendering, sources_first
from ..objects import drawn_objects
from . import rebuild
from .animation import is_animated, may_write

LATER = 0.5
"""Seconds until terrains follow while an image is rendered."""

_changed: set[int] = set()
"""The session_uids of the meshes of terrains to rebuild."""


def follow() -> float | None:
    """Rebuild, from a timer, the terrains whose shapes changed."""
    if bpy.app.is_job_running("RENDER"):
        return LATER
    changed = sources_first(_changed)
    _changed.clear()
    for uid in changed:
        if (mesh := mesh_of(uid)) and is_terrain(mesh):
            rebuild.request(mesh)
            drawn_objects.drape_drawn(mesh)  # a curve that was in Edit Mode
    shape_readers.remove(unused_only=True)
    return None


def note(meshes: Iterable[bpy.types.Mesh], moved: set[int], edited: set[int], scene: bool) -> None:
    """Rebuild soon what is made from data-blocks with those session_uids.

    Objects come and go with a change of the ``scene``. A terrain among the ``meshes`` that is new
    here, appended or copied, follows what its names mean in this file, and may show a preview that
    no job replaces.
    """
    new = {mesh.session_uid for mesh in meshes if is_terrain(mesh)} - FOLLOWED.known
    FOLLOWED.known.update(new)
    _changed.update(new)
    changed = moved | edited
    for uid, one in FOLLOWED.terrains.items():
        touched = not one.members.isdisjoint(changed) or not one.own.isdisjoint(moved)
        if touched or (scene and one.is_outdated()):
            _changed.add(uid)
    look_soon()


def look_soon(meshes: Iterable[bpy.types.Mesh] = ()) -> None:
    """Let the timer rebuild the terrains among some meshes, and those noted before."""
    _changed.update(mesh.session_uid for mesh in meshes)
    if _changed:
        timers.start(follow)


@persistent
def _on_frame(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Rebuild terrains whose shapes may be animated, as the frame shows them."""
    if depsgraph.mode == "RENDER":
        if may_write(scene):
            with rendering(depsgraph):
                _rebuild(None)
    else:
        _rebuild(rebuild.PATIENCE)


def _rebuild(patience: float | None) -> None:
    for uid in sources_first(FOLLOWED.terrains):
        if (mesh := mesh_of(uid)) and not is_animated(mesh):
            rebuild.request(mesh, patience)


@persistent
def _on_save(*_: Any) -> None:
    shape_readers.remove()


@persistent
def _on_load(*_: Any) -> None:
    """Forget the terrains of another file; rebuilds after opening a file note those of this one."""
    shape_readers.remove()  # of a file that Blender saved by itself
    known = {mesh.session_uid for mesh in bpy.data.meshes}
    for uid in FOLLOWED.terrains.keys() - known:
        FOLLOWED.forget(uid)
    FOLLOWED.known &= known


register, _remove_handlers = handlers_factory(
    {"frame_change_post": _on_frame, "load_post": _on_load, "save_pre": _on_save}
)


def unregister() -> None:
    _remove_handlers()
    FOLLOWED.terrains.clear()
    FOLLOWED.shapes.clear()
    FOLLOWED.known.clear()
    shape_readers.remove()
    timers.stop(follow)
