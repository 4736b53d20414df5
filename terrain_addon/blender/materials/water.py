# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of water: created once, then shared and left to the user.

The surface reflects by Fresnel's equations and has waves of two sizes. That of the sea also has the
color of deep water; the terrain's material darkens the ground below by its depth. Rivers and lakes
lie on ground that does not know of them, so they bring the color of the water and of the bed along,
by the depth in their meshes.
"""

from typing import Any

import bpy

from .node_trees import (
    add,
    arrange,
    attribute,
    connect,
    fractal_noise,
    math,
    mix,
    new_group,
    new_material,
    out,
    ramp,
    shared,
    vector,
)
from .seabed import ABSORPTION, light_left

SURFACE, DEEP_SEA = "Water Surface", "Deep Sea"
ROUGHNESS = 0.55
"""Of the noise of waves and gravel."""
_DEEP = (0.004, 0.022, 0.040, 1.0)
"""What deep water scatters back."""
_DARK = (0.0, 0.0, 0.0, 1.0)
_LAKE = (0.008, 0.026, 0.026, 1.0)
_BED = (0.13, 0.115, 0.09, 1.0)
_PEBBLES = (0.085, 0.075, 0.06, 1.0)
_FOAM = (0.60, 0.62, 0.63, 1.0)


def sea_material() -> bpy.types.Material:
    """Make water through which the ground is visible, with the light that deep water scatters."""
    return shared(bpy.data.materials, "Sea", _make_sea)


def inland_material() -> bpy.types.Material:
    """Make the water of rivers and lakes, colored by the depths in their meshes, white where it
    falls."""
    return shared(bpy.data.materials, "Inland Water", _make_inland)


def deep_sea_material() -> bpy.types.Material:
    """Return a sea floor beyond the terrain, too deep for light to come back from."""
    return shared(bpy.data.materials, DEEP_SEA, _make_deep_sea)


def water_side_material() -> bpy.types.Material:
    """Return the side of a block of water."""
    return shared(bpy.data.materials, "Water Side", _make_side)


def _make_sea() -> Any:
    material, output = _water("Sea")
    tree = material.node_tree
    clear = add(tree, "ShaderNodeBsdfTransparent")
    deep = add(tree, "ShaderNodeBsdfDiffuse", {"Color": _DEEP}, name="Deep Water")
    below = add(tree, "ShaderNodeAddShader", {0: out(clear), 1: out(deep)})
    surface = _surface(tree, out(below), waves=55.0, ripples=7.0)
    tree.links.new(out(surface), output.inputs["Surface"])
    arrange(tree)
    return material


def _make_inland() -> Any:
    material, output = _water("Inland Water")
    tree = material.node_tree
    depth = attribute(tree, "depth")
    place = add(tree, "ShaderNodeTexCoord").outputs["Object"]
    grain = fractal_noise(tree, place, 3.0, 5.0, ROUGHNESS)
    # A bed of gravel, light where it is shallow; more than a few meters down only the water shows.
    bed = mix(tree, grain, _PEBBLES, _BED)
    seen = mix(tree, 1.0, bed, light_left(tree, ABSORPTION, depth), "MULTIPLY")
    veil = math(tree, "SUBTRACT", 1.0, math(tree, "EXPONENT", math(tree, "MULTIPLY", depth, -0.6)))
    color = mix(tree, veil, seen, _LAKE)
    normal = add(tree, "ShaderNodeNewGeometry").outputs["True Normal"]
    level = add(tree, "ShaderNodeSeparateXYZ", {0: normal}).outputs["Z"]
    falls = math(tree, "MULTIPLY", ramp(tree, level, 0.985, 0.93), ramp(tree, grain, 0.45, 0.6))
    color = mix(tree, falls, color, _FOAM)
    body = add(tree, "ShaderNodeBsdfDiffuse", {"Color": color})
    # The edge of the water is broken by stones.
    shore = math(tree, "ADD", depth, math(tree, "MULTIPLY", grain, 0.12))
    wet = ramp(tree, shore, 0.04, 0.14)
    clear = out(add(tree, "ShaderNodeBsdfTransparent"))
    surface = _surface(tree, out(body), waves=8.0, ripples=1.3)
    edge = add(tree, "ShaderNodeMixShader", {0: wet, 1: clear, 2: out(surface)})
    tree.links.new(out(edge), output.inputs["Surface"])
    arrange(tree)
    return material


def _make_deep_sea() -> Any:
    material, output = new_material(DEEP_SEA)
    material.diffuse_color = _DEEP
    tree = material.node_tree
    body = add(tree, "ShaderNodeBsdfDiffuse", {"Color": _DARK})
    tree.links.new(out(body), output.inputs["Surface"])
    arrange(tree)
    return material


def _make_side() -> Any:
    material, output = _water("Water Side")
    tree = material.node_tree
    body = add(tree, "ShaderNodeBsdfDiffuse", {"Color": (0.012, 0.075, 0.095, 1.0)})
    clear = add(tree, "ShaderNodeBsdfTransparent", {"Color": (0.35, 0.72, 0.78, 1.0)})
    side = add(tree, "ShaderNodeMixShader", {0: 0.6, 1: out(clear), 2: out(body)})
    # Seen through the water, the sides at the back are deep water. The order of their corners does
    # not tell the inside from the outside; the middle of the block does.
    form = add(tree, "ShaderNodeNewGeometry").outputs
    normal, incoming = (_in_object(tree, form[name]) for name in ("True Normal", "Incoming"))
    place = add(tree, "ShaderNodeTexCoord").outputs["Object"]
    level = vector(tree, "MULTIPLY", place, (1.0, 1.0, 0.0))
    outward = vector(tree, "DOT_PRODUCT", normal, level)
    toward = vector(tree, "DOT_PRODUCT", normal, incoming)
    outside = math(tree, "GREATER_THAN", math(tree, "MULTIPLY", outward, toward), 0.0)
    depth = add(tree, "ShaderNodeBsdfDiffuse", {"Color": _DARK})
    shader = add(tree, "ShaderNodeMixShader", {0: outside, 1: out(depth), 2: out(side)})
    tree.links.new(out(shader), output.inputs["Surface"])
    arrange(tree)
    return material


def _in_object(tree: Any, direction: Any) -> Any:
    settings = {"vector_type": "VECTOR", "convert_from": "WORLD", "convert_to": "OBJECT"}
    return out(add(tree, "ShaderNodeVectorTransform", {0: direction}, **settings))


def _water(name: str) -> tuple[Any, Any]:
    """Return a material of water without a shader, and its output node."""
    material, output = new_material(name)
    material.diffuse_color = (0.03, 0.16, 0.28, 0.7)
    material.roughness = 0.1
    material.surface_render_method = "BLENDED"
    return material, output


def _surface(tree: Any, below: Any, *, waves: float, ripples: float) -> Any:
    node = add(tree, "ShaderNodeGroup", node_tree=shared(bpy.data.node_groups, SURFACE, _make))
    for name, value in (("Below", below), ("Wave Length", waves), ("Ripple Length", ripples)):
        connect(tree, value, node.inputs[name])
    return node


def _make() -> Any:
    """Return the surface of water over what is below it: a mirror by Fresnel's equations, with
    waves.

    With distance waves get smaller than a pixel: their height fades and the mirror gets rougher
    instead, by the same slopes, so that they do not flicker.
    """
    inputs = {
        "Below": "Shader",
        "Wave Length": 55.0,
        "Wave Height": 0.9,
        "Ripple Length": 7.0,
        "Ripple Height": 0.2,
        "Roughness": 0.04,
    }
    tree, given, result = new_group(SURFACE, inputs, {"Shader": "Shader"})
    length, ripple = given["Wave Length"], given["Ripple Length"]
    distance = add(tree, "ShaderNodeCameraData").outputs["View Distance"]
    place = add(tree, "ShaderNodeNewGeometry").outputs["Position"]
    normal: dict[str, Any] = {}
    for size, height, last in ((length, "Wave Height", 150.0), (ripple, "Ripple Height", 300.0)):
        noise = fractal_noise(tree, place, math(tree, "DIVIDE", 1.0, size), 3.0, ROUGHNESS)
        near = ramp(tree, math(tree, "DIVIDE", distance, size), last, 0.05 * last)
        rise = math(tree, "MULTIPLY", given[height], near)
        bump = add(tree, "ShaderNodeBump", {"Height": noise, "Distance": rise, **normal})
        normal = {"Normal": out(bump)}
    far = ramp(tree, math(tree, "DIVIDE", distance, ripple), 10.0, 300.0)
    rough = math(tree, "MULTIPLY_ADD", far, 0.12, given["Roughness"])
    mirror = add(tree, "ShaderNodeBsdfGlossy", {"Roughness": rough, **normal})
    share = add(tree, "ShaderNodeFresnel", {"IOR": 1.333, **normal})
    below = given["Below"]
    surface = add(tree, "ShaderNodeMixShader", {0: out(share), 1: below, 2: out(mirror)})
    # Waves cast no shadows; without them light finds its way faster.
    shadow = add(tree, "ShaderNodeLightPath").outputs["Is Shadow Ray"]
    shader = add(tree, "ShaderNodeMixShader", {0: shadow, 1: out(surface), 2: below})
    tree.links.new(out(shader), result["Shader"])
    arrange(tree)
    return tree
