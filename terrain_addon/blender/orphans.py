# SPDX-License-Identifier: GPL-3.0-or-later
"""A terrain object that is deleted takes its sea, rivers and lakes along; Blender leaves children.

What the user made his own by clearing its parent, or by giving it another, stays.
"""

from dataclasses import dataclass, field
from typing import Any

import bpy
from bpy.app.handlers import persistent

from . import children
from .context import is_terrain

SOON = 0.01  # seconds
LATER = 0.5  # while an image is rendered


@dataclass
class _State:
    """The terrain object of each sea, river and lake, by session_uid.

    Also of those that are gone: redo brings them back without their terrain.
    """

    owners: dict[int, int] = field(default_factory=dict)


_state = _State()


def look() -> list[bpy.types.Object]:
    """Note whose the children are; those whose terrain object is gone."""
    there = {item.session_uid for item in bpy.data.objects}
    orphans: list[bpy.types.Object] = []
    for item in bpy.data.objects:
        if not children.is_made(item) or item.library:
            continue
        parent, uid = item.parent, item.session_uid
        if parent is not None and _is_terrain(parent):
            _state.owners[uid] = parent.session_uid
        elif parent is None and _state.owners.get(uid, uid) not in there:
            orphans.append(item)
        else:
            _state.owners.pop(uid, None)
    return orphans


def sweep() -> float | None:
    """Timer: remove what is left of terrain objects that are gone."""
    if bpy.app.is_job_running("RENDER"):
        return LATER
    for item in look():
        children.remove(item)
    return None


def _is_terrain(item: bpy.types.Object) -> bool:
    return isinstance(item.data, bpy.types.Mesh) and is_terrain(item.data)


@persistent
def _on_update(_: Any, graph: bpy.types.Depsgraph) -> None:
    """Objects came or went. They may not be removed from in here."""
    if graph.id_type_updated("COLLECTION") and look() and not bpy.app.timers.is_registered(sweep):
        bpy.app.timers.register(sweep, first_interval=SOON)


@persistent
def _on_load(*_: Any) -> None:
    _state.owners.clear()
    look()


def register() -> None:
    bpy.app.handlers.depsgraph_update_post.append(_on_update)
    bpy.app.handlers.load_post.append(_on_load)


def unregister() -> None:
    bpy.app.handlers.depsgraph_update_post.remove(_on_update)
    bpy.app.handlers.load_post.remove(_on_load)
    if bpy.app.timers.is_registered(sweep):
        bpy.app.timers.unregister(sweep)
    _state.owners.clear()
