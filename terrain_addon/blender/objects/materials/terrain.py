# SPDX-License-Identifier: GPL-3.0-or-later
"""The material of a terrain, as its recipe says."""

from typing import Any

import bpy

from ....core import Recipe
from ....core.recipe import DISPLACED, NATURAL, SIMPLE
from . import natural, parameters, simple
from .shared import MARK, shared_group, shared_material, tree_of

NAMES = {NATURAL: "Terrain", DISPLACED: "Displaced Terrain", SIMPLE: "Simple Terrain"}
"""Purposes of the materials by the recipe's setting."""


def terrain_material(kind: str = NATURAL) -> bpy.types.Material:
    """This file's material of that kind."""
    return shared_material(NAMES[kind], _MAKERS[kind])


def sync(mesh: Any, recipe: Recipe) -> None:
    """Assign the recipe's material where the mesh has another of ours, and write what it reads.

    Materials of the user stay.
    """
    wanted = NAMES[recipe.material]
    for slot, material in enumerate(mesh.materials):
        if material and material.get(MARK) in NAMES.values() and material.get(MARK) != wanted:
            mesh.materials[slot] = terrain_material(recipe.material)
    if recipe.material == SIMPLE:
        parameters.remove(mesh)
    else:
        parameters.write(mesh, recipe)


def _make_natural(material: Any) -> None:
    natural.build(*_prepared(material), shared_group)


def _make_displaced(material: Any) -> None:
    material.displacement_method = "DISPLACEMENT"
    natural.build(*_prepared(material), shared_group, displaced=True)


def _make_simple(material: Any) -> None:
    simple.build(*_prepared(material))


def _prepared(material: Any) -> tuple[Any, Any]:
    """The node tree and the Principled BSDF of a new material."""
    material.diffuse_color = (0.08, 0.085, 0.05, 1)
    material.roughness = 0.9
    return tree_of(material)


_MAKERS = {NATURAL: _make_natural, DISPLACED: _make_displaced, SIMPLE: _make_simple}
