# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials and node groups: created once, then shared and left to the user."""

from collections.abc import Callable
from typing import Any

import bpy

MARK = "orogen"
"""Custom property that holds the purpose."""


def shared_material(name: str, make: Callable[[bpy.types.Material], None]) -> bpy.types.Material:
    """This file's material for this purpose, created if there is none."""
    for material in bpy.data.materials:
        if not material.library and material.get(MARK) == name:
            return material
    material = bpy.data.materials.new(name)
    material[MARK] = name
    if material.node_tree is None:  # from Blender 5.0 on every material has nodes
        material.use_nodes = True
    make(material)
    return material


def shared_group(name: str, make: Callable[[str], Any]) -> Any:
    """This file's node group for this purpose, created if there is none."""
    for group in bpy.data.node_groups:
        if not group.library and group.get(MARK) == name:
            return group
    group = make(name)
    group[MARK] = name
    return group


def noise_texture(tree: Any, place: str, scale: float, detail: float, at: tuple[int, int]) -> Any:
    """A noise texture in the given coordinates; ``at`` is the place of the node in the editor."""
    coordinates = tree.nodes.new("ShaderNodeTexCoord")
    coordinates.location = (at[0] - 200, at[1])
    noise: Any = tree.nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = scale
    noise.inputs["Detail"].default_value = detail
    noise.location = at
    tree.links.new(coordinates.outputs[place], noise.inputs["Vector"])
    return noise


def tree_of(material: Any) -> tuple[Any, Any]:
    """The node tree of a new material and its Principled BSDF, in any interface language."""
    tree: Any = material.node_tree
    return tree, next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
