# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of worlds: those of terrains, with patterns that continue from tile to tile."""

from typing import Any

import bpy

from ..materials import terrain_material
from ..materials.node_trees import shared, without_purpose


def of_world(kind: str, folder: str, overview: Any) -> bpy.types.Material:
    """Return the material of a world, whose patterns have the coordinates of the overview."""
    original: Any = terrain_material(kind)

    def make() -> Any:
        material = without_purpose(original.copy())
        _own_groups(material.node_tree, {})
        return material

    material = shared(bpy.data.materials, f"{original.name} of {folder}", make)
    _place(material.node_tree, overview)
    return material


def _own_groups(tree: Any, copies: dict[Any, Any]) -> None:
    """Replace the groups of a tree that have coordinates by copies, which may have others."""
    for node in tree.nodes:
        if node.type == "GROUP" and node.node_tree and _has_places(node.node_tree):
            if node.node_tree not in copies:
                copies[node.node_tree] = copy = without_purpose(node.node_tree.copy())
                _own_groups(copy, copies)
            node.node_tree = copies[node.node_tree]


def _has_places(tree: Any) -> bool:
    """Return whether a tree or a group in it has texture coordinates."""
    return any(
        node.type == "TEX_COORD"
        or (node.type == "GROUP" and node.node_tree and _has_places(node.node_tree))
        for node in tree.nodes
    )


def _place(tree: Any, overview: Any) -> None:
    """Let texture coordinates be those of an object; None for the object that is shaded."""
    for node in tree.nodes:
        if node.type == "TEX_COORD":
            node.object = overview
        elif node.type == "GROUP" and node.node_tree and _has_places(node.node_tree):
            _place(node.node_tree, overview)
