# SPDX-License-Identifier: GPL-3.0-or-later
"""The material of a terrain that shows an image on its UV map."""

from typing import Any

import bpy

from ..mesh.terrain_mesh import COLOR
from .node_trees import add, arrange, connect, mix, new_material


def of(image: bpy.types.Image, *, whole: bool) -> bpy.types.Material:
    """Return the material of an image: its colors, and those of the palette where it has none.

    One that covers the ``whole`` terrain is linked directly, as exporters to glTF and USD want it.
    """
    old = bpy.data.materials.get(image.name)
    material, output = new_material(image.name)
    tree: Any = material.node_tree
    surface = add(tree, "ShaderNodeBsdfPrincipled")
    surface.inputs["Roughness"].default_value = 0.9
    surface.inputs["Specular IOR Level"].default_value = 0.15
    texture = add(tree, "ShaderNodeTexImage", image=image, extension="EXTEND")
    color = texture.outputs["Color"]
    if not whole:
        below = add(tree, "ShaderNodeVertexColor", layer_name=COLOR).outputs["Color"]
        color = mix(tree, texture.outputs["Alpha"], below, color)
    connect(tree, color, surface.inputs["Base Color"])
    connect(tree, surface.outputs["BSDF"], output.inputs["Surface"])
    arrange(tree)
    tree.nodes.active = texture  # which solid views show
    if old:
        old.user_remap(material)
        bpy.data.materials.remove(old)
        material.name = image.name
    return material
