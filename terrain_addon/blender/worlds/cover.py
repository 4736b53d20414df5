# SPDX-License-Identifier: GPL-3.0-or-later
"""The faces of an overview that loaded tiles take the place of.

The mesh keeps them, so that they can be selected and come back; a modifier hides them.
"""

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..data.nodes import new_tree
from ..materials.node_trees import add, out, shared

LOADED = "loaded"
"""The attribute that marks these faces."""
NAME = "Hide Loaded Tiles"
"""Name of the modifier, and of its nodes."""


def add_modifier(item: Any) -> None:
    """Hide the marked faces of an object."""
    if NAME not in item.modifiers:
        item.modifiers.new(NAME, "NODES").node_group = shared(bpy.data.node_groups, NAME, _tree)


def write(mesh: Any, covered: NDArray[np.bool_]) -> None:
    """Mark the faces of a mesh, in their order, that are covered."""
    attribute = mesh.attributes.get(LOADED) or mesh.attributes.new(LOADED, "BOOLEAN", "FACE")
    attribute.data.foreach_set("value", covered.reshape(-1))
    mesh.update()


def _tree() -> bpy.types.NodeTree:
    tree = new_tree()
    tree.name = NAME
    mesh = add(tree, "NodeGroupInput").outputs[0]
    marked = add(tree, "GeometryNodeInputNamedAttribute", {"Name": LOADED}, data_type="BOOLEAN")
    cut = add(tree, "GeometryNodeDeleteGeometry", domain="FACE")
    tree.links.new(mesh, cut.inputs["Geometry"])
    tree.links.new(out(marked), cut.inputs["Selection"])
    tree.links.new(cut.outputs[0], add(tree, "NodeGroupOutput").inputs[0])
    return tree
