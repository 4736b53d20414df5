# SPDX-License-Identifier: GPL-3.0-or-later
"""The sea: a plane at the water level, child of each terrain object that shows it."""

from typing import Any, cast

import bpy
import numpy as np

from ..core import Recipe
from . import children
from .context import objects_of
from .materials import sea_material


def keep_in_step(mesh: bpy.types.Mesh, recipe: Recipe) -> None:
    """Make, fit or remove the sea of every object that shows this terrain."""
    for item in objects_of(mesh):
        _keep_one(item, recipe)


def is_in_step(mesh: bpy.types.Mesh, recipe: Recipe) -> bool:
    """Whether each of these objects has a sea if there is to be one."""
    return all(bool(_seas(item)) == recipe.water.show for item in objects_of(mesh))


def _seas(terrain: bpy.types.Object) -> list[bpy.types.Object]:
    return [child for child in terrain.children if child.get(children.SEA)]


def _keep_one(terrain: bpy.types.Object, recipe: Recipe) -> None:
    seas = _seas(terrain)
    if not recipe.water.show:
        for sea in seas:
            children.remove(sea)
        return
    for sea in seas or [_add(terrain)]:
        _fit(cast(bpy.types.Mesh, sea.data), recipe)


def _add(terrain: bpy.types.Object) -> bpy.types.Object:
    mesh = bpy.data.meshes.new("Sea")
    mesh.from_pydata([(0, 0, 0)] * 4, [], [(0, 1, 3, 2)])
    mesh.materials.append(sea_material())
    mesh.uv_layers.new(name="UVMap")
    sea = children.add(terrain, "Sea", mesh)
    sea[children.SEA] = True
    return sea


def _fit(mesh: bpy.types.Mesh, recipe: Recipe) -> None:
    """Move the corners to the borders of the terrain, at the water level."""
    if len(mesh.vertices) != 4 or mesh.is_editmode or not mesh.is_editable:
        return
    corners = np.empty((4, 3), np.float32)
    corners[:, 0] = np.array([-0.5, 0.5, -0.5, 0.5]) * recipe.size_x
    corners[:, 1] = np.array([-0.5, -0.5, 0.5, 0.5]) * recipe.size_y
    corners[:, 2] = recipe.water.level
    position: Any = mesh.attributes["position"]
    position.data.foreach_set("vector", corners.reshape(-1))
    mesh.update()
