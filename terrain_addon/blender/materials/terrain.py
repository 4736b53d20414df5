# SPDX-License-Identifier: GPL-3.0-or-later
"""The material of a terrain, as its recipe says."""

from typing import Any

import bpy

from ...core import Recipe
from ...core.recipe import DISPLACED, NATURAL, SIMPLE
from . import haze, natural, parameters, simple
from .node_trees import add, is_for, new_material, shared

NAMES = {NATURAL: "Terrain", DISPLACED: "Displaced Terrain", SIMPLE: "Simple Terrain"}
"""Purposes of the materials by the recipe's setting."""


def terrain_material(kind: str = NATURAL) -> bpy.types.Material:
    """Find or create this file's material of a kind."""
    return shared(bpy.data.materials, NAMES[kind], lambda: _make(kind))


def sync(mesh: Any, recipe: Recipe) -> None:
    """Assign the recipe's material where the mesh has another of ours, and write what it reads.

    Materials of the user stay, and the new one has the haze of the old one.
    """
    others = [name for kind, name in NAMES.items() if kind != recipe.material]
    for slot, material in enumerate(mesh.materials):
        if material and any(is_for(material, name) for name in others):
            mesh.materials[slot] = terrain_material(recipe.material)
            haze.match(mesh.materials[slot], material)
    if recipe.material == SIMPLE:
        parameters.remove(mesh)
    else:
        parameters.write(mesh, recipe)


def match_haze(material: Any, mesh: Any) -> None:
    """Show a material of water or surroundings through the haze of the mesh of their terrain.

    Where that has no haze, this depends on its material: ours would have some.
    """
    for example in filter(None, mesh.materials):
        if haze.is_in(example) or any(is_for(example, name) for name in NAMES.values()):
            haze.match(material, example)
            return


def _make(kind: str) -> Any:
    """Return a new material of that kind."""
    material, output = new_material(NAMES[kind])
    material.diffuse_color = (0.08, 0.085, 0.05, 1)
    material.roughness = 0.9
    tree = material.node_tree
    surface = add(tree, "ShaderNodeBsdfPrincipled")
    tree.links.new(surface.outputs[0], output.inputs["Surface"])
    if kind == SIMPLE:
        simple.build(tree, surface)
    else:
        if kind == DISPLACED:
            material.displacement_method = "DISPLACEMENT"
        natural.build(tree, surface, displaced=kind == DISPLACED)
    return material
