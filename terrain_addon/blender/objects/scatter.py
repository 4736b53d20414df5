# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry nodes that spread a collection over a terrain.

Points are distributed on the faces by density and seed, and those that the conditions exclude are
removed afterwards: a point stays in its place when a condition changes.
"""

from typing import Any, cast

import bpy

from ..data.terrains import own_collections, terrain_of
from ..materials.node_trees import add, arrange, math, out, ramp, shared, times, vector
from . import drawn_objects

GROUP = "Terrain Scatter"
MOST = 20_000
"""Instances that a new scatter has at most, about."""
USUAL = {
    "Trees": {"Density": 0.01, "Max Slope": 0.55},
    "Rocks": {"Density": 0.004, "Min Slope": 0.2, "Align": 1.0},
}
"""Settings by collection: instances per square meter, slopes in radians."""
_SLOPE_FADE, _HEIGHT_FADE = 6.0, 4.0
"""Degrees and meters over which the density falls to 0."""

_INPUTS: tuple[tuple[str, str, dict[str, Any], str], ...] = (
    ("Terrain", "Object", {}, "The terrain to spread on"),
    ("Collection", "Collection", {}, "Objects to spread, one at each point"),
    ("Density", "Float", {"default_value": 0.01, "min_value": 0.0}, "Points per square meter"),
    ("Seed", "Int", {}, "Number that selects a variation"),
    ("Min Slope", "Float", {"subtype": "ANGLE", "min_value": 0.0}, "Only on steeper ground"),
    (
        "Max Slope",
        "Float",
        {"default_value": 1.5708, "subtype": "ANGLE", "min_value": 0.0},
        "Only on gentler ground",
    ),
    ("Min Height", "Float", {"default_value": -1e5, "subtype": "DISTANCE"}, "Only above"),
    ("Max Height", "Float", {"default_value": 1e5, "subtype": "DISTANCE"}, "Only below"),
    ("Field", "String", {}, "Field of the terrain that selects a range; none if empty"),
    ("Field Min", "Float", {"default_value": 0.5}, "Only where the field is higher"),
    ("Field Max", "Float", {"default_value": 1e7}, "Only where the field is lower"),
    ("Avoid", "Collection", {}, "Curves and meshes to keep a distance from"),
    (
        "Distance",
        "Float",
        {"default_value": 15.0, "subtype": "DISTANCE", "min_value": 0.0},
        "Distance in plan from lines, edges and faces of the collection to avoid",
    ),
    ("Min Scale", "Float", {"default_value": 0.7, "min_value": 0.0}, "Smallest size"),
    ("Max Scale", "Float", {"default_value": 1.3, "min_value": 0.0}, "Largest size"),
    (
        "Align",
        "Float",
        {"subtype": "FACTOR", "min_value": 0.0, "max_value": 1.0},
        "0: upright, 1: perpendicular to the ground",
    ),
)
"""Name, type, properties and tooltip of the inputs."""


def spread(
    context: bpy.types.Context,
    terrain: bpy.types.Object,
    name: str,
    collection: bpy.types.Collection,
    seed: int,
) -> bpy.types.Object:
    """Return a new child of a terrain object that shows a collection spread over it."""
    mesh = bpy.data.meshes.new(name)
    item = bpy.data.objects.new(name, mesh)
    for one in own_collections(context, terrain.users_collection):
        one.objects.link(item)
    item.parent = terrain
    settings = terrain_of(cast(bpy.types.Mesh, terrain.data))
    values: dict[str, Any] = {"Terrain": terrain, "Collection": collection, "Seed": seed}
    values |= USUAL.get(name, {})
    area = settings.size_x * settings.size_y
    values["Density"] = min(values.get("Density", 0.01), MOST / area)
    if settings.water.show:
        values["Min Height"] = settings.water.level + _HEIGHT_FADE / 2
    values["Avoid"] = drawn_objects.collection_of(terrain)
    modifier: Any = item.modifiers.new(GROUP, "NODES")
    modifier.node_group = group()
    for key, value in values.items():
        set_input(modifier, key, value)
    return item


def modifiers_of(terrain: bpy.types.Object) -> list[tuple[bpy.types.Object, Any]]:
    """Return the objects that show what is spread over a terrain, and their modifiers."""
    return [
        (child, modifier)
        for child in terrain.children
        for modifier in child.modifiers
        if modifier.type == "NODES"
        and (nodes := cast(Any, modifier).node_group)
        and nodes.name.startswith(GROUP)
    ]


def inputs_of(modifier: Any) -> dict[str, tuple[Any, str]]:
    """Return the inputs of the node group of a modifier by name: what holds the value of each, and
    the path of the value in it."""
    sockets = [
        socket
        for socket in modifier.node_group.interface.items_tree
        if socket.item_type == "SOCKET"
        and socket.in_out == "INPUT"
        and socket.socket_type != "NodeSocketGeometry"
    ]
    if hasattr(modifier, "properties"):  # from Blender 5.2 on
        values = modifier.properties.inputs
        return {one.name: (getattr(values, one.identifier), "value") for one in sockets}
    return {one.name: (modifier, f'["{one.identifier}"]') for one in sockets}


def get_input(modifier: Any, name: str) -> Any:
    """Return the value of an input of a modifier."""
    owner, path = inputs_of(modifier)[name]
    return owner.path_resolve(path) if path.startswith("[") else getattr(owner, path)


def set_input(modifier: Any, name: str, value: Any) -> None:
    """Set the value of an input of a modifier."""
    owner, path = inputs_of(modifier)[name]
    if path.startswith("["):
        owner[path[2:-2]] = value
    else:
        setattr(owner, path, value)


def group() -> Any:
    """Find or create this file's node group, which the user may edit."""
    return shared(bpy.data.node_groups, GROUP, _new_group)


def _new_group() -> Any:
    tree: Any = bpy.data.node_groups.new(GROUP, cast(Any, "GeometryNodeTree"))
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    for name, kind, properties, help in _INPUTS:
        socket = tree.interface.new_socket(
            name, in_out="INPUT", socket_type=f"NodeSocket{kind}", description=help
        )
        for key, value in properties.items():
            setattr(socket, key, value)
    tree.is_modifier = True
    given = add(tree, "NodeGroupInput").outputs
    points, normal = _points(tree, given)
    chosen = add(tree, "GeometryNodeDeleteGeometry", {0: points, 1: _excluded(tree, given)})
    made = _instances(tree, given, out(chosen), normal)
    end = add(tree, "NodeGroupOutput")
    tree.links.new(made, end.inputs[0])
    arrange(tree)
    tree.asset_mark()
    tree.asset_data.description = "Spreads a collection over a terrain"
    return tree


def _points(tree: Any, given: Any) -> tuple[Any, Any]:
    """Return the points on the faces of the terrain, and the normals there."""
    info = add(tree, "GeometryNodeObjectInfo", {"Object": given["Terrain"]})
    info.transform_space = "RELATIVE"
    inputs = {"Mesh": info.outputs["Geometry"], "Density": given["Density"], "Seed": given["Seed"]}
    spread = add(tree, "GeometryNodeDistributePointsOnFaces", inputs)
    return spread.outputs["Points"], spread.outputs["Normal"]


def _excluded(tree: Any, given: Any) -> Any:
    """Return whether a point is removed: by chance where the conditions fade."""
    slope = _named(tree, "slope")
    low, high = (math(tree, "DEGREES", given[name]) for name in ("Min Slope", "Max Slope"))
    height = add(tree, "ShaderNodeSeparateXYZ", {0: _position(tree)}).outputs["Z"]
    field = _named(tree, given["Field"])
    kept = times(
        tree,
        _between(tree, slope[0], low, high, _SLOPE_FADE),
        _between(tree, height, given["Min Height"], given["Max Height"], _HEIGHT_FADE),
        _field_weight(tree, given, field),
        _away(tree, given),
    )
    chance = add(tree, "FunctionNodeRandomValue", {"Seed": given["Seed"]}, data_type="FLOAT")
    return math(tree, "GREATER_THAN", out(chance), kept)


def _between(tree: Any, value: Any, low: Any, high: Any, fade: float) -> Any:
    """Return 1 between two values, falling to 0 over a range that is centered at each."""
    half = fade / 2
    ends = [
        (math(tree, "SUBTRACT", end, half), math(tree, "ADD", end, half)) for end in (low, high)
    ]
    rising = ramp(tree, value, *ends[0])
    falling = ramp(tree, value, *ends[1], start=1.0, end=0.0)
    return times(tree, rising, falling)


def _field_weight(tree: Any, given: Any, field: tuple[Any, Any]) -> Any:
    """Return 1 within the range of a field, and everywhere if there is no such field."""
    above = math(tree, "GREATER_THAN", field[0], given["Field Min"])
    below = math(tree, "LESS_THAN", field[0], given["Field Max"])
    missing = math(tree, "SUBTRACT", 1.0, field[1])
    return math(tree, "MAXIMUM", times(tree, above, below), missing)


def _away(tree: Any, given: Any) -> Any:
    """Return 1 beyond the distance from what is avoided, in plan."""
    info = add(tree, "GeometryNodeCollectionInfo", {"Collection": given["Avoid"]})
    info.transform_space = "RELATIVE"
    real = out(add(tree, "GeometryNodeRealizeInstances", {0: out(info)}))
    parts = add(tree, "GeometryNodeSeparateComponents", {0: real}).outputs
    lines = out(add(tree, "GeometryNodeCurveToMesh", {"Curve": parts["Curve"]}))
    both = add(tree, "GeometryNodeJoinGeometry")
    for one in (lines, parts["Mesh"]):
        tree.links.new(one, both.inputs[0])
    plan = (1.0, 1.0, 0.0)
    flat = vector(tree, "MULTIPLY", _position(tree), plan)
    target = out(add(tree, "GeometryNodeSetPosition", {"Geometry": out(both), "Position": flat}))
    # Inside buildings and lakes, edges may be far away.
    clear = [
        _farther(tree, target, flat, given["Distance"], element) for element in ("EDGES", "FACES")
    ]
    return math(tree, "MINIMUM", *clear)


def _farther(tree: Any, target: Any, place: Any, distance: Any, element: str) -> Any:
    """Return 1 at places farther from the edges or faces of a mesh than a distance, and if it has
    none."""
    near = add(tree, "GeometryNodeProximity", target_element=element)
    tree.links.new(target, near.inputs[0])
    where = next(
        socket for socket in near.inputs if socket.name in ("Sample Position", "Source Position")
    )
    tree.links.new(place, where)
    size = add(tree, "GeometryNodeAttributeDomainSize", {0: target}, component="MESH")
    count = size.outputs["Edge Count" if element == "EDGES" else "Face Count"]
    clear = math(tree, "GREATER_THAN", near.outputs["Distance"], distance)
    return math(tree, "MAXIMUM", clear, math(tree, "LESS_THAN", count, 0.5))


def _instances(tree: Any, given: Any, points: Any, normal: Any) -> Any:
    """Return an object of the collection at each point, turned and scaled at random."""
    info = add(tree, "GeometryNodeCollectionInfo", {"Collection": given["Collection"]})
    info.inputs["Separate Children"].default_value = True
    info.inputs["Reset Children"].default_value = True
    up = add(tree, "ShaderNodeCombineXYZ", {2: 1.0})
    inputs = {"Factor": given["Align"], "A": out(up), "B": normal}
    axis = out(add(tree, "ShaderNodeMix", inputs, data_type="VECTOR"))
    upright = add(tree, "FunctionNodeAlignEulerToVector", {"Vector": axis}, axis="Z")
    turn = add(tree, "FunctionNodeRandomValue", {"Max": 6.28319, "Seed": 1}, data_type="FLOAT")
    spun = add(
        tree,
        "FunctionNodeRotateEuler",
        {"Rotation": out(upright), "Angle": out(turn)},
        rotation_type="AXIS_ANGLE",
        space="LOCAL",
    )
    inputs = {"Min": given["Min Scale"], "Max": given["Max Scale"], "Seed": 2}
    scale = add(tree, "FunctionNodeRandomValue", inputs, data_type="FLOAT")
    inputs = {
        "Points": points,
        "Instance": out(info),
        "Pick Instance": True,
        "Rotation": out(spun),
        "Scale": out(scale),
    }
    return out(add(tree, "GeometryNodeInstanceOnPoints", inputs))


def _position(tree: Any) -> Any:
    return out(add(tree, "GeometryNodeInputPosition"))


def _named(tree: Any, name: Any) -> tuple[Any, Any]:
    """Return an attribute of a name, and whether it exists."""
    node = add(tree, "GeometryNodeInputNamedAttribute", {"Name": name}, data_type="FLOAT")
    return out(node), node.outputs["Exists"]
