# SPDX-License-Identifier: GPL-3.0-or-later
"""Removes the water, plants and surroundings of deleted terrains; Blender keeps children.

Those whose parent the user cleared or changed stay. Water and bridges that the user deletes by
themselves are switched off in the settings, otherwise the next change would add them again.
"""

from dataclasses import dataclass, field
from typing import Any, cast

import bpy
from bpy.app.handlers import persistent

from ..app import status
from ..app.registration import handlers_factory
from ..data import plant_objects, scenery_objects, water_objects
from ..data.terrains import is_terrain_object, objects_of, terrain_of, why_not_editable
from .water_kinds import KINDS

SOON = 0.01  # seconds
LATER = 0.5  # while an image is rendered


@dataclass
class _State:
    """The water and surroundings of the last search, by session_uid.

    Attributes
    ----------
    owners : terrain object of each of them, also of deleted ones: redo restores them without their
        terrain
    kinds : kind of each of them
    deleted : terrain objects that lost water, and its kind
    """

    owners: dict[int, int] = field(default_factory=dict)
    kinds: dict[int, str] = field(default_factory=dict)
    deleted: list[tuple[int, str]] = field(default_factory=list)


_state = _State()


def find_orphans() -> list[bpy.types.Object]:
    """Return the water and surroundings whose terrain object is gone. Also updates the state."""
    there = {item.session_uid for item in bpy.data.objects}
    orphans: list[bpy.types.Object] = []
    kinds: dict[int, str] = {}
    for item in bpy.data.objects:
        kind = _kind_of(item)
        if not kind or item.library:
            continue
        parent, uid = item.parent, item.session_uid
        if kind in KINDS and _is_deleted(item):
            there.discard(uid)
            continue
        kinds[uid] = kind
        if parent is not None and is_terrain_object(parent):
            _state.owners[uid] = parent.session_uid
            if kind not in KINDS and _is_deleted(parent):
                orphans.append(item)
        elif parent is None and _state.owners.get(uid, uid) not in there:
            orphans.append(item)
        else:
            _state.owners.pop(uid, None)
    for uid, kind in _state.kinds.items():
        owner = _state.owners.get(uid)
        ours = uid not in there and water_objects.was_removed(uid)
        if kind in KINDS and uid not in there and owner in there and not ours:
            _state.deleted.append((owner, kind))
    _state.kinds = kinds
    return orphans


def _kind_of(item: bpy.types.Object) -> str:
    """Return the kind of water or surroundings that an object shows, or that it is plants; "" for
    others."""
    kind = water_objects.kind_of(item)
    if not kind and scenery_objects.is_ours(item):
        kind = scenery_objects.kind_of(item)
    return kind or ("Plants" if plant_objects.is_plants(item) else "")


def _is_deleted(item: bpy.types.Object) -> bool:
    """Return whether an object is in no collection. Blender keeps it: the nodes of surroundings use
    it."""
    return not item.users_collection and not item.use_fake_user


def sweep() -> float | None:
    """Remove, by a timer, what belongs to deleted terrains, switch off deleted water."""
    if bpy.app.is_job_running("RENDER"):
        return LATER
    orphans = find_orphans()
    terrains = {item.parent for item in orphans if item.parent}
    _remove(orphans)
    _remove([item for item in terrains if not item.users])  # as Blender does when nothing uses them
    _remove(find_orphans())
    deleted, _state.deleted = _state.deleted, []
    for owner, kind in deleted:
        found = [item for item in bpy.data.objects if item.session_uid == owner]
        if found and is_terrain_object(found[0]):
            _switch_off(cast(bpy.types.Mesh, found[0].data), kind)
    return None


def _remove(items: list[bpy.types.Object]) -> None:
    """Remove objects, also from the lists of view layers, where None would stay for each."""
    scenes = {scene for item in items for scene in item.users_scene}
    for item in items:
        scenery_objects.remove(item)
    for scene in scenes:
        for layer in scene.view_layers:
            layer.update()


def _switch_off(mesh: bpy.types.Mesh, kind: str) -> None:
    """Switch off a kind of water, unless another object of the terrain still shows it."""
    waters = [
        one for item in objects_of(mesh) for one in water_objects.waters_of(item).get(kind, [])
    ]
    if not all(map(_is_deleted, waters)) or why_not_editable(mesh):
        return
    terrain, switch = terrain_of(mesh), KINDS[kind].switch
    if not switch:
        _switch_off_bridges(terrain)
    elif getattr(terrain.water, switch):
        setattr(terrain.water, switch, False)


def _switch_off_bridges(terrain: Any) -> None:
    """Switch off the models of all roads, and say so: they are where nobody would look."""
    groups = [(item.name, getattr(item, item.kind, None)) for item in terrain.layers]
    roads = [(name, group) for name, group in groups if getattr(group, "bridges", False)]
    for _, group in roads:
        group.bridges = False
    if roads:
        names = ", ".join(repr(name) for name, _ in roads)
        status.notice(f"Bridges switched off in {names}: switch them on there to have them again")


def look() -> None:
    """Search after objects came or went. A handler must not remove objects itself."""
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


_add_handlers, _remove_handlers = handlers_factory({"load_post": _on_load})


def register() -> None:
    _add_handlers()
    # A file may be open already, but Blender hides it while it enables extensions.
    bpy.app.timers.register(sweep, first_interval=SOON)


def unregister() -> None:
    _remove_handlers()
    if bpy.app.timers.is_registered(sweep):
        bpy.app.timers.unregister(sweep)
    _forget()
