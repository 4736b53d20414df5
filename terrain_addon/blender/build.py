# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the surface of a recipe and put it into a mesh."""

import dataclasses
from typing import Any

import bpy

from ..core import (
    Cache,
    Cancel,
    Grid,
    Heightfield,
    InlandWater,
    LayerProgress,
    Recipe,
    evaluate,
    inland_water,
)
from . import meshes, sea, waters
from .carry import resampled
from .context import objects_of, terrain_of
from .meshes import Surface
from .recipes import Signature, grid_of, read, read_bare


def surface(
    recipe: Recipe,
    grid: Grid,
    cache: Cache | None = None,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
) -> Surface:
    """What the mesh shows of a recipe on a grid. Knows no Blender: any thread may call it."""
    field = evaluate(recipe, grid, progress=progress, cancelled=cancelled, cache=cache)
    slope = field.masks["slope"]
    fields = {name: field.masks[name] for name in recipe.fields if name in field.masks}
    mask = slope if _tint(recipe) == "slope" else fields.get(_tint(recipe))
    colors = recipe.palette.colors(field.height, slope, *field.range, mask)
    water = _water(recipe, field, progress, cancelled) if recipe.water.inland else None
    return Surface(grid, field.height, slope, colors, fields, water)


def _water(
    recipe: Recipe, field: Heightfield, progress: LayerProgress | None, cancelled: Cancel | None
) -> InlandWater:
    """Rivers and lakes; the layers are all done by then."""

    def tell(share: float) -> None:
        if progress is not None:
            progress(1.0, f"Rivers and lakes, {share:.0%}")

    return inland_water(recipe, field.height, field.grid, progress=tell, cancelled=cancelled)


def _tint(recipe: Recipe) -> str:
    """Name of the mask that colours, "" for none."""
    return recipe.palette.tint_mask if recipe.palette.tint else ""


def preview(recipe: Recipe, grid: Grid, step: int, cache: Cache | None = None) -> Surface:
    """The same from every ``step``-th point each way, blended in between."""
    nx, ny = (max(n // step, 2) for n in (grid.nx, grid.ny))
    coarse = surface(recipe, recipe.grid((nx, ny)), cache)
    shape = (grid.nx, grid.ny)
    return Surface(
        grid,
        resampled(coarse.height, shape),
        resampled(coarse.slope, shape),
        resampled(coarse.colors, shape),
        {name: resampled(values, shape) for name, values in coarse.fields.items()},
        coarse.water,
    )


def put(mesh: bpy.types.Mesh, made: Surface, recipe: Recipe, signature: Signature) -> None:
    """Write a surface into a mesh, and what it was built from beside its recipe."""
    terrain = terrain_of(mesh)
    old = Signature.parse(terrain.built)
    shape = (made.grid.nx, made.grid.ny)
    if (old.nx, old.ny) == shape and meshes.is_grid(mesh, *shape):
        meshes.move(mesh, made)
    else:
        meshes.build(mesh, made, (old.nx, old.ny), old.fields)
    meshes.drop(mesh, set(old.fields) - set(made.fields))
    waters.keep_in_step(mesh, recipe, made.water)
    _finish(mesh, recipe, old, signature)


def recolor(mesh: bpy.types.Mesh, recipe: Recipe, signature: Signature) -> bool:
    """Colour the land that the mesh has; False when it no longer has what that takes."""
    terrain = terrain_of(mesh)
    old = Signature.parse(terrain.built)
    if not old.same_land(signature) or not meshes.is_grid(mesh, old.nx, old.ny):
        return False
    names = dict.fromkeys((meshes.HEIGHT, meshes.SLOPE, _tint(recipe) or meshes.SLOPE))
    fields = meshes.recorded(mesh, names)
    if not fields:
        return False
    if old.look != signature.look:
        height, slope, mask = fields[0], fields[1], fields[-1]
        low, high = float(height.min()), float(height.max())
        meshes.color(mesh, recipe.palette.colors(height, slope, low, high, mask))
    meshes.drop(mesh, set(old.fields) - set(signature.fields))
    _finish(mesh, recipe, old, signature)
    return True


def furnish(mesh: bpy.types.Mesh, recipe: Recipe) -> None:
    """Give the objects of a terrain that is there already their sea, rivers and lakes."""
    sea.keep_in_step(mesh, recipe)
    built = Signature.parse(terrain_of(mesh).built)
    fields = meshes.recorded(mesh, (meshes.HEIGHT,))
    if recipe.water.inland and fields and meshes.is_grid(mesh, built.nx, built.ny):
        grid = recipe.grid((built.nx, built.ny))
        made = inland_water(recipe, fields[0].reshape(grid.shape), grid)
        waters.keep_in_step(mesh, recipe, made)


def is_furnished(mesh: bpy.types.Mesh, recipe: Recipe) -> bool:
    """Whether every object of a terrain has the sea, the rivers and the lakes that it shows."""
    return sea.is_in_step(mesh, recipe) and waters.is_in_step(mesh, recipe)


def _finish(mesh: bpy.types.Mesh, recipe: Recipe, old: Signature, new: Signature) -> None:
    # Copies and appended terrains say that they have a sea before they do.
    if old.sea != new.sea or not sea.is_in_step(mesh, recipe):
        sea.keep_in_step(mesh, recipe)
    terrain_of(mesh).built = str(new)


def wanted(terrain: Any) -> tuple[Recipe, Grid, Signature]:
    """The recipe, its points and what the mesh should be built from; ValueError for a bad one."""
    recipe = read(terrain)
    grid = grid_of(terrain, recipe)
    return recipe, grid, Signature.of(recipe, grid)


def check_names(mesh: bpy.types.Mesh, recipe: Recipe) -> None:
    """ValueError where a name that we need belongs to something of the user's own.

    Attributes and vertex groups share their names.
    """
    ours = Signature.parse(terrain_of(mesh).built).fields
    for name in recipe.fields:
        if name not in ours and name in mesh.attributes:
            raise ValueError(f"The mesh has another attribute named {name!r}: rename that first")
    for item in objects_of(mesh):
        for name in (*meshes.OURS, *recipe.fields):
            if name in item.vertex_groups:
                raise ValueError(f"There is a vertex group named {name!r}: rename that first")


def is_current(mesh: bpy.types.Mesh) -> bool:
    """Whether the mesh shows its recipe; what was painted since is not looked at.

    A panel asks this each time it is drawn.
    """
    terrain = terrain_of(mesh)
    try:
        recipe = read_bare(terrain)
        wanted = Signature.of(recipe, grid_of(terrain, recipe))
    except ValueError:
        return False
    built = Signature.parse(terrain.built)
    return built == dataclasses.replace(wanted, maps=built.maps)
