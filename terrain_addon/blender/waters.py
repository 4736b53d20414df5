# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers and lakes: objects on the surface, children of each terrain object that shows them."""

from typing import Any, cast

import bpy

from ..core import InlandWater, Recipe, WaterMesh
from . import children
from .context import objects_of
from .materials import sea_material


def keep_in_step(mesh: bpy.types.Mesh, recipe: Recipe, made: InlandWater | None) -> None:
    """Make, fit or remove the rivers and lakes of every object that shows this terrain."""
    for item in objects_of(mesh):
        _keep(item, "Rivers", made.rivers if made and recipe.water.rivers else None)
        _keep(item, "Lakes", made.lakes if made and recipe.water.lakes else None)


def is_in_step(mesh: bpy.types.Mesh, recipe: Recipe) -> bool:
    """Whether each of these objects has the rivers and lakes that are to be shown."""
    water = recipe.water
    return all(
        bool(_found(item, kind)) == shown
        for item in objects_of(mesh)
        for kind, shown in (("Rivers", water.rivers), ("Lakes", water.lakes))
    )


def _found(terrain: bpy.types.Object, kind: str) -> list[bpy.types.Object]:
    return [child for child in terrain.children if child.get(children.WATER) == kind]


def _keep(terrain: bpy.types.Object, kind: str, made: WaterMesh | None) -> None:
    found = _found(terrain, kind)
    if made is None:
        for item in found:
            children.remove(item)
        return
    for item in found or [_add(terrain, kind)]:
        _fill(cast(bpy.types.Mesh, item.data), made)


def _add(terrain: bpy.types.Object, kind: str) -> bpy.types.Object:
    mesh = bpy.data.meshes.new(kind)
    mesh.materials.append(sea_material())
    item = children.add(terrain, kind, mesh)
    item[children.WATER] = kind
    return item


def _fill(mesh: Any, made: WaterMesh) -> None:
    """Give a mesh these points and faces; its materials stay."""
    if mesh.is_editmode or not mesh.is_editable:
        return
    mesh.clear_geometry()
    mesh.vertices.add(len(made.points))
    mesh.loops.add(made.faces.size)
    mesh.polygons.add(len(made.faces))
    mesh.attributes["position"].data.foreach_set("vector", made.points.reshape(-1))
    mesh.loops.foreach_set("vertex_index", made.faces.reshape(-1))
    mesh.polygons.foreach_set("loop_start", range(0, made.faces.size, 4))
    for name, values in made.values.items():
        attribute = mesh.attributes.new(name, "FLOAT", "POINT")
        attribute.data.foreach_set("value", values)
    mesh.update(calc_edges=True)
