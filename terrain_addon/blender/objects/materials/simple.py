# SPDX-License-Identifier: GPL-3.0-or-later
"""The simple material: the colors as they are, with a fine grain."""

from typing import Any

from ...mesh.terrain_mesh import COLOR
from ..node_trees import add


def build(tree: Any, surface: Any) -> None:
    """Add the nodes to a material's tree, before its Principled BSDF."""
    surface.inputs["Roughness"].default_value = 0.9
    surface.inputs["Specular IOR Level"].default_value = 0.15
    color: Any = tree.nodes.new("ShaderNodeVertexColor")
    color.layer_name = COLOR
    color.location = (-480, 320)
    grain = _grain(tree)
    tree.links.new(_shaded(tree, color.outputs["Color"], grain), surface.inputs["Base Color"])
    tree.links.new(_bumpy(tree, grain), surface.inputs["Normal"])


def _grain(tree: Any) -> Any:
    """Detail finer than the mesh: noise from 50 m to 1 cm, so that some is visible at any distance.

    Values lie between 0 and 1, mostly near 0.5.
    """
    place = add(tree, "ShaderNodeTexCoord", location=(-920, -40)).outputs["Object"]
    inputs = {"Vector": place, "Scale": 1 / 50, "Detail": 12.0, "Roughness": 0.65}
    return add(tree, "ShaderNodeTexNoise", inputs, location=(-720, -40)).outputs[0]


def _shaded(tree: Any, color: Any, grain: Any) -> Any:
    """The color, made lighter and darker by the grain, with its mean unchanged.

    Multiplication, because exporters find vertex colors behind it.
    """
    shade = _ramp(tree, grain, (0.25, 0.75), (0.65, 1.35))
    shade.node.location = (-480, 140)
    product: Any = tree.nodes.new("ShaderNodeMix")
    product.data_type, product.blend_type = "RGBA", "MULTIPLY"
    product.location = (-240, 260)
    # The disabled sockets are for numbers and vectors.
    factor, a, b = (socket for socket in product.inputs if socket.enabled)
    factor.default_value = 1
    tree.links.new(color, a)
    tree.links.new(shade, b)
    return next(socket for socket in product.outputs if socket.enabled)


def _bumpy(tree: Any, grain: Any) -> Any:
    """Normals of the grain, rougher on steep slopes, where rock is bare."""
    form = tree.nodes.new("ShaderNodeNewGeometry")
    form.location = (-920, -360)
    parts: Any = tree.nodes.new("ShaderNodeSeparateXYZ")
    parts.location = (-720, -360)
    tree.links.new(form.outputs["Normal"], parts.inputs["Vector"])
    height = _ramp(tree, parts.outputs["Z"], (0.95, 0.6), (8, 40))
    height.node.location = (-480, -360)
    bump: Any = tree.nodes.new("ShaderNodeBump")
    bump.location = (-240, -120)
    tree.links.new(grain, bump.inputs["Height"])
    tree.links.new(height, bump.inputs["Distance"])
    return bump.outputs["Normal"]


def _ramp(tree: Any, value: Any, source: tuple[float, float], target: tuple[float, float]) -> Any:
    """A value mapped from the source to the target range, clamped."""
    ramp: Any = tree.nodes.new("ShaderNodeMapRange")
    for name, ends in (("From", source), ("To", target)):
        for end, number in zip(("Min", "Max"), ends, strict=True):
            ramp.inputs[f"{name} {end}"].default_value = number
    tree.links.new(value, ramp.inputs["Value"])
    return ramp.outputs["Result"]
