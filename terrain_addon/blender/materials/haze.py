# SPDX-License-Identifier: GPL-3.0-or-later
"""Haze: what is far away takes the color of the sky at the horizon.

A node group in front of the output of a material mixes its shader with the light that the air
scatters, by 1 - exp(-distance / length) (Koschmieder, 1924). It does so on rays from the camera
alone, so that light and reflections are those of the materials. There is one such group for each
sky. Scenes share materials: a material has the haze of the scene that was set up last.
"""

from collections.abc import Iterable
from typing import Any

import bpy

from .node_trees import add, arrange, is_for, math, mix, new_group, out, shared, vector

HAZE = "Haze"
_SAMPLING = "terrain_haze_sampling"
"""Custom property of materials whose faces Cycles regarded as lamps before they had haze."""
_DENSITY = "terrain_haze_density"
"""Custom property of materials that are seen through thicker haze than the terrain."""
SCATTERING = (0.72, 1.0, 1.5)
"""Scattering of red, green and blue light relative to green, by the wavelength to the power of -2:
between that of air (-4) and that of droplets (0). It makes what is not far away blue."""
_CHANNELS = ("Red", "Green", "Blue")
"""Nodes of the group that hold the scattering, by name."""


def insert(material: Any, length: float, haze: Any) -> None:
    """Show a material through a `group` of haze of a length in meters.

    Where there is haze, it keeps its tint. The length is divided by the density of `thicken`.
    """
    outputs = [socket for socket in _outputs(material) if socket.inputs["Surface"].is_linked]
    for output in outputs:
        node = _before(output)
        if node is None:
            tree = material.node_tree
            node = add(tree, "ShaderNodeGroup", node_tree=haze, name=HAZE, label=HAZE)
            tree.links.new(output.inputs["Surface"].links[0].from_socket, node.inputs["Shader"])
            tree.links.new(node.outputs["Shader"], output.inputs["Surface"])
            node.location = output.location
            output.location.x += 200
        elif node.node_tree != haze:  # that of another sky
            node.node_tree = haze
        node.inputs["Length"].default_value = length / _density(material)
        _sample_emission(material, False)


def remove(material: Any) -> None:
    """Link the shader of a material to its output again."""
    tree = material.node_tree
    for output in _outputs(material):
        if node := _before(output):
            for link in node.inputs["Shader"].links:
                tree.links.new(link.from_socket, output.inputs["Surface"])
            output.location = node.location
            tree.nodes.remove(node)
            _sample_emission(material, True)


def match(material: Any, example: Any) -> None:
    """Show a material through the haze of another one, or without if that has none."""
    if material == example or material.library:
        return
    if node := _first(example):
        length = node.inputs["Length"].default_value * _density(example)
        insert(material, length, node.node_tree)
    else:
        remove(material)


def thicken(material: Any, density: float) -> None:
    """Let a material be seen through haze of a density relative to that of the terrain."""
    material[_DENSITY] = density


def _density(material: Any) -> float:
    return material.get(_DENSITY, 1.0)


def is_in(material: Any) -> bool:
    """Return whether a material is shown through haze."""
    return bool(_first(material))


def _first(material: Any) -> Any:
    return next(filter(None, map(_before, _outputs(material))), None)


def _sample_emission(material: Any, on: bool) -> None:
    """Set whether Cycles regards the faces of a material as lamps: for haze that takes half its
    time.

    Other choices of the user stay.
    """
    cycles = getattr(material, "cycles", None)  # None while that extension is disabled
    if not cycles:
        return
    if not on and cycles.emission_sampling == "AUTO":
        cycles.emission_sampling = "NONE"
        material[_SAMPLING] = True
    elif on and _SAMPLING in material:
        del material[_SAMPLING]
        if cycles.emission_sampling == "NONE":
            cycles.emission_sampling = "AUTO"


def group(radiance: Any) -> Any:
    """Return the node group of haze below a sky, given the group of the sky's radiance."""
    below = [
        one
        for one in bpy.data.node_groups
        if any(getattr(node, "node_tree", None) == radiance for node in one.nodes)
    ]
    return shared(below, HAZE, lambda: _make(radiance))


def set_scattering(haze: Any, scattering: tuple[float, float, float]) -> None:
    """Set the scattering of red, green and blue light in a `group` of haze."""
    for name, factor in zip(_CHANNELS, scattering, strict=True):
        if node := haze.nodes.get(name):  # the user may have removed it
            node.inputs[1].default_value = -factor


def _outputs(material: Any) -> list[Any]:
    nodes: Iterable[Any] = material.node_tree.nodes if material.node_tree else ()
    return [node for node in nodes if node.type == "OUTPUT_MATERIAL"]


def _before(output: Any) -> Any:
    """Return the haze that is linked to a material output; None if there is none."""
    for link in output.inputs["Surface"].links:
        node = link.from_node
        if node.type == "GROUP" and node.node_tree and is_for(node.node_tree, HAZE):
            return node
    return None


def _make(radiance: Any) -> Any:
    inputs = {"Shader": "Shader", "Length": 10000.0, "Color": (1.0, 1.0, 1.0, 1.0)}
    tree, given, result = new_group(HAZE, inputs, {"Shader": "Shader"})
    for socket in tree.interface.items_tree:
        if socket.name == "Length":
            socket.min_value, socket.subtype = 1e-3, "DISTANCE"
            socket.description = "Distance at which haze hides 63 %"
        elif socket.name == "Color":
            socket.description = "Tint of the haze, which has the color of the sky at the horizon"
    distance = add(tree, "ShaderNodeCameraData").outputs["View Distance"]
    depth = math(tree, "DIVIDE", distance, given["Length"])
    camera = add(tree, "ShaderNodeLightPath").outputs["Is Camera Ray"]
    shares = [
        _scattered(tree, depth, name, factor)
        for name, factor in zip(_CHANNELS, SCATTERING, strict=True)
    ]
    incoming = add(tree, "ShaderNodeNewGeometry").outputs["Incoming"]
    # Level, away from the camera.
    level = vector(tree, "NORMALIZE", vector(tree, "MULTIPLY", incoming, (-1.0, -1.0, 0.0)))
    horizon = add(tree, "ShaderNodeGroup", node_tree=radiance)
    tree.links.new(level, horizon.inputs["Direction"])
    color = mix(tree, 1.0, out(horizon), given["Color"], "MULTIPLY")
    by_color = add(tree, "ShaderNodeCombineColor", dict(enumerate(shares)))
    air = add(
        tree, "ShaderNodeEmission", {"Color": mix(tree, 1.0, color, out(by_color), "MULTIPLY")}
    )
    seen = add(tree, "ShaderNodeMixShader", {0: shares[1], 1: given["Shader"]})
    both = add(tree, "ShaderNodeAddShader", {0: out(seen), 1: out(air)})
    # Cycles skips what such a mix does not use: the sky is looked up on rays from the camera alone.
    seen_or_not = {0: camera, 1: given["Shader"], 2: out(both)}
    tree.links.new(out(add(tree, "ShaderNodeMixShader", seen_or_not)), result["Shader"])
    arrange(tree)
    return tree


def _scattered(tree: Any, depth: Any, name: str, factor: float) -> Any:
    """Return the share of scattered light at a depth relative to the length of the haze."""
    exponent = math(tree, "MULTIPLY", depth, -factor)
    exponent.node.name = name
    return math(tree, "SUBTRACT", 1.0, math(tree, "EXPONENT", exponent))
