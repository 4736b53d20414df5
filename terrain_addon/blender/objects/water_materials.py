# SPDX-License-Identifier: GPL-3.0-or-later
"""The material of the sea, rivers and lakes: created once, then shared and left to the user."""

from typing import Any

import bpy

from .materials import noise_texture, shared_material, tree_of


def sea_material() -> bpy.types.Material:
    """Clear, glossy blue water for a plane, through which the ground is visible."""
    return shared_material("Sea", _make_sea)


def _make_sea(material: Any) -> None:
    material.diffuse_color = (0.03, 0.16, 0.28, 0.7)
    material.roughness = 0.1
    material.surface_render_method = "BLENDED"
    tree, surface = tree_of(material)
    surface.inputs["Base Color"].default_value = (0.012, 0.075, 0.13, 1)
    surface.inputs["Roughness"].default_value = 0.08
    surface.inputs["IOR"].default_value = 1.333
    surface.inputs["Alpha"].default_value = 0.82
    waves = noise_texture(tree, "Generated", 160, 4, (-620, -160))
    bump: Any = tree.nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value = 0.12
    bump.location = (-300, -160)
    tree.links.new(waves.outputs["Fac"], bump.inputs["Height"])
    tree.links.new(bump.outputs["Normal"], surface.inputs["Normal"])
