# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells each part of the extension which of its data-blocks an update has changed.

This is the only handler of the extension that Blender calls after each update of the dependency
graph. It sorts the updates once.

To read shapes or painted maps, the extension evaluates scenes, and Blender calls the handler from
within. Updates of the extension's own scenes are no news: they report what has not changed. An
update of the user's scene is news, but must not rebuild an animated terrain at once, as reading its
shapes would evaluate the scene again, without end. A timer looks at it.
"""

import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..app.registration import handlers_factory
from ..data import nodes
from ..materials import on_objects
from ..mesh.drawn_shapes import FOLLOWED
from ..objects import orphans
from . import animation, clipping, node_results, painting, rebuild, shapes

EDITS: Counter[int] = Counter()
"""How many updates have changed the geometry of curves, and of other data-blocks that were updated
with them, by session_uid: what is made from a curve is out of date when its count differs."""


@dataclass
class Changes:
    """Original data-blocks that an update of the dependency graph has changed.

    Attributes
    ----------
    meshes : meshes, whatever changed
    shaped : objects with a mesh whose geometry changed, or that are new; others too where a terrain
        follows something
    moved, edited : where a terrain follows something, or a curve changed: session_uids of
        everything with a new place and with new geometry, except collections
    scene : whether a scene changed
    collections : whether collections changed, as they do when objects come or go
    nodes : whether node trees changed
    """

    meshes: list[bpy.types.Mesh] = field(default_factory=list[bpy.types.Mesh])
    shaped: list[bpy.types.Object] = field(default_factory=list[bpy.types.Object])
    moved: set[int] = field(default_factory=set[int])
    edited: set[int] = field(default_factory=set[int])
    scene: bool = False
    collections: bool = False
    nodes: bool = False

    @classmethod
    def of(cls, updated: bpy.types.Depsgraph) -> "Changes":
        """Sort the updates of a dependency graph.

        Most updates are of objects that no terrain follows. Blender knows which types they have,
        which costs nothing; an object with a mesh has no new geometry without an update of it.
        """
        changes = cls(
            scene=updated.id_type_updated("SCENE"),
            collections=updated.id_type_updated("COLLECTION"),
            nodes=updated.id_type_updated("NODETREE"),
        )
        has_meshes = updated.id_type_updated("MESH")
        if has_meshes or FOLLOWED.terrains or updated.id_type_updated("CURVE"):
            for update in updated.updates:
                moves, edited = update.is_updated_transform, update.is_updated_geometry
                if has_meshes or moves or edited:
                    changes._add(update.id.original, moves=moves, edited=edited)
        return changes

    def _add(self, item: Any, *, moves: bool, edited: bool) -> None:
        """Note a data-block that was updated."""
        if moves:
            self.moved.add(item.session_uid)
        # A collection is reported as edited once a shape was read: what it holds is compared.
        if edited and not isinstance(item, bpy.types.Collection):
            self.edited.add(item.session_uid)
            if isinstance(item, bpy.types.Object):
                self.shaped.append(item)
        if isinstance(item, bpy.types.Mesh):
            self.meshes.append(item)


@persistent
def _on_update(scene: bpy.types.Scene, updated: bpy.types.Depsgraph) -> None:
    if updated.mode == "RENDER" or nodes.is_own(scene):
        return
    changes = Changes.of(updated)
    EDITS.update(changes.edited)
    for part in _parts(changes):
        try:
            part()
        except Exception:  # the other parts must still learn of this update
            traceback.print_exc()


def _parts(changes: Changes) -> Iterator[Callable[[], None]]:
    """Yield what is to be called after some changes."""
    if not bpy.app.is_job_running("RENDER"):
        if FOLLOWED.reading:
            yield partial(shapes.look_soon, filter(animation.is_animated, changes.meshes))
        else:
            yield partial(animation.follow_updates, changes.meshes)
    yield partial(shapes.note, changes.meshes, changes.moved, changes.edited, changes.scene)
    yield partial(painting.note, changes.shaped)
    yield partial(clipping.note, changes.meshes)
    if not bpy.app.background:
        yield partial(node_results.soon, changes.meshes)
        if changes.nodes:
            yield node_results.look_at_trees
    if changes.collections:
        yield rebuild.forget_deleted
        yield orphans.look
    yield partial(on_objects.follow, changes.shaped)


register, _remove_handlers = handlers_factory({"depsgraph_update_post": _on_update})


def unregister() -> None:
    """Remove the handler, and the timer of painting, which has no handlers of its own."""
    _remove_handlers()
    painting.forget()
