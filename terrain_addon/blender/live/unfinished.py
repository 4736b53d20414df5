# SPDX-License-Identifier: GPL-3.0-or-later
"""Follows terrains that come into the scene as previews, and those that are deleted.

A terrain that was appended from another file, or copied after its rebuild was canceled, shows a
preview that no job replaces. A timer finishes it: within a handler of the dependency graph, a
rebuild would change the data that the graph is being evaluated from.
"""

import bpy
from bpy.app.handlers import persistent

from ..app.registration import handlers_factory
from . import rebuild

SOON = 0.01
LATER = 0.5  # while an image is rendered
"""Seconds until unfinished terrains are rebuilt."""


def finish() -> float | None:
    """Timer: rebuild unfinished terrains once no image is rendered."""
    if bpy.app.is_job_running("RENDER"):
        return LATER
    rebuild.finish_previews()
    return None


@persistent
def _on_update(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if depsgraph.mode == "RENDER" or bpy.app.is_job_running("RENDER"):
        return
    rebuild.forget_deleted()
    changed = (update.id.original for update in depsgraph.updates)
    meshes = (one for one in changed if isinstance(one, bpy.types.Mesh))
    if any(map(rebuild.is_unfinished, meshes)) and not bpy.app.timers.is_registered(finish):
        bpy.app.timers.register(finish, first_interval=SOON)


register, _remove_handlers = handlers_factory({"depsgraph_update_post": _on_update})


def unregister() -> None:
    _remove_handlers()
    if bpy.app.timers.is_registered(finish):
        bpy.app.timers.unregister(finish)
