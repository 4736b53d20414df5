# SPDX-License-Identifier: GPL-3.0-or-later
"""Follows terrains that come into the scene as previews, and those that are deleted.

A terrain that was appended from another file, or copied after its rebuild was canceled, shows a
preview that no job replaces. A timer finishes it: within a handler of the dependency graph, a
rebuild would change the data that the graph is being evaluated from.
"""

from collections.abc import Iterable

import bpy

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


def look(meshes: Iterable[bpy.types.Mesh]) -> None:
    """Finish the previews among some updated meshes soon."""
    rebuild.forget_deleted()
    if any(map(rebuild.is_unfinished, meshes)) and not bpy.app.timers.is_registered(finish):
        bpy.app.timers.register(finish, first_interval=SOON)


def forget() -> None:
    """Remove the timer."""
    if bpy.app.timers.is_registered(finish):
        bpy.app.timers.unregister(finish)
