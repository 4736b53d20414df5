# SPDX-License-Identifier: GPL-3.0-or-later
"""Node groups for the geometry nodes of users: what a terrain has at any point, and points on it.

Each takes a terrain object. They are made once per file, where they are first asked for, and the
user may edit them. Terrains may be moved, turned and scaled: points are taken into the space of the
terrain, where each place of the plan has one point of the surface, and results back.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import bpy

from ..materials.node_trees import (
    add,
    arrange,
    connect,
    math,
    out,
    ramp,
    shared_group,
    times,
    vector,
)

BEYOND = 1e6
"""Distance in meters where there is neither a river nor a road."""

Socket = tuple[str, str, dict[str, Any], str]
"""Name, type, properties and tooltip of a socket."""
_TERRAIN: Socket = ("Terrain", "Object", {}, "Object of the terrain; it may be moved and scaled")
_POSITION: Socket = (
    "Position",
    "Vector",
    {"default_input": "POSITION", "hide_value": True},
    "Point, of which the plan counts; that of the geometry without a link",
)
_SEED: Socket = ("Seed", "Int", {}, "Number that selects a variation")
_UPRIGHT = {"default_value": 1.570796, "subtype": "ANGLE", "min_value": 0.0, "max_value": 1.570796}
_POSITIVE = {"min_value": 0.0}


@dataclass(frozen=True)
class NodeGroup:
    """A node group: its sockets, and what adds its nodes between them."""

    name: str
    help: str
    inputs: tuple[Socket, ...]
    outputs: tuple[Socket, ...]
    build: Callable[[Any, Any], dict[str, Any]]
    """From the tree and the sockets of the inputs to those of the outputs, by name."""


def node_group(key: str) -> Any:
    """Find or create this file's node group of a key of `GROUPS`."""
    group = GROUPS[key]
    return shared_group(group.name, lambda name: _new_group(name, group))


def _new_group(name: str, group: NodeGroup) -> Any:
    tree: Any = bpy.data.node_groups.new(name, cast(Any, "GeometryNodeTree"))
    tree.description = group.help
    for way, sockets in (("OUTPUT", group.outputs), ("INPUT", group.inputs)):
        for label, kind, properties, help in sockets:
            socket = tree.interface.new_socket(
                label, in_out=way, socket_type=f"NodeSocket{kind}", description=help
            )
            for key, value in properties.items():
                setattr(socket, key, value)
    made = group.build(tree, add(tree, "NodeGroupInput").outputs)
    end = add(tree, "NodeGroupOutput").inputs
    for label, socket in made.items():
        tree.links.new(socket, end[label])
    arrange(tree)
    return tree


def _field_at_point(tree: Any, given: Any) -> dict[str, Any]:
    field = add(tree, "GeometryNodeInputNamedAttribute", {"Name": given["Field"]})
    height = add(tree, "ShaderNodeSeparateXYZ", {0: _position(tree)}).outputs["Z"]
    both = add(tree, "ShaderNodeCombineXYZ", {"X": out(field), "Y": height})
    terrain = _Terrain(tree, given["Terrain"])
    place = terrain.place(given["Position"])
    found, valid = terrain.at(place, out(both))  # one search of the surface for both
    value, height, _ = add(tree, "ShaderNodeSeparateXYZ", {0: found}).outputs
    x, y, _ = add(tree, "ShaderNodeSeparateXYZ", {0: place}).outputs
    point = out(add(tree, "ShaderNodeCombineXYZ", {"X": x, "Y": y, "Z": height}))
    _warn(tree, terrain.lacks(field))
    return {"Value": value, "Height": height, "Surface": terrain.back(point), "On Terrain": valid}


def _snap(tree: Any, given: Any) -> dict[str, Any]:
    values = {"Terrain": given["Terrain"], "Field": "height"}
    at = add(tree, "GeometryNodeGroup", node_tree=node_group("field"))
    for name, value in values.items():
        connect(tree, value, at.inputs[name])
    raised = out(add(tree, "ShaderNodeCombineXYZ", {"Z": given["Offset"]}))
    selected = add(
        tree, "FunctionNodeBooleanMath", {0: given["Selection"], 1: at.outputs["On Terrain"]}
    )
    inputs = {
        "Geometry": given["Geometry"],
        "Selection": out(selected),
        "Position": vector(tree, "ADD", at.outputs["Surface"], raised),
    }
    return {"Geometry": out(add(tree, "GeometryNodeSetPosition", inputs))}


def _normal_and_slope(tree: Any, given: Any) -> dict[str, Any]:
    terrain = _Terrain(tree, given["Terrain"])
    settings = {"domain": "POINT", "data_type": "FLOAT_VECTOR"}
    normal = out(add(tree, "GeometryNodeInputNormal"))
    smooth = out(add(tree, "GeometryNodeFieldOnDomain", {"Value": normal}, **settings))
    found, valid = terrain.at(terrain.place(given["Position"]), smooth)
    # Of a stretched terrain, the inverse turns the normals as the surface turns.
    turned = out(add(tree, "FunctionNodeTransposeMatrix", {0: terrain.inverse}))
    inputs = {"Direction": found, "Transform": turned}
    upward = vector(tree, "NORMALIZE", out(add(tree, "FunctionNodeTransformDirection", inputs)))
    z = add(tree, "ShaderNodeSeparateXYZ", {0: upward}).outputs["Z"]
    slope = math(tree, "DEGREES", math(tree, "ARCCOSINE", z))
    return {"Normal": upward, "Slope": times(tree, slope, valid), "On Terrain": valid}


def _distance(tree: Any, given: Any) -> dict[str, Any]:
    info = _object_info(tree, given["Terrain"], "RELATIVE")
    mesh = info.outputs["Geometry"]
    flow, road = (
        add(tree, "GeometryNodeInputNamedAttribute", {"Name": name}) for name in ("flow", "road")
    )
    river = times(tree, math(tree, "GREATER_THAN", out(flow), given["Least Flow"]), given["Rivers"])
    paved = times(tree, math(tree, "GREATER_THAN", out(road), 0.5), given["Roads"])
    chosen = math(tree, "MAXIMUM", river, paved)
    kept = out(add(tree, "GeometryNodeSeparateGeometry", {0: mesh, 1: chosen}, domain="POINT"))
    place = vector(tree, "MULTIPLY", given["Position"], (1.0, 1.0, 0.0))
    info = add(tree, "GeometryNodeCollectionInfo", {"Collection": given["Curves"]})
    info.transform_space = "RELATIVE"
    real = out(add(tree, "GeometryNodeRealizeInstances", {0: out(info)}))
    lines = out(add(tree, "GeometryNodeCurveToMesh", {"Curve": real}))
    ways = [
        _away(tree, target, place, element)
        for target, element in ((kept, "POINTS"), (lines, "EDGES"))
    ]
    return {"Distance": math(tree, "MINIMUM", *ways)}


def _away(tree: Any, target: Any, place: Any, element: str) -> Any:
    """Return the distance in plan from the points or edges of a geometry; far if it has none."""
    flat = vector(tree, "MULTIPLY", _position(tree), (1.0, 1.0, 0.0))
    plan = out(add(tree, "GeometryNodeSetPosition", {"Geometry": target, "Position": flat}))
    inputs = {0: plan, "Sample Position": place}
    near = add(tree, "GeometryNodeProximity", inputs, target_element=element)
    lacking = math(tree, "SUBTRACT", 1.0, near.outputs["Is Valid"])
    return math(tree, "MULTIPLY_ADD", lacking, BEYOND, near.outputs["Distance"])


def _points(tree: Any, given: Any) -> dict[str, Any]:
    info = _object_info(tree, given["Terrain"], "RELATIVE")
    mesh = info.outputs["Geometry"]
    inputs = {"Mesh": mesh, "Density": given["Density"], "Seed": given["Seed"]}
    spread = add(tree, "GeometryNodeDistributePointsOnFaces", inputs)
    field = add(tree, "GeometryNodeInputNamedAttribute", {"Name": given["Field"]})
    named = math(
        tree, "MINIMUM", out(add(tree, "FunctionNodeStringLength", {0: given["Field"]})), 1.0
    )
    share = ramp(tree, out(field), given["Low"], given["High"])
    kept = math(tree, "MAXIMUM", share, math(tree, "SUBTRACT", 1.0, named))
    z = add(tree, "ShaderNodeSeparateXYZ", {0: spread.outputs["Normal"]}).outputs["Z"]
    gentle = math(tree, "LESS_THAN", math(tree, "ARCCOSINE", z), given["Max Slope"])
    chance = add(tree, "FunctionNodeRandomValue", {"Seed": given["Seed"]}, data_type="FLOAT")
    # Removed from all, so that a point stays in its place when a condition changes.
    gone = math(tree, "GREATER_THAN", out(chance), times(tree, kept, gentle))
    chosen = add(tree, "GeometryNodeDeleteGeometry", {0: spread.outputs["Points"], 1: gone})
    _warn(tree, times(tree, _lacks(tree, mesh, field), named))
    return {
        "Points": out(chosen),
        "Normal": spread.outputs["Normal"],
        "Rotation": spread.outputs["Rotation"],
    }


class _Terrain:
    """The surface of a terrain in a tree: ways into its space, samples there, and ways back."""

    def __init__(self, tree: Any, item: Any) -> None:
        self.tree = tree
        self.mesh = _object_info(tree, item, "ORIGINAL").outputs["Geometry"]
        self.matrix = _object_info(tree, item, "RELATIVE").outputs["Transform"]
        self.inverse = out(add(tree, "FunctionNodeInvertMatrix", {0: self.matrix}))
        box = add(tree, "GeometryNodeBoundBox", {0: self.mesh}).outputs
        self._low = box["Min"]
        self._span = vector(tree, "SUBTRACT", box["Max"], box["Min"])

    def place(self, position: Any) -> Any:
        """Return a point in the space of the terrain."""
        inputs = {"Vector": position, "Transform": self.inverse}
        return out(add(self.tree, "FunctionNodeTransformPoint", inputs))

    def back(self, point: Any) -> Any:
        """Return a point of the terrain's space in that of the modifier's object."""
        inputs = {"Vector": point, "Transform": self.matrix}
        return out(add(self.tree, "FunctionNodeTransformPoint", inputs))

    def at(self, place: Any, values: Any) -> tuple[Any, Any]:
        """Return vectors of the mesh at a place, and whether there is terrain."""
        inputs = {
            "Mesh": self.mesh,
            "Value": values,
            "UV Map": self._share(_position(self.tree)),
            "Sample UV": self._share(place),
        }
        node = add(self.tree, "GeometryNodeSampleUVSurface", data_type="FLOAT_VECTOR")
        for name, value in inputs.items():
            enabled = (one for one in node.inputs if one.enabled and one.name == name)
            connect(self.tree, value, next(enabled))
        return out(node), node.outputs["Is Valid"]

    def lacks(self, field: Any) -> Any:
        """Return whether the mesh has no such attribute, one value for all points."""
        return _lacks(self.tree, self.mesh, field)

    def _share(self, position: Any) -> Any:
        """Return where a point lies between the corners of the mesh, as its UV map would.

        The user may have changed that.
        """
        away = vector(self.tree, "SUBTRACT", position, self._low)
        return vector(self.tree, "DIVIDE", away, self._span)


def _lacks(tree: Any, mesh: Any, field: Any) -> Any:
    """Return whether a mesh has no such attribute, one value for all points."""
    inputs = {"Geometry": mesh, "Value": field.outputs["Exists"]}
    first = add(tree, "GeometryNodeSampleIndex", inputs, data_type="BOOLEAN")
    return math(tree, "SUBTRACT", 1.0, out(first))


def _warn(tree: Any, lacking: Any) -> None:
    """Let the node say that the terrain lacks the field, in releases that can."""
    if not hasattr(bpy.types, "GeometryNodeWarning"):  # before Blender 4.3
        return
    text = "No terrain with this field: choose one, and turn the field on in its Attributes"
    add(tree, "GeometryNodeWarning", {"Show": lacking, "Message": text}, warning_type="WARNING")


def _object_info(tree: Any, item: Any, space: str) -> Any:
    info = add(tree, "GeometryNodeObjectInfo", {"Object": item})
    info.transform_space = space
    return info


def _position(tree: Any) -> Any:
    return out(add(tree, "GeometryNodeInputPosition"))


_GEOMETRY: Socket = ("Geometry", "Geometry", {}, "Points, meshes, curves or instances")
_ON_TERRAIN: Socket = ("On Terrain", "Bool", {}, "Whether there is terrain above or below")

GROUPS: dict[str, NodeGroup] = {
    "field": NodeGroup(
        "Terrain Field at Point",
        "Height and a field of a terrain above or below a point",
        (
            _TERRAIN,
            (
                "Field",
                "String",
                {"default_value": "slope"},
                "Name of a field that the mesh of the terrain stores, such as wetness",
            ),
            _POSITION,
        ),
        (
            ("Value", "Float", {}, "Value of the field; 0 beyond the terrain"),
            ("Height", "Float", {}, "Height in the space of the terrain, in meters"),
            ("Surface", "Vector", {}, "Point of the terrain above or below"),
            _ON_TERRAIN,
        ),
        _field_at_point,
    ),
    "snap": NodeGroup(
        "Snap to Terrain",
        "Moves points up or down onto a terrain; those beyond it stay",
        (
            _GEOMETRY,
            ("Selection", "Bool", {"default_value": True, "hide_value": True}, "Points to move"),
            _TERRAIN,
            ("Offset", "Float", {"subtype": "DISTANCE"}, "Height above the terrain"),
        ),
        (_GEOMETRY,),
        _snap,
    ),
    "distance": NodeGroup(
        "Distance to River or Road",
        "Distance in plan to the rivers of Erosion, to roads, and to drawn curves",
        (
            _TERRAIN,
            ("Rivers", "Bool", {"default_value": True}, "Rivers of Erosion, by the field flow"),
            ("Roads", "Bool", {"default_value": True}, "Roads, by the field road"),
            (
                "Least Flow",
                "Float",
                {"default_value": 0.5, "subtype": "FACTOR", "min_value": 0.0, "max_value": 1.0},
                "Water of the smallest river, from slopes (0) to the largest (1)",
            ),
            ("Curves", "Collection", {}, "Curves that count too, such as drawn rivers"),
            _POSITION,
        ),
        (
            (
                "Distance",
                "Float",
                {},
                "Meters to the nearest point of the mesh on a river or road, or curve; a million "
                "if there is none",
            ),
        ),
        _distance,
    ),
    "normal": NodeGroup(
        "Terrain Normal and Slope",
        "Direction and slope of a terrain above or below a point",
        (_TERRAIN, _POSITION),
        (
            ("Normal", "Vector", {}, "Direction away from the ground, of length 1"),
            ("Slope", "Float", {}, "Degrees from flat (0) to upright (90)"),
            _ON_TERRAIN,
        ),
        _normal_and_slope,
    ),
    "points": NodeGroup(
        "Points on Terrain",
        "Random points on a terrain, which carry its fields as attributes",
        (
            _TERRAIN,
            ("Density", "Float", {"default_value": 0.01} | _POSITIVE, "Points per square meter"),
            _SEED,
            ("Field", "String", {}, "Field that thins the points out; none if empty"),
            ("Low", "Float", {}, "Up to this value of the field there are no points"),
            ("High", "Float", {"default_value": 1.0}, "From this value on all points stay"),
            ("Max Slope", "Float", _UPRIGHT, "Only on gentler ground"),
        ),
        (
            ("Points", "Geometry", {}, "The points; their fields are named attributes"),
            ("Normal", "Vector", {}, "Direction away from the ground at each point"),
            ("Rotation", "Rotation", {}, "Turns Z to the normal"),
        ),
        _points,
    ),
}
"""The node groups by key, in the order of the menu."""
