# SPDX-License-Identifier: GPL-3.0-or-later
"""Shader nodes written as expressions, and node groups with named sockets."""

from typing import Any

import bpy

Socket = Any
"""A socket, a number, or a tuple of numbers."""
COLUMN, ROW = 200, 190
"""Distances of nodes in the editor."""


class Nodes:
    """Adds nodes to a tree; each method returns the output socket."""

    def __init__(self, tree: Any) -> None:
        self.tree = tree

    def add(self, kind: str, **settings: Any) -> Any:
        """A new node of the type ``ShaderNode`` + kind."""
        node = self.tree.nodes.new(f"ShaderNode{kind}")
        for name, value in settings.items():
            setattr(node, name, value)
        return node

    def connect(self, value: Socket, target: Any) -> None:
        """Link a socket to an input, or set the input's default to a number or tuple."""
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, target)
        else:
            target.default_value = value

    def math(self, operation: str, *values: Socket, clamp: bool = False) -> Any:
        """A Math node."""
        node = self.add("Math", operation=operation, use_clamp=clamp)
        for value, target in zip(values, node.inputs, strict=False):
            self.connect(value, target)
        return node.outputs[0]

    def sum(self, *values: Socket) -> Any:
        """The sum of numbers."""
        total = values[0]
        for value in values[1:]:
            total = self.math("ADD", total, value)
        return total

    def times(self, *values: Socket) -> Any:
        """The product of numbers."""
        product = values[0]
        for value in values[1:]:
            product = self.math("MULTIPLY", product, value)
        return product

    def vector(self, operation: str, *values: Socket, scale: Socket | None = None) -> Any:
        """A Vector Math node: its number for products of vectors, otherwise its vector."""
        node = self.add("VectorMath", operation=operation)
        for value, target in zip(values, node.inputs, strict=False):
            self.connect(value, target)
        if scale is not None:
            self.connect(scale, node.inputs["Scale"])
        return node.outputs["Value" if operation == "DOT_PRODUCT" else "Vector"]

    def ramp(
        self, value: Socket, low: Socket, high: Socket, start: Socket = 0.0, end: Socket = 1.0
    ) -> Any:
        """``start`` below ``low`` to ``end`` above ``high``, smooth between."""
        node = self.add("MapRange", interpolation_type="SMOOTHSTEP")
        names = ("Value", "From Min", "From Max", "To Min", "To Max")
        for name, one in zip(names, (value, low, high, start, end), strict=True):
            self.connect(one, node.inputs[name])
        return node.outputs["Result"]

    def mix(self, factor: Socket, a: Socket, b: Socket, blend: str = "MIX") -> Any:
        """A mixture of two colors, not clamped."""
        node = self.add("Mix", data_type="RGBA", blend_type=blend)
        sockets = [one for one in node.inputs if one.enabled]  # those of colors
        for value, target in zip((factor, a, b), sockets, strict=True):
            self.connect(_color(value), target)
        return next(one for one in node.outputs if one.enabled)

    def mix_number(self, factor: Socket, a: Socket, b: Socket) -> Any:
        """A mixture of two numbers."""
        return self.math("MULTIPLY_ADD", self.math("SUBTRACT", b, a), factor, a)

    def mix_shader(self, factor: Socket, a: Socket, b: Socket) -> Any:
        """A mixture of two shaders."""
        node = self.add("MixShader")
        for value, target in zip((factor, a, b), node.inputs, strict=True):
            self.connect(value, target)
        return node.outputs[0]

    def noise(
        self, where: Socket, scale: Socket, detail: float, roughness: float, *, space: str = "3D"
    ) -> Any:
        """Fractal noise, 0 to 1, mostly near 0.5; ``where`` is a number in "1D".

        Two dimensions take half the time of three.
        """
        node = self.add("TexNoise", noise_dimensions=space)
        for name, value in (("W" if space == "1D" else "Vector", where), ("Scale", scale)):
            self.connect(value, node.inputs[name])
        node.inputs["Detail"].default_value = detail
        node.inputs["Roughness"].default_value = roughness
        return node.outputs[0]  # "Fac" or, from Blender 5.0 on, "Factor"

    def attribute(self, name: str, output: str = "Fac", *, of: str = "GEOMETRY") -> Any:
        """An attribute of the mesh, or a custom property of the object or mesh."""
        node = self.add("Attribute", attribute_name=name, attribute_type=of)
        node.label = name
        return next(one for one in node.outputs if one.identifier == output)

    def bump(self, height: Socket, distance: Socket, normal: Socket | None = None) -> Any:
        """The normal of a relief.

        Cycles evaluates what the height depends on three times: whatever selects where there is
        relief belongs into the distance.
        """
        node = self.add("Bump")
        self.connect(height, node.inputs["Height"])
        self.connect(distance, node.inputs["Distance"])
        if normal is not None:
            self.connect(normal, node.inputs["Normal"])
        return node.outputs["Normal"]

    def group(self, tree: Any, values: dict[str, Socket]) -> Any:
        """The outputs of a node group with these inputs."""
        node = self.add("Group", node_tree=tree, label=tree.name)
        for name, value in values.items():
            self.connect(value, node.inputs[name])
        return node.outputs

    def arrange(self) -> None:
        """Place the nodes in columns by their distance from the output."""
        depth = dict.fromkeys(self.tree.nodes, 0)
        for _ in range(len(depth)):  # the longest path to the output
            moved = False
            for link in self.tree.links:
                if depth[link.from_node] <= depth[link.to_node]:
                    depth[link.from_node] = depth[link.to_node] + 1
                    moved = True
            if not moved:
                break
        rows: dict[int, int] = {}
        for node, column in depth.items():
            row = rows[column] = rows.get(column, -1) + 1
            node.location = (-COLUMN * column, -ROW * row)


def _color(value: Socket) -> Socket:
    """RGB as RGBA."""
    return (*value, 1.0) if isinstance(value, tuple) and len(value) == 3 else value


def new_group(name: str, inputs: dict[str, Any], outputs: dict[str, str]) -> tuple[Any, Any, Any]:
    """A new node group: the writer of its nodes, its input sockets and its output sockets.

    ``inputs`` are defaults by name: numbers, vectors (three numbers) or colors (four).
    ``outputs`` are "Float", "Vector" or "Color" by name.
    """
    tree: Any = bpy.data.node_groups.new(name, "ShaderNodeTree")  # pyright: ignore[reportArgumentType]
    for label, value in inputs.items():
        kind = "Float" if not isinstance(value, tuple) else ("Vector", "Color")[len(value) == 4]
        socket = tree.interface.new_socket(label, in_out="INPUT", socket_type=f"NodeSocket{kind}")
        socket.default_value = value
    for label, kind in outputs.items():
        tree.interface.new_socket(label, in_out="OUTPUT", socket_type=f"NodeSocket{kind}")
    entry, end = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    return Nodes(tree), entry.outputs, end.inputs
