# SPDX-License-Identifier: GPL-3.0-or-later
"""New grids of points, edges, faces and UVs, made by Blender's own nodes.

For a million points that takes a twentieth of a second, where writing connections and UVs through
Python takes five times as long. It can only make a new mesh, never fill one that is there: that
is left to :func:`terrain_mesh.build`.
"""

from typing import Any

import bpy

from ..data import nodes

RESOLUTION: dict[str, Any] = {
    "default": 513,
    "min": 2,
    "max": 16385,
    "soft_min": 65,
    "soft_max": 2049,
}
"""Limits of a property that counts points along a side."""


def new(name: str, nx: int, ny: int, uv_map: str) -> bpy.types.Mesh:
    """A mesh of nx x ny points and the faces between them, with UVs, as ``core.mesh`` has it.

    Where the points lie is left to the caller.
    """
    with nodes.evaluated(_grid(nx, ny, uv_map)) as (item, graph):
        mesh = bpy.data.meshes.new_from_object(item, depsgraph=graph)
    mesh.name = name
    mesh.materials.clear()  # the grid node leaves an empty slot
    mesh.shade_smooth()
    layer = mesh.uv_layers[uv_map]
    layer.active = layer.active_render = True
    return mesh


def _grid(nx: int, ny: int, uv_map: str) -> bpy.types.NodeTree:
    """Nodes that make the grid, with faces that are squares of 1 m.

    The node numbers points along its Y first. Its Y is our X, so its faces look down until they
    are flipped.
    """
    tree = nodes.new_tree()
    grid = tree.nodes.new("GeometryNodeMeshGrid")
    for axis, count in (("X", ny), ("Y", nx)):
        number = tree.nodes.new("FunctionNodeInputInt")  # the socket's own value ends at 1000
        number.integer = count
        tree.links.new(number.outputs[0], grid.inputs[f"Vertices {axis}"])
        grid.inputs[f"Size {axis}"].default_value = count - 1
    flip = tree.nodes.new("GeometryNodeFlipFaces")
    tree.links.new(grid.outputs["Mesh"], flip.inputs["Mesh"])
    store = tree.nodes.new("GeometryNodeStoreNamedAttribute")
    store.domain, store.data_type = "CORNER", "FLOAT2"
    store.inputs["Name"].default_value = uv_map
    tree.links.new(flip.outputs["Mesh"], store.inputs["Geometry"])
    tree.links.new(_uvs(tree, nx, ny), store.inputs["Value"])
    tree.links.new(store.outputs[0], tree.nodes.new("NodeGroupOutput").inputs[0])
    return tree


def _uvs(tree: Any, nx: int, ny: int) -> bpy.types.NodeSocket:
    """Nodes that count the faces before a point and divide by how many there are.

    The UVs that the grid node can give are those of its own axes, and rounded for most sizes.
    Made at the points, which are a quarter of the face corners.
    """
    at = tree.nodes.new("GeometryNodeInputPosition").outputs[0]
    for operation, vector in (
        ("ADD", ((ny - 1) / 2, (nx - 1) / 2, 0)),
        ("DIVIDE", (ny - 1, nx - 1, 1)),
    ):
        step = tree.nodes.new("ShaderNodeVectorMath")
        step.operation = operation
        step.inputs[1].default_value = vector
        tree.links.new(at, step.inputs[0])
        at = step.outputs[0]
    parts = tree.nodes.new("ShaderNodeSeparateXYZ")
    swapped = tree.nodes.new("ShaderNodeCombineXYZ")
    tree.links.new(at, parts.inputs[0])
    tree.links.new(parts.outputs["X"], swapped.inputs["Y"])
    tree.links.new(parts.outputs["Y"], swapped.inputs["X"])
    points = tree.nodes.new("GeometryNodeFieldOnDomain")
    points.domain, points.data_type = "POINT", "FLOAT_VECTOR"
    tree.links.new(swapped.outputs[0], points.inputs["Value"])
    return points.outputs["Value"]
