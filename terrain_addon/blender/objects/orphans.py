# SPDX-License-Identifier: GPL-3.0-or-later
"""Removes the sea, rivers and lakes of deleted terrains; Blender keeps children.

Water whose parent the user cleared or changed stays. Water that the user deletes by itself is
switched off in the settings, otherwise the next change would add it again.
"""

from dataclasses import dataclass, field
from typing import Any, cast

import bpy
from bpy.app.handlers import persistent

from ..app.registration import handlers_factory
from ..data import water_objects
from ..data.terrains import is_terrain_object, objects_of, terrain_of, why_not_editable
from .water_kinds import KINDS

SOON = 0.01  # seconds
LATER = 0.5  # while an image is rendered


@dataclass
class _State:
    """The water objects of the last search, by session_uid.

    Attributes
    ----------
    owners : terrain object of each water object, also of deleted ones: redo restores them without
        their terrain
    kinds : kind of each water object
    deleted : terrain objects that lost water, and its kind
    """

    owners: dict[int, int] = field(default_factory=dict)
    kinds: dict[int, str] = field(default_factory=dict)
    deleted: list[tuple[int, str]] = field(default_factory=list)


_state = _State()


def find_orphans() -> list[bpy.types.Object]:
    """The water objects whose terrain object is gone. Also updates the state."""
    there = {item.session_uid for item in bpy.data.objects}
    orphans: list[bpy.types.Object] = []
    kinds: dict[int, str] = {}
    for item in bpy.data.objects:
        kind = water_objects.kind_of(item)
        if not kind or item.library:
            continue
        parent, uid = item.parent, item.session_uid
        kinds[uid] = kind
        if parent is not None and is_terrain_object(parent):
            _state.owners[uid] = parent.session_uid
        elif parent is None and _state.owners.get(uid, uid) not in there:
            orphans.append(item)
        else:
            _state.owners.pop(uid, None)
    for uid, kind in _state.kinds.items():
        owner = _state.owners.get(uid)
        if uid not in there and owner in there:
            _state.deleted.append((owner, kind))
    _state.kinds = kinds
    return orphans


def sweep() -> float | None:
    """Timer: remove the water of deleted terrains, switch off deleted water."""
    if bpy.app.is_job_running("RENDER"):
        return LATER
    _remove(find_orphans())
    deleted, _state.deleted = _state.deleted, []
    for owner, kind in deleted:
        for item in bpy.data.objects:
            if item.session_uid == owner and is_terrain_object(item):
                _switch_off(cast(bpy.types.Mesh, item.data), kind)
    return None


def _remove(items: list[bpy.types.Object]) -> None:
    """Remove objects, also from the lists of view layers, where None would stay for each."""
    scenes = {scene for item in items for scene in item.users_scene}
    for item in items:
        water_objects.remove(item)
    for scene in scenes:
        for layer in scene.view_layers:
            layer.update()


def _switch_off(mesh: bpy.types.Mesh, kind: str) -> None:
    """Switch off a kind of water, unless another object of the terrain still shows it."""
    shown = any(kind in water_objects.of(item) for item in objects_of(mesh))
    water, switch = terrain_of(mesh).water, KINDS[kind].switch
    if getattr(water, switch) and not shown and not why_not_editable(mesh):
        setattr(water, switch, False)


@persistent
def _on_update(_: Any, graph: bpy.types.Depsgraph) -> None:
    """Search after objects came or went. A handler must not remove objects itself."""
    if not graph.id_type_updated("COLLECTION"):
        return
    if (find_orphans() or _state.deleted) and not bpy.app.timers.is_registered(sweep):
        bpy.app.timers.register(sweep, first_interval=SOON)


@persistent
def _on_load(*_: Any) -> None:
    _forget()
    find_orphans()


def _forget() -> None:
    _state.owners.clear()
    _state.kinds.clear()
    _state.deleted.clear()


_add_handlers, _remove_handlers = handlers_factory(
    {"depsgraph_update_post": _on_update, "load_post": _on_load}
)


def register() -> None:
    _add_handlers()
    # A file may be open already, but Blender hides it while it enables extensions.
    bpy.app.timers.register(sweep, first_interval=SOON)


def unregister() -> None:
    _remove_handlers()
    if bpy.app.timers.is_registered(sweep):
        bpy.app.timers.unregister(sweep)
    _forget()
