# SPDX-License-Identifier: GPL-3.0-or-later
"""The nearest elements of any mesh to those of a grid, seen from above.

Geometry nodes find them in one or two seconds per domain for a million points.
"""

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core import Grid
from ...core.output import positions
from ..data import nodes
from ..data.attributes import values_of
from . import new_grid
from .domains import element_order

_UV_MAP, _FOUND = "UVMap", "found_"


def nearest(
    mesh: bpy.types.Mesh, old: Grid, new: Grid, domains: Sequence[str]
) -> dict[str, NDArray[np.int32]]:
    """Find, for each element of the ``new`` grid, the nearest of a mesh that was ``old``.

    They are in the order of the domain's grids. Grids of different sizes are scaled to coincide.
    """
    if not domains:
        return {}
    source = bpy.data.objects.new(nodes.NAME, mesh)
    target = new_grid.new(nodes.NAME, new.nx, new.ny, _UV_MAP)
    try:
        flat: Any = target.attributes["position"]
        flat.data.foreach_set("vector", positions(new, np.zeros(new.shape, np.float32)).ravel())
        factors = (
            new.dx * (new.nx - 1) / old.dx / (old.nx - 1),
            new.dy * (new.ny - 1) / old.dy / (old.ny - 1),
            0.0,
        )
        with nodes.evaluated(_search(source, factors, domains), target) as (item, _):
            found: Any = item.data
            return {
                domain: values_of(found.attributes[_FOUND + domain])[
                    element_order(target, (new.nx, new.ny), domain), 0
                ]
                for domain in domains
            }
    finally:
        bpy.data.batch_remove([source, target])


def _search(
    source: bpy.types.Object, factors: tuple[float, float, float], domains: Sequence[str]
) -> bpy.types.NodeTree:
    """Return the nodes that store the indices of the nearest elements, for each domain."""
    tree = nodes.new_tree()
    place = tree.nodes.new("GeometryNodeInputPosition").outputs[0]
    info = tree.nodes.new("GeometryNodeObjectInfo")
    info.inputs["Object"].default_value = source
    flat = tree.nodes.new("GeometryNodeSetPosition")
    tree.links.new(info.outputs["Geometry"], flat.inputs["Geometry"])
    tree.links.new(_vector(tree, "MULTIPLY", place, factors), flat.inputs["Position"])
    made = tree.nodes.new("NodeGroupInput").outputs[0]
    for domain in domains:
        look = tree.nodes.new("GeometryNodeSampleNearest")
        look.domain = domain
        tree.links.new(flat.outputs["Geometry"], look.inputs["Geometry"])
        if domain == "CORNER":
            tree.links.new(_inside(tree, place), look.inputs["Sample Position"])
        store = tree.nodes.new("GeometryNodeStoreNamedAttribute")
        store.domain, store.data_type = domain, "INT"
        store.inputs["Name"].default_value = _FOUND + domain
        tree.links.new(made, store.inputs["Geometry"])
        tree.links.new(look.outputs[0], store.inputs["Value"])
        made = store.outputs["Geometry"]
    tree.links.new(made, tree.nodes.new("NodeGroupOutput").inputs[0])
    return tree


def _inside(tree: Any, place: Any) -> Any:
    """Return corners moved half way to the center of their face: otherwise several coincide."""
    center = tree.nodes.new("GeometryNodeFieldOnDomain")
    center.domain, center.data_type = "FACE", "FLOAT_VECTOR"
    tree.links.new(place, center.inputs["Value"])
    both = _vector(tree, "ADD", place, center.outputs["Value"])
    return _vector(tree, "MULTIPLY", both, (0.5, 0.5, 0.5))


def _vector(tree: Any, operation: str, first: Any, second: Any) -> Any:
    """Return the output of a vector math node; the second operand may be three numbers."""
    node = tree.nodes.new("ShaderNodeVectorMath")
    node.operation = operation
    tree.links.new(first, node.inputs[0])
    if isinstance(second, tuple):
        node.inputs[1].default_value = second
    else:
        tree.links.new(second, node.inputs[1])
    return node.outputs[0]
