# SPDX-License-Identifier: GPL-3.0-or-later
"""The materials of terrain and sea: made once, then shared and left to the user."""

from collections.abc import Callable
from typing import Any

import bpy

from .meshes import COLOR

_MARK = "procedural_terrain"


def terrain_material() -> bpy.types.Material:
    """A rough surface in the colours of the terrain's colour attribute."""
    return _shared("Terrain", _make_terrain)


def sea_material() -> bpy.types.Material:
    """Clear blue water for a plane: glossy, and the ground shows through."""
    return _shared("Sea", _make_sea)


def _shared(name: str, make: Callable[[bpy.types.Material], None]) -> bpy.types.Material:
    """The file's own material that was made for this purpose, or a new one."""
    for material in bpy.data.materials:
        if not material.library and material.get(_MARK) == name:
            return material
    material = bpy.data.materials.new(name)
    material[_MARK] = name
    if material.node_tree is None:  # from Blender 5.0 on every material has nodes
        material.use_nodes = True
    make(material)
    return material


def _make_terrain(material: Any) -> None:
    material.diffuse_color = (0.27, 0.31, 0.17, 1)
    material.roughness = 0.9
    tree, surface = _tree(material)
    surface.inputs["Roughness"].default_value = 0.9
    surface.inputs["Specular IOR Level"].default_value = 0.15
    color: Any = tree.nodes.new("ShaderNodeVertexColor")
    color.layer_name = COLOR
    color.location = (-220, 120)
    tree.links.new(color.outputs["Color"], surface.inputs["Base Color"])


def _make_sea(material: Any) -> None:
    material.diffuse_color = (0.03, 0.16, 0.28, 0.7)
    material.roughness = 0.1
    material.surface_render_method = "BLENDED"
    tree, surface = _tree(material)
    surface.inputs["Base Color"].default_value = (0.012, 0.075, 0.13, 1)
    surface.inputs["Roughness"].default_value = 0.08
    surface.inputs["IOR"].default_value = 1.333
    surface.inputs["Alpha"].default_value = 0.82
    waves: Any = tree.nodes.new("ShaderNodeTexNoise")
    waves.inputs["Scale"].default_value = 160
    waves.inputs["Detail"].default_value = 4
    waves.location = (-620, -160)
    place = tree.nodes.new("ShaderNodeTexCoord")
    place.location = (-820, -160)
    bump: Any = tree.nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value = 0.12
    bump.location = (-300, -160)
    tree.links.new(place.outputs["Generated"], waves.inputs["Vector"])
    tree.links.new(waves.outputs["Fac"], bump.inputs["Height"])
    tree.links.new(bump.outputs["Normal"], surface.inputs["Normal"])


def _tree(material: Any) -> tuple[Any, Any]:
    """The node tree of a new material and its Principled BSDF, whatever language the UI has."""
    tree: Any = material.node_tree
    return tree, next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
