# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes that show a grid mesh with fewer points.

The mesh itself stays as it is. As a modifier they change only what Blender draws.
"""

from typing import Any

import bpy

from ..data import nodes
from .new_grid import add_grid

CELLS = 256
"""Cells along the longer side of a lighter mesh, at least."""
LARGE = 1024
"""Cells along the longer side from which a lighter mesh pays. Drawn in software, a change takes
0.41 of the processor time then; with half as many cells 0.78, and the picture is as soft."""
MOST = 2**24
"""Points of a mesh at most: nodes compute the numbers of points in single precision."""

_SAMPLED = {
    "FLOAT": "FLOAT",
    "INT": "INT",
    "BOOLEAN": "BOOLEAN",
    "FLOAT_VECTOR": "FLOAT_VECTOR",
    "FLOAT_COLOR": "FLOAT_COLOR",
    "BYTE_COLOR": "FLOAT_COLOR",
}
"""Types of attributes that nodes can sample, and how they store them."""


def lighter_shape(nx: int, ny: int) -> tuple[int, int]:
    """Return the points of the lighter mesh along X and Y: every fourth one, every eighth, and so
    on.

    All of them if the mesh is not large.
    """
    if max(nx, ny) - 1 < LARGE:
        return nx, ny
    step = 1
    while max(nx, ny) - 1 >= 2 * step * CELLS:
        step *= 2
    return (nx - 1) // step + 1, (ny - 1) // step + 1


def lighter_tree(mesh: bpy.types.Mesh, nx: int, ny: int, uv_map: str) -> bpy.types.NodeTree:
    """Return the nodes that turn a mesh of nx x ny points into a lighter one with the same
    attributes.

    Points and their attributes are samples of the mesh. Other attributes than those of points are
    left out, except the UV map, which follows from the grid.
    """
    mx, my = lighter_shape(nx, ny)
    tree = nodes.new_tree()
    source = tree.nodes.new("NodeGroupInput").outputs[0]
    number = _sampled_point(tree, (mx, my), (nx, ny))
    grid = add_grid(tree, mx, my, uv_map)
    place = tree.nodes.new("GeometryNodeSetPosition")
    tree.links.new(grid, place.inputs["Geometry"])
    position = tree.nodes.new("GeometryNodeInputPosition").outputs[0]
    at = _sample(tree, source, "FLOAT_VECTOR", position, number)
    tree.links.new(at, place.inputs["Position"])
    made = place.outputs[0]
    for name, kind in [
        (attribute.name, _SAMPLED[attribute.data_type])
        for attribute in mesh.attributes
        if attribute.domain == "POINT" and attribute.data_type in _SAMPLED
        if attribute.name != "position" and not attribute.name.startswith(".")
    ]:
        made = _store(tree, made, name, kind, source, number)
    smooth = tree.nodes.new("GeometryNodeSetShadeSmooth")
    tree.links.new(made, smooth.inputs["Geometry"])
    _join(tree, source, smooth.outputs[0])
    return tree


def _store(tree: Any, made: Any, name: str, kind: str, source: Any, number: Any) -> Any:
    """Add to a geometry an attribute sampled from the points of another."""
    read = tree.nodes.new("GeometryNodeInputNamedAttribute")
    read.data_type = kind
    read.inputs["Name"].default_value = name
    store = tree.nodes.new("GeometryNodeStoreNamedAttribute")
    store.domain, store.data_type = "POINT", kind
    store.inputs["Name"].default_value = name
    tree.links.new(made, store.inputs["Geometry"])
    value = _sample(tree, source, kind, read.outputs["Attribute"], number)
    tree.links.new(value, store.inputs["Value"])
    return store.outputs[0]


def _sample(tree: Any, source: Any, kind: str, value: Any, number: Any) -> Any:
    node = tree.nodes.new("GeometryNodeSampleIndex")
    node.domain, node.data_type = "POINT", kind
    tree.links.new(source, node.inputs["Geometry"])
    tree.links.new(value, node.inputs["Value"])
    tree.links.new(number, node.inputs["Index"])
    return node.outputs["Value"]


def _sampled_point(tree: Any, few: tuple[int, int], all_points: tuple[int, int]) -> Any:
    """Return the index of the original point that each point of the lighter mesh samples."""
    (mx, my), (nx, ny) = few, all_points
    index = tree.nodes.new("GeometryNodeInputIndex").outputs[0]
    half = _math(tree, "ADD", index, 0.5)  # a quotient of whole numbers may be rounded down
    row = _math(tree, "FLOOR", _math(tree, "DIVIDE", half, mx), 0)
    column = _math(tree, "SUBTRACT", index, _math(tree, "MULTIPLY", row, mx))
    y = _math(tree, "ROUND", _math(tree, "MULTIPLY", row, (ny - 1) / (my - 1)), 0)
    x = _math(tree, "ROUND", _math(tree, "MULTIPLY", column, (nx - 1) / (mx - 1)), 0)
    return _math(tree, "ADD", _math(tree, "MULTIPLY", y, nx), x)


def _math(tree: Any, operation: str, *values: Any) -> Any:
    node = tree.nodes.new("ShaderNodeMath")
    node.operation = operation
    for socket, value in zip(node.inputs, values, strict=False):
        if isinstance(value, (int, float)):
            socket.default_value = value
        else:
            tree.links.new(value, socket)
    return node.outputs[0]


def _join(tree: Any, source: Any, made: Any) -> None:
    """Output the lighter mesh with the materials and the active color of the source.

    One point of the source carries them: joined meshes take them from the first.
    """
    rest = tree.nodes.new("GeometryNodeDeleteGeometry")
    index = tree.nodes.new("GeometryNodeInputIndex").outputs[0]
    tree.links.new(source, rest.inputs["Geometry"])
    tree.links.new(_math(tree, "GREATER_THAN", index, 0.5), rest.inputs["Selection"])
    join = tree.nodes.new("GeometryNodeJoinGeometry")
    tree.links.new(made, join.inputs[0])  # the last link comes first
    tree.links.new(rest.outputs[0], join.inputs[0])
    first = tree.nodes.new("GeometryNodeSetMaterialIndex")  # the grid node adds an empty slot
    tree.links.new(join.outputs[0], first.inputs["Geometry"])
    tree.links.new(first.outputs[0], tree.nodes.new("NodeGroupOutput").inputs[0])
