# SPDX-License-Identifier: GPL-3.0-or-later
"""Material of bridges and culverts: created once, then shared and left to the user."""

from typing import Any

import bpy

from .node_trees import add, arrange, fractal_noise, mix, new_material, out, shared

_LIGHT = (0.36, 0.35, 0.32, 1.0)
_STAINED = (0.22, 0.21, 0.19, 1.0)


def bridge_material() -> bpy.types.Material:
    """Make the concrete of bridges."""
    return shared(bpy.data.materials, "Bridge", _make)


def _make() -> Any:
    material, output = new_material("Bridge")
    material.diffuse_color = _LIGHT
    material.roughness = 0.9
    tree = material.node_tree
    place = add(tree, "ShaderNodeTexCoord").outputs["Object"]
    grain = fractal_noise(tree, place, 0.4, 6.0, 0.6)
    color = mix(tree, grain, _STAINED, _LIGHT)
    body = add(tree, "ShaderNodeBsdfDiffuse", {"Color": color})
    tree.links.new(out(body), output.inputs["Surface"])
    arrange(tree)
    return material
