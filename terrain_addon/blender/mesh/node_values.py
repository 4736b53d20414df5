# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that a geometry node group of the user returns for each point of a terrain.

The group is evaluated on a mesh of its own, in a scene of its own, with heights and fields as
attributes. Inputs of one number that are named like a field get it. The result is the first output
of one number, or the attribute "result" of the geometry that the group returns.
"""

from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core import Heightfield
from ...core.analysis import FIELDS
from ...core.output import positions
from ..data import nodes
from ..data.attributes import values_of
from . import new_grid

TREE = "GeometryNodeTree"
RESULT = "result"
_STORED = ".terrain_result"
_UV_MAP = "UVMap"
_NUMBERS = ("NodeSocketFloat", "NodeSocketInt", "NodeSocketBool")
_FLOATS = ("NodeSocketFloat",)


def group_named(name: str) -> Any:
    """Return the geometry node group of a name; ValueError if there is none."""
    tree = bpy.data.node_groups.get(name)
    if tree is None or tree.bl_idname != TREE:
        raise ValueError(f"There is no geometry node group named {name!r}: choose another one")
    return tree


def suggestions(group: Any, context: Any, typed: str) -> Iterator[str]:
    """Yield the names of geometry node groups, for the search of a text field."""
    for tree in bpy.data.node_groups:
        if tree.bl_idname == TREE and not tree.name.startswith("."):
            yield tree.name


def fields_read(tree: Any) -> list[str]:
    """Return the fields that a node group reads, by names of attributes or of its inputs; always
    the slope."""
    wanted = {"slope", *map(_field_of, (one.name for one in _sockets(tree, "INPUT")))}
    for one in trees_in(tree):
        for node in one.nodes:
            if node.bl_idname == "GeometryNodeInputNamedAttribute":
                wanted.add(node.inputs["Name"].default_value)
    return [name for name in FIELDS if name in wanted]


def trees_in(tree: Any) -> list[Any]:
    """Return a node tree and all groups in it, each once."""
    found = [tree]
    for one in found:  # grows as it goes
        inner = (getattr(node, "node_tree", None) for node in one.nodes)
        found += [group for group in inner if group and group not in found]
    return found


def values(tree: Any, below: Heightfield) -> NDArray[np.float32]:
    """Return the values of a node group on the grid of a terrain: (ny, nx) float32.

    Raises ValueError for a group that does not return a finite number for each point.
    """
    grid = below.grid
    mesh = _mesh_of(below, fields_read(tree))
    try:
        with nodes.evaluated(_wrapped(tree), mesh) as (item, _):
            made: Any = item.data
            count = len(made.vertices)
            if count != grid.nx * grid.ny:
                raise ValueError(
                    f"The nodes {tree.name!r} return {count} of {grid.nx * grid.ny} points: keep "
                    "all points of the geometry"
                )
            found = made.attributes.get(_STORED) or made.attributes.get(RESULT)
            if found is None or (found.domain, found.data_type) != ("POINT", "FLOAT"):
                raise ValueError(
                    f"The nodes {tree.name!r} return no number for each point: add an output of "
                    f"the type Float, or store the attribute {RESULT!r}"
                )
            result = values_of(found).reshape(grid.shape)
    finally:
        bpy.data.meshes.remove(mesh)
    if not np.isfinite(result).all():
        raise ValueError(
            f"The nodes {tree.name!r} return values that are no numbers, such as 1 / 0: limit them"
        )
    return result


def _mesh_of(below: Heightfield, names: list[str]) -> bpy.types.Mesh:
    """Return a mesh of a terrain with its heights and fields as attributes."""
    grid = below.grid
    mesh = new_grid.new(nodes.NAME, grid.nx, grid.ny, _UV_MAP)
    place: Any = mesh.attributes["position"]
    place.data.foreach_set("vector", positions(grid, below.height).reshape(-1))
    given = {"height": below.height}
    given |= {name: below.fields[name] for name in names if name in below.fields}
    for name, field in given.items():
        made: Any = mesh.attributes.new(name, "FLOAT", "POINT")
        made.data.foreach_set("value", np.ascontiguousarray(field, np.float32).reshape(-1))
    mesh.update()
    return mesh


def _wrapped(tree: Any) -> Any:
    """Return nodes that feed a group with the mesh and its fields, and store what it returns."""
    outer = nodes.new_tree()
    mesh = outer.nodes.new("NodeGroupInput").outputs[0]
    inner = outer.nodes.new("GeometryNodeGroup")
    inner.node_tree = tree
    for socket in _sockets(tree, "INPUT"):
        target = next(one for one in inner.inputs if one.identifier == socket.identifier)
        if socket.socket_type == "NodeSocketGeometry":
            outer.links.new(mesh, target)
        elif (name := _field_of(socket.name)) and socket.socket_type in _NUMBERS:
            read = outer.nodes.new("GeometryNodeInputNamedAttribute")
            read.data_type = "FLOAT"
            read.inputs["Name"].default_value = name
            outer.links.new(read.outputs["Attribute"], target)
    made = next((one for one in inner.outputs if one.type == "GEOMETRY"), mesh)
    numbers = [one for one in _sockets(tree, "OUTPUT") if one.socket_type in _FLOATS]
    if numbers:
        value = next(one for one in inner.outputs if one.identifier == numbers[0].identifier)
        made = _stored(outer, made, value)
    outer.links.new(made, outer.nodes.new("NodeGroupOutput").inputs[0])
    return outer


def _stored(tree: Any, geometry: Any, value: Any) -> Any:
    store = tree.nodes.new("GeometryNodeStoreNamedAttribute")
    store.data_type, store.domain = "FLOAT", "POINT"
    store.inputs["Name"].default_value = _STORED
    tree.links.new(geometry, store.inputs["Geometry"])
    target = next(one for one in store.inputs if one.name == "Value" and one.enabled)
    tree.links.new(value, target)
    return store.outputs[0]


def _sockets(tree: Any, way: str) -> list[Any]:
    items = tree.interface.items_tree
    return [one for one in items if one.item_type == "SOCKET" and one.in_out == way]


def _field_of(name: str) -> str:
    """Return the field that an input means, by its key or label; "" for none."""
    key = name.lower().replace(" ", "_")
    if key == "height" or key in FIELDS:
        return key
    return next((one for one, field in FIELDS.items() if field.label == name), "")
