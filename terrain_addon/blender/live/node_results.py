# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluates the node groups of layers and masks when the terrain below them or their nodes change.

The result is a setting, from which the terrain is rebuilt. It names a digest of what it was made
from: the layers below, the resolution and the nodes. A timer compares it once the terrain is
complete and nothing has changed for a while, so a drag shows the last result until it ends. Nodes
that read the terrain itself see the mesh as it is, which is no part of the digest: a new mesh is no
reason to evaluate them again.
"""

import hashlib
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import bpy
from bpy.app.handlers import persistent

from ...core.analysis import HABITAT
from ...core.evaluation import below_key, terrain_below
from ...core.layers import LAYERS, MASKS, FromNodes, packed, unpacked
from ...core.numerics import user_message
from ..app import timers
from ..app.registration import handlers_factory
from ..app.status import redraw
from ..data.terrains import is_terrain, mesh_of, terrain_of, why_not_editable
from ..mesh import node_values
from ..mesh.node_fingerprint import fingerprint
from ..mesh.signature import Signature
from ..properties.recipe import MASK, read, read_settings, with_known_results
from . import rebuild
from .cache import CACHE

REST = 0.3
"""Seconds without a change after which nodes are evaluated."""
POLL = 1.0
"""Seconds between looks at node trees, whose changes Blender does not always report."""

Place = tuple[int, str]
"""The session_uid of a mesh, and the path of the settings in it."""


@dataclass
class _State:
    """State between calls: plain data only.

    Attributes
    ----------
    due : when the next look may evaluate
    faults : messages by place, with the digest of what failed
    seen : what each terrain was at the last look, by the session_uid of its mesh
    """

    due: float = 0.0
    faults: dict[Place, tuple[str, str]] = field(default_factory=dict[Place, tuple[str, str]])
    seen: dict[int, object] = field(default_factory=dict[int, object])


_state = _State()


def soon(meshes: Iterable[bpy.types.Mesh]) -> None:
    """Look at some terrains once they rest; at once in background mode, which has no timers."""
    with_nodes = [mesh for mesh in meshes if _uses_nodes(mesh)]
    if not with_nodes or rebuild.is_quiet():
        return
    if bpy.app.background:
        for mesh in with_nodes:
            refresh(mesh)
        return
    _state.due = time.monotonic() + REST
    timers.start(_look, REST)


def look_at_trees() -> None:
    """Look at all terrains with nodes soon, after nodes have changed."""
    if not bpy.app.background:
        soon(bpy.data.meshes)


def _look() -> float | None:
    """Evaluate what is out of date, from a timer, and look again as long as nodes are used."""
    if time.monotonic() < _state.due:
        return max(_state.due - time.monotonic(), 0.05)
    meshes = [mesh for mesh in bpy.data.meshes if _uses_nodes(mesh)]
    if not meshes:
        return None
    if not (rebuild.is_busy() or bpy.app.is_job_running("RENDER")):
        for uid in [mesh.session_uid for mesh in meshes]:
            if (mesh := mesh_of(uid)) and _state.seen.get(uid) != _facts(mesh):
                with rebuild.noted(mesh):
                    refresh(mesh)
                _state.seen[uid] = _facts(mesh)
    return POLL


def _facts(mesh: bpy.types.Mesh) -> object:
    """Return what tells whether a terrain or its nodes changed: reading its maps takes longer."""
    terrain = terrain_of(mesh)
    used = [mesh.path_resolve(path) for _, path, _ in _used(terrain)]
    trees = [(one, bpy.data.node_groups.get(one.nodes)) for one in cast(list[Any], used)]
    own = [(one.nodes, one.resolution, tree and fingerprint(tree)) for one, tree in trees]
    return terrain.built, own


def refresh(mesh: bpy.types.Mesh, *, again: bool = False) -> None:
    """Evaluate the nodes of a terrain that are out of date, or all ``again``, and rebuild it.

    Those of lower layers come first: what is above sees their results.
    """
    terrain = terrain_of(mesh)
    waits = not terrain.live or Signature.built(terrain).is_coarse
    if why_not_editable(mesh) or (waits and not again):
        return
    changed, before = False, dict(_state.faults)
    for place, path, kind in list(_used(terrain)):
        changed |= _evaluate(mesh, place, path, kind, again=again)
    if changed:
        rebuild.request(mesh, rebuild.LONG_PATIENCE)
    if changed or before != _state.faults:
        redraw()


def _evaluate(
    mesh: bpy.types.Mesh, place: int, path: str, kind: type[FromNodes], *, again: bool
) -> bool:
    """Evaluate the nodes of one layer or mask, if that is needed; return whether it was stored."""
    at, key = (mesh.session_uid, path), ""
    terrain = terrain_of(mesh)
    group: Any = mesh.path_resolve(path)
    try:
        settings = kind(**read_settings(group, kind))
        tree = node_values.group_named(settings.nodes)
        recipe = with_known_results(read(terrain))
        fields = node_values.fields_read(tree)
        around = () if {*HABITAT}.isdisjoint(fields) else recipe.surroundings.inputs
        facts = json.dumps([settings.resolution, fingerprint(tree), *around])
        digest = hashlib.blake2b(facts.encode(), digest_size=16).hexdigest()
        key = below_key(recipe, place, (digest,))
        known = settings.stored and unpacked(settings.stored).made_from == key
        if (known or _state.faults.get(at, ("", ""))[1] == key) and not again:
            return False
        grid = recipe.grid(settings.resolution)
        below = terrain_below(recipe, place, grid, cache=CACHE, fields=fields)
        text = packed(node_values.values(tree, below), key)
    except (ValueError, MemoryError) as error:
        _state.faults[at] = user_message(error), key
        return False
    _state.faults.pop(at, None)
    with rebuild.quiet():
        group.stored = text
    return True


def fault_of(group: Any) -> str:
    """Return why the nodes of a layer or mask have no new result; "" if they have."""
    at = group.id_data.session_uid, group.path_from_id()
    return _state.faults.get(at, ("", ""))[0]


def _uses_nodes(mesh: bpy.types.Mesh) -> bool:
    return is_terrain(mesh) and next(_used(terrain_of(mesh)), None) is not None


def _used(terrain: Any) -> Iterator[tuple[int, str, type[FromNodes]]]:
    """Yield the place of each layer that is on and has nodes, or whose mask has them, the path of
    the settings and their class."""
    for place, item in enumerate(terrain.layers):
        if not item.enabled or not item.opacity:
            continue
        for key, mask in MASKS.items():
            if issubclass(mask, FromNodes):
                group = getattr(item, MASK + key)
                if group.use and group.nodes:
                    yield place, group.path_from_id(), mask
        kind = LAYERS.get(item.kind)
        if kind and issubclass(kind, FromNodes) and getattr(item, item.kind).nodes:
            yield place, getattr(item, item.kind).path_from_id(), kind


@persistent
def _on_change(*_: Any) -> None:
    look_at_trees()


@persistent
def _on_load(*_: Any) -> None:
    _state.faults.clear()
    _state.seen.clear()
    look_at_trees()


register, _remove_handlers = handlers_factory(
    {"undo_post": _on_change, "redo_post": _on_change, "load_post": _on_load}
)


def unregister() -> None:
    """Remove the handlers and the timer."""
    _remove_handlers()
    _state.faults.clear()
    _state.seen.clear()
    timers.stop(_look)
