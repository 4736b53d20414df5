# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry nodes as a tool: what they make of a mesh, out of sight of the user's scene."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import bpy

NAME = ".Terrain"


@contextmanager
def evaluated(
    tree: bpy.types.NodeTree, mesh: bpy.types.Mesh | None = None
) -> Iterator[tuple[bpy.types.Object, bpy.types.Depsgraph]]:
    """An evaluated object that has the nodes as its modifier, on ``mesh`` or on none.

    It lives in a scene of its own, so that nothing of the user's is evaluated along with it. That
    scene and the nodes are gone at the end.
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


def new_tree() -> Any:
    """Nodes with a geometry that goes in and one that comes out, and nothing in between."""
    tree: Any = bpy.data.node_groups.new(NAME, cast(Any, "GeometryNodeTree"))
    for way in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Mesh", in_out=way, socket_type="NodeSocketGeometry")
    return tree
