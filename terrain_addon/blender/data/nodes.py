# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry nodes evaluated on a mesh, outside the user's scene."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import bpy

NAME = ".Terrain"
"""Name of the scenes and data-blocks that nodes are evaluated with, or its beginning."""


@contextmanager
def evaluated(
    tree: bpy.types.NodeTree, mesh: bpy.types.Mesh | None = None
) -> Iterator[tuple[bpy.types.Object, bpy.types.Depsgraph]]:
    """Yield an evaluated object with the nodes as its modifier, on ``mesh`` or an empty one.

    It is in a scene of its own, so that nothing of the user's is evaluated with it. The scene and
    the nodes are removed at the end.
    """
    made: list[bpy.types.ID] = [tree]
    try:
        if mesh is None:
            made.append(mesh := bpy.data.meshes.new(NAME))
        made.append(item := bpy.data.objects.new(NAME, mesh))
        made.append(scene := bpy.data.scenes.new(NAME))
        modifier: Any = item.modifiers.new(NAME, "NODES")
        modifier.node_group = tree
        scene.collection.objects.link(item)
        layer = scene.view_layers[0]
        layer.update()
        graph = cast(bpy.types.Depsgraph, layer.depsgraph)
        yield item.evaluated_get(graph), graph
    finally:
        bpy.data.batch_remove(made)


def is_own(scene: bpy.types.Scene) -> bool:
    """Return whether a scene is one that the extension made to evaluate nodes in."""
    return scene.name.startswith(NAME)


def new_tree() -> Any:
    """Return an empty node tree with a geometry input and a geometry output."""
    tree: Any = bpy.data.node_groups.new(NAME, cast(Any, "GeometryNodeTree"))
    for way in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Mesh", in_out=way, socket_type="NodeSocketGeometry")
    return tree
