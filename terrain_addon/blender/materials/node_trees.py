# SPDX-License-Identifier: GPL-3.0-or-later
"""Node trees: data-blocks that are created once per file, and their nodes."""

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any, cast

import bpy

from ..app.undo import note_new_data

_MARK = "orogen"
"""Custom property that holds the purpose of a material or node group."""

Values = Mapping[Any, Any]
"""Values of sockets, or sockets to link, by name or number."""
Build = Callable[[Any, Any], Mapping[str, Any]]
"""Adds the nodes of a group to a tree: from its inputs to its outputs, both by name."""
_KINDS = {"VALUE": "Float", "VECTOR": "Vector", "RGBA": "Color", "SHADER": "Shader"}
"""Names of socket types in interfaces, by those of sockets."""


def shared(collection: Iterable[Any], purpose: str, make: Callable[[], Any]) -> Any:
    """Find or create this file's data-block for a purpose."""
    return existing(collection, purpose) or made_for(purpose, make())


def made_for(purpose: str, data: Any) -> Any:
    """Return a new data-block, marked as created for a purpose."""
    note_new_data()
    data[_MARK] = purpose
    return data


def shared_group(name: str, make: Callable[[str], Any]) -> Any:
    """Find or create this file's node group of a name."""
    return shared(bpy.data.node_groups, name, lambda: make(name))


def existing(collection: Iterable[Any], purpose: str) -> Any:
    """Find this file's data-block for a purpose; None if there is none."""
    own = (one for one in collection if not one.library)
    return next((one for one in own if is_for(one, purpose)), None)


def is_for(data: Any, purpose: str) -> bool:
    """Return whether a data-block was created for a purpose."""
    return data.get(_MARK) == purpose


def without_purpose(copy: Any) -> Any:
    """Return a copy of a data-block, which is no longer found as the one for its purpose."""
    if _MARK in copy:
        del copy[_MARK]
    return copy


def new_material(name: str) -> tuple[Any, Any]:
    """Return a material without a shader, and its output node."""
    material: Any = bpy.data.materials.new(name)
    if material.node_tree is None:  # from Blender 5.0 on every material has nodes
        material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    return material, add(tree, "ShaderNodeOutputMaterial")


def new_group(name: str, inputs: Values, outputs: Mapping[str, str]) -> tuple[Any, Any, Any]:
    """Return a node group, the sockets of its inputs, and those of its outputs.

    Inputs have default values: numbers, vectors of three numbers, colors of four, or the name of a
    socket type: "Float", "Vector", "Color" or "Shader". Outputs are such names.
    """
    tree: Any = bpy.data.node_groups.new(name, cast(Any, "ShaderNodeTree"))
    for key, value in inputs.items():
        kind = f"NodeSocket{value if isinstance(value, str) else _kind_of(value)}"
        socket = tree.interface.new_socket(key, in_out="INPUT", socket_type=kind)
        if not isinstance(value, str):
            socket.default_value = value
    for key, kind in outputs.items():
        tree.interface.new_socket(key, in_out="OUTPUT", socket_type=f"NodeSocket{kind}")
    return tree, add(tree, "NodeGroupInput").outputs, add(tree, "NodeGroupOutput").inputs


def _kind_of(value: Any) -> str:
    return "Float" if isinstance(value, int | float) else ("Vector", "Color")[len(value) == 4]


def add(tree: Any, kind: str, inputs: Values | None = None, **settings: Any) -> Any:
    """Return a new node with settings, and with values of or links to its inputs.

    Inputs are found by name or number among those that the settings enable.
    """
    node = tree.nodes.new(kind)
    for name, value in settings.items():
        if getattr(node, name) != value:  # setting one updates the tree
            setattr(node, name, value)
    enabled = [socket for socket in node.inputs if socket.enabled]
    for key, value in (inputs or {}).items():
        named = (socket for socket in enabled if socket.name == key)
        socket = enabled[key] if isinstance(key, int) else next(named)
        connect(tree, value, socket)
    return node


def connect(tree: Any, value: Any, target: Any) -> None:
    """Link a socket to an input, or set the input's default value."""
    if isinstance(value, bpy.types.NodeSocket):
        tree.links.new(value, target)
    else:
        target.default_value = value


def out(node: Any) -> Any:
    """Return the first output that the settings of a node enable."""
    return next(socket for socket in node.outputs if socket.enabled)


def math(tree: Any, operation: str, *values: Any, clamp: bool = False) -> Any:
    """Return the result of a math node."""
    settings = {"operation": operation, "use_clamp": clamp}
    return out(add(tree, "ShaderNodeMath", dict(enumerate(values)), **settings))


def vector(tree: Any, operation: str, *values: Any, **more: Any) -> Any:
    """Return the result of a vector math node; inputs in order, or by name."""
    inputs: Values = {**dict(enumerate(values)), **more}
    return out(add(tree, "ShaderNodeVectorMath", inputs, operation=operation))


def mix(tree: Any, factor: Any, a: Any, b: Any, blend: str = "MIX") -> Any:
    """Return the result of a color mix."""
    inputs = {"Factor": factor, "A": a, "B": b}
    return out(add(tree, "ShaderNodeMix", inputs, data_type="RGBA", blend_type=blend))


def mix_number(tree: Any, factor: Any, a: Any, b: Any) -> Any:
    """Return a mixture of two numbers."""
    return math(tree, "MULTIPLY_ADD", math(tree, "SUBTRACT", b, a), factor, a)


def mix_shader(tree: Any, factor: Any, a: Any, b: Any) -> Any:
    """Return a mixture of two shaders."""
    return out(add(tree, "ShaderNodeMixShader", {0: factor, 1: a, 2: b}))


def plus(tree: Any, *values: Any) -> Any:
    """Return the sum of numbers."""
    return reduce(lambda a, b: math(tree, "ADD", a, b), values)


def times(tree: Any, *values: Any) -> Any:
    """Return the product of numbers."""
    return reduce(lambda a, b: math(tree, "MULTIPLY", a, b), values)


def weighted(tree: Any, *terms: tuple[Any, Any]) -> Any:
    """Return the sum of values, each times its factor: one node for each term."""
    return reduce(lambda sum_, term: math(tree, "MULTIPLY_ADD", *term, sum_), terms, 0.0)


def ramp(tree: Any, value: Any, low: Any, high: Any, start: float = 0.0, end: float = 1.0) -> Any:
    """Add a ramp from ``start`` below ``low`` to ``end`` above ``high``, smooth between."""
    inputs = {"Value": value, "From Min": low, "From Max": high, "To Min": start, "To Max": end}
    return out(add(tree, "ShaderNodeMapRange", inputs, interpolation_type="SMOOTHSTEP"))


def fractal_noise(
    tree: Any, where: Any, scale: Any, detail: float, roughness: float, *, space: str = "3D"
) -> Any:
    """Add fractal noise, 0 to 1, mostly near 0.5; ``where`` is a number in "1D".

    Two dimensions take half the time of three.
    """
    place = "W" if space == "1D" else "Vector"
    inputs = {place: where, "Scale": scale, "Detail": detail, "Roughness": roughness}
    node = add(tree, "ShaderNodeTexNoise", inputs, noise_dimensions=space)
    return node.outputs[0]  # "Fac" or, from Blender 5.0 on, "Factor"


def attribute(tree: Any, name: str, output: str = "Fac", *, of: str = "GEOMETRY") -> Any:
    """Return an attribute of the mesh, or a custom property of the object or mesh."""
    node = add(tree, "ShaderNodeAttribute", attribute_name=name, attribute_type=of, label=name)
    return next(socket for socket in node.outputs if socket.identifier == output)


def bump(tree: Any, height: Any, distance: Any, normal: Any | None = None) -> Any:
    """Return the normal of a relief.

    Cycles evaluates what the height depends on three times: whatever selects where there is relief
    belongs into the distance.
    """
    inputs = {"Height": height, "Distance": distance}
    if normal is not None:
        inputs["Normal"] = normal
    return out(add(tree, "ShaderNodeBump", inputs))


def group(tree: Any, nodes: Any, values: Values) -> Any:
    """Return the outputs of a node group with these inputs."""
    return add(tree, "ShaderNodeGroup", values, node_tree=nodes, label=nodes.name).outputs


def grouped(tree: Any, name: str, build: Build, given: Values | None = None) -> Any:
    """Return the outputs of this file's node group of a name, with these inputs.

    Where the file lacks the group, ``build`` makes its nodes: from the group's tree and the sockets
    of its inputs by name to the sockets of its outputs by name.

    Whatever is added to a tree, Blender looks at all of its nodes again: the time that a tree takes
    to build grows with the square of its size, and several small ones are built faster.
    """
    given = given or {}
    nodes = shared_group(name, lambda name: _made_group(name, build, given))
    return group(tree, nodes, given)


def _made_group(name: str, build: Build, given: Values) -> Any:
    inputs = {key: _KINDS[socket.type] for key, socket in given.items()}
    tree, i, _ = new_group(name, inputs, {})
    found = build(tree, i)
    for key, socket in found.items():
        kind = f"NodeSocket{_KINDS[socket.type]}"
        tree.interface.new_socket(key, in_out="OUTPUT", socket_type=kind)
    result = next(node for node in tree.nodes if node.type == "GROUP_OUTPUT")
    for key, socket in found.items():
        connect(tree, socket, result.inputs[key])
    arrange(tree)
    return tree


def arrange(tree: Any) -> None:
    """Place the nodes in columns, each left of all nodes that it is linked to."""
    nodes = list(tree.nodes)
    number = {node.name: at for at, node in enumerate(nodes)}
    links = [(number[link.from_node.name], number[link.to_node.name]) for link in tree.links]
    column = [0] * len(nodes)
    for _ in nodes:  # as many passes as the longest chain, at most
        before = list(column)
        for source, target in links:
            column[source] = max(column[source], column[target] + 1)
        if column == before:
            break
    below = dict.fromkeys(column, 0.0)
    places: list[float] = []
    for node, at in zip(nodes, column, strict=True):
        places += (-240.0 * at, -below[at])
        below[at] += 120.0 + 24.0 * len(node.inputs)
    tree.nodes.foreach_set("location", places)  # a thousandth of the time of setting each
