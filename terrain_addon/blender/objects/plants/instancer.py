# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry nodes that show a model at each point of plants."""

from typing import Any, cast

import bpy

from ...data.plant_objects import settings_of_plants
from ...materials.node_trees import add, arrange, math, out, shared

GROUP = "Terrain Plants"
MODELS, SHARE, FAR, SIMPLE = "Models", "In Viewport", "Far", "Simple Models"
"""Names of the inputs."""
_INPUTS: tuple[tuple[str, str, dict[str, Any], str], ...] = (
    (MODELS, "Collection", {}, "Models, of which each point has the number"),
    (
        SHARE,
        "Float",
        {"default_value": 1.0, "min_value": 0.0, "max_value": 1.0, "subtype": "FACTOR"},
        "Share of the plants that viewports show",
    ),
    (
        FAR,
        "Float",
        {"default_value": 250.0, "min_value": 0.0, "subtype": "DISTANCE"},
        "Distance from the camera from which simple models are shown",
    ),
    (SIMPLE, "Bool", {"default_value": True}, "Show simple models in viewports"),
)
"""Name, type, properties and tooltip of the inputs."""


def show(item: bpy.types.Object) -> None:
    """Let the modifier of plants show what their settings say; it is added where it is missing."""
    settings, tree = settings_of_plants(item), group()
    modifier: Any = next(
        (one for one in item.modifiers if getattr(one, "node_group", None) == tree), None
    )
    if modifier is None:
        modifier = item.modifiers.new(GROUP, "NODES")
        modifier.node_group = tree
    values = {
        MODELS: settings.models,
        SHARE: settings.viewport_share,
        FAR: settings.far,
        SIMPLE: settings.viewport_simple,
    }
    for name, value in values.items():
        set_input(modifier, name, value)
    item.update_tag()


def set_input(modifier: Any, name: str, value: Any) -> None:
    """Set the value of an input of a modifier."""
    key = next(
        one.identifier
        for one in modifier.node_group.interface.items_tree
        if one.item_type == "SOCKET" and one.in_out == "INPUT" and one.name == name
    )
    if hasattr(modifier, "properties"):  # from Blender 5.2 on
        getattr(modifier.properties.inputs, key).value = value
    else:
        modifier[key] = value


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
    viewport = out(add(tree, "GeometryNodeIsViewport"))
    beyond = math(tree, "GREATER_THAN", _named(tree, "rank"), given[SHARE])
    hidden = math(tree, "MULTIPLY", beyond, viewport)
    few = add(tree, "GeometryNodeDeleteGeometry", {0: given["Geometry"], 1: hidden})
    made = _instances(tree, given, out(few), _is_far(tree, given, viewport))
    end = add(tree, "NodeGroupOutput")
    tree.links.new(made, end.inputs[0])
    arrange(tree)
    return tree


def _is_far(tree: Any, given: Any, viewport: Any) -> Any:
    """Return 1 at points that are shown by simple models."""
    camera = out(add(tree, "GeometryNodeInputActiveCamera"))
    info = add(tree, "GeometryNodeObjectInfo", {"Object": camera})
    info.transform_space = "RELATIVE"
    place = out(add(tree, "GeometryNodeInputPosition"))
    distance = add(
        tree, "ShaderNodeVectorMath", {0: place, 1: info.outputs["Location"]}, operation="DISTANCE"
    )
    far = math(tree, "GREATER_THAN", out(distance), given[FAR])
    return math(tree, "MAXIMUM", far, math(tree, "MULTIPLY", viewport, given[SIMPLE]))


def _instances(tree: Any, given: Any, points: Any, far: Any) -> Any:
    """Return a model at each point, turned and sized."""
    info = add(tree, "GeometryNodeCollectionInfo", {"Collection": given[MODELS]})
    info.inputs["Separate Children"].default_value = True
    info.inputs["Reset Children"].default_value = True
    near, simple = _named(tree, "model", "INT"), _named(tree, "far_model", "INT")
    inputs = {"Switch": far, "False": near, "True": simple}
    chosen = add(tree, "GeometryNodeSwitch", inputs, input_type="INT")
    turn = out(add(tree, "ShaderNodeCombineXYZ", {2: _named(tree, "rotation")}))
    inputs = {
        "Points": points,
        "Instance": out(info),
        "Pick Instance": True,
        "Instance Index": out(chosen),
        "Rotation": turn,
        "Scale": _named(tree, "size", "FLOAT_VECTOR"),
    }
    return out(add(tree, "GeometryNodeInstanceOnPoints", inputs))


def _named(tree: Any, name: str, kind: str = "FLOAT") -> Any:
    return out(add(tree, "GeometryNodeInputNamedAttribute", {"Name": name}, data_type=kind))
