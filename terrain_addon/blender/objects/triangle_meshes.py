# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels of detail and solids for printing, as objects made from a terrain."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...core import Recipe
from ...core.output.triangulation import (
    DetailLevel,
    LevelSettings,
    SolidSettings,
    levels_of_detail,
    normals,
    solid,
)
from ..data.terrains import is_borrowed
from ..materials import sync
from ..materials.node_trees import add, connect, new_material, out, shared
from ..mesh import drawn_shapes, triangles
from ..mesh.triangles import Points

MARK = "terrain_levels"
"""On collections and objects of levels of detail: full name of the mesh of their terrain."""
GAP = 0.1
"""Between a terrain and its solid, as a share of its size."""
BASE = "Terrain Solid Base"
"""Purpose of the material of the walls and the floor of solids."""
BASE_COLOR = (0.3, 0.29, 0.28, 1.0)


def add_levels(
    item: bpy.types.Object,
    recipe: Recipe,
    settings: LevelSettings,
    parent: bpy.types.Collection,
    view: bpy.types.ViewLayer,
    *,
    gltf_names: bool,
) -> tuple[bpy.types.Collection, list[DetailLevel]]:
    """Return the levels of detail of a terrain where it is, in a collection of their own within
    ``parent``.

    Those made before are replaced. Each level has a collection; all but the finest are hidden.
    Raises ValueError, and changes nothing, if the mesh is no grid.
    """
    points = Points.of(_mesh(item))
    levels = levels_of_detail(points.grid, points.height, settings)
    shading = normals(points.grid, points.height)
    with _all_or_nothing() as made:
        for number, level in enumerate(levels):
            for place, chunk in enumerate(level.chunks):
                name = _name(item.name, level, number, place)
                mesh = triangles.new(name, chunk, points, shading, gltf_names=gltf_names)
                made.append(mesh)
                _dress(mesh, item, recipe)
    collection = _emptied(item, parent)
    meshes = iter(made)
    for number, level in enumerate(levels):
        own = bpy.data.collections.new(f"{item.name} LOD{number}")
        own[MARK] = _mesh(item).name_full
        collection.children.link(own)
        for chunk in level.chunks:
            mesh = next(meshes)
            one = bpy.data.objects.new(mesh.name, mesh)
            one[MARK] = _mesh(item).name_full
            one.matrix_world = item.matrix_world @ Matrix.Translation((*chunk.center, 0.0))
            own.objects.link(one)
        _show(own, view, shown=number == 0)
    return collection, levels


def finest(collection: bpy.types.Collection) -> list[bpy.types.Object]:
    """Return the objects of the finest level in such a collection."""
    return list(collection.children[0].objects)


def add_solid(
    item: bpy.types.Object, settings: SolidSettings, parent: bpy.types.Collection, outline: str = ""
) -> tuple[bpy.types.Object, float]:
    """Return a solid for printing beside a terrain, and its largest vertical error in millimeters.

    One unit of Blender is a millimeter of the print. It ends at the closed lines of the shape that
    ``outline`` names, if it names one.

    Raises ValueError, and adds nothing, if the mesh is no grid, or the outline not closed.
    """
    points = Points.of(_mesh(item))
    areas = drawn_shapes.shape_named(_mesh(item), outline).areas if outline else None
    if areas is not None and not len(areas.start):
        raise ValueError(f"The outline {outline!r} is not closed: close its curve (Alt+C)")
    made, error = solid(points.grid, points.height, settings, areas)
    mesh: Any = triangles.new(f"{item.name} Solid", made, points)
    known = list(_mesh(item).materials)
    for material in (*(known or [None]), shared(bpy.data.materials, BASE, _base_material)):
        mesh.materials.append(material)
    base = (made.triangles >= made.surface).any(axis=1)
    mesh.polygons.foreach_set("material_index", base * np.int32(len(mesh.materials) - 1))
    one = bpy.data.objects.new(mesh.name, mesh)
    border = (points.grid.size[0] * (1 + GAP) + settings.longest_side) / 2
    one.location = item.matrix_world @ Vector((border, 0.0, 0.0))
    parent.objects.link(one)
    return one, error


def _base_material() -> Any:
    """Return a new material for the walls and the floor of solids."""
    material, output = new_material(BASE)
    material.diffuse_color = BASE_COLOR
    inputs = {"Base Color": BASE_COLOR, "Roughness": 0.7}
    surface = add(material.node_tree, "ShaderNodeBsdfPrincipled", inputs)
    connect(material.node_tree, out(surface), output.inputs["Surface"])
    return material


def _mesh(item: bpy.types.Object) -> bpy.types.Mesh:
    assert isinstance(item.data, bpy.types.Mesh)
    return item.data


def _name(terrain: str, level: DetailLevel, number: int, place: int) -> str:
    """Return the name of a mesh: engines recognize levels of detail by its end."""
    row, column = divmod(place, level.columns)
    chunk = f"_x{column}_y{row}" if len(level.chunks) > 1 else ""
    return f"{terrain}{chunk}_LOD{number}"


def _show(collection: bpy.types.Collection, view: bpy.types.ViewLayer, *, shown: bool) -> None:
    """Show a collection or hide it.

    Exporters do not write collections that are disabled in viewports, only those that are hidden.
    """
    collection.hide_render = not shown
    if found := _in_view(view.layer_collection, collection):
        found.hide_viewport = not shown


def _in_view(within: bpy.types.LayerCollection, collection: bpy.types.Collection) -> Any:
    """Return how a view layer shows a collection; None if it does not contain it."""
    if within.collection == collection:
        return within
    found = (_in_view(child, collection) for child in within.children)
    return next(filter(None, found), None)


def _dress(mesh: bpy.types.Mesh, item: bpy.types.Object, recipe: Recipe) -> None:
    """Add the materials of the terrain, and what they read."""
    for material in _mesh(item).materials:
        mesh.materials.append(material)
    sync(mesh, recipe)


def _emptied(item: bpy.types.Object, parent: bpy.types.Collection) -> bpy.types.Collection:
    """Return the collection for the levels of a terrain, without those made before.

    What the user added to it stays.
    """
    owner = _mesh(item).name_full
    known = [
        collection
        for collection in bpy.data.collections
        if collection.get(MARK) == owner and not is_borrowed(collection)
    ]
    top = next((one for one in known if any(child in known for child in one.children)), None)
    for child in list(top.children) if top else []:
        if child.get(MARK) == owner:
            _remove_objects([one for one in child.objects if one.get(MARK) == owner])
            if not child.all_objects and not child.children:
                bpy.data.collections.remove(child)
    if top is None:
        top = bpy.data.collections.new(f"{item.name} LOD")
        top[MARK] = owner
        parent.children.link(top)
    return top


def _remove_objects(items: Sequence[bpy.types.Object]) -> None:
    meshes = [_mesh(item) for item in items]
    bpy.data.batch_remove(items)
    bpy.data.batch_remove([mesh for mesh in meshes if not mesh.users])


@contextmanager
def _all_or_nothing() -> Iterator[list[bpy.types.Mesh]]:
    """Yield a list for new meshes: all are removed if an error occurs within the context."""
    made: list[bpy.types.Mesh] = []
    try:
        yield made
    except Exception:
        bpy.data.batch_remove(made)
        raise
