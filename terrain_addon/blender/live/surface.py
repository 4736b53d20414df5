# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the surface of a recipe and put it into a mesh."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import bpy

from ...core import Cache, Grid, Heightfield, Recipe, evaluate
from ...core.numerics import Cancel, LayerProgress
from ...core.output import (
    Coloring,
    InlandWater,
    Shown,
    ShownWeight,
    colored,
    inland_water,
    masks_of,
)
from ..data.terrains import objects_of, terrain_of
from ..mesh import terrain_mesh
from ..mesh.domains import resampled
from ..mesh.signature import Signature
from ..mesh.terrain_mesh import Surface
from ..objects import water_kinds
from ..properties.mask_view import explain, mask_view_of
from ..properties.recipe import grid_of, read, read_bare


def make_surface(
    recipe: Recipe,
    grid: Grid,
    cache: Cache | None = None,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
    shown: Shown | None = None,
) -> Surface:
    """What the mesh shows of a recipe on a grid, coloured by a mask if one is ``shown``.

    Knows no Blender: any thread may call it.
    """
    weight = ShownWeight.of(recipe, grid, shown, cache, progress, cancelled)
    field = evaluate(recipe, grid, progress=progress, cancelled=cancelled, cache=cache)
    slope = field.fields["slope"]
    fields = {name: field.fields[name] for name in recipe.fields if name in field.fields}
    made = colored(recipe, field, shown, weight)
    water = _water(recipe, field, progress, cancelled) if recipe.water.inland else None
    return Surface(grid, field.height, slope, made.colors, fields, water, made.legend)


def _water(
    recipe: Recipe, field: Heightfield, progress: LayerProgress | None, cancelled: Cancel | None
) -> InlandWater:
    """Rivers and lakes; the layers are all done by then."""

    def tell(share: float) -> None:
        if progress is not None:
            progress(1.0, f"Rivers and lakes, {share:.0%}")

    return inland_water(recipe, field.height, field.grid, progress=tell, cancelled=cancelled)


def preview(
    recipe: Recipe,
    grid: Grid,
    step: int,
    cache: Cache | None = None,
    shown: Shown | None = None,
) -> Surface:
    """The same from every ``step``-th point each way, blended in between."""
    nx, ny = (max(n // step, 2) for n in (grid.nx, grid.ny))
    coarse = make_surface(recipe, recipe.grid((nx, ny)), cache, shown=shown)
    shape = (grid.nx, grid.ny)
    return Surface(
        grid,
        resampled(coarse.height, shape),
        resampled(coarse.slope, shape),
        resampled(coarse.colors, shape),
        {name: resampled(values, shape) for name, values in coarse.fields.items()},
        coarse.water,
        coarse.legend,
    )


def write(mesh: bpy.types.Mesh, made: Surface, recipe: Recipe, signature: Signature) -> None:
    """Write a surface into a mesh, and what it was built from beside its recipe."""
    terrain = terrain_of(mesh)
    old = Signature.built(terrain)
    shape = (made.grid.nx, made.grid.ny)
    if (old.nx, old.ny) == shape and terrain_mesh.is_grid(mesh, *shape):
        terrain_mesh.move(mesh, made)
    else:
        terrain_mesh.build(mesh, made, old.grid, old.fields)
    terrain_mesh.remove_attributes(mesh, set(old.fields) - set(made.fields))
    explain(terrain, made.legend)
    water_kinds.sync(mesh, recipe, made.water, refit=old.water != signature.water)
    terrain.built = str(signature)


def stored_heightfield(mesh: bpy.types.Mesh, target: "Target") -> Heightfield | None:
    """The land that a mesh has, if it is the wanted one; None when it no longer has all of it."""
    old, recipe = Signature.built(terrain_of(mesh)), target.recipe
    if not old.same_terrain(target.signature) or not terrain_mesh.is_grid(mesh, old.nx, old.ny):
        return None
    # A mask that no layer leaves colours nothing, and is not there to be kept.
    masks = {terrain_mesh.SLOPE, *(set(recipe.palette.masks) & set(masks_of(recipe)))}
    if target.shown and target.shown.mask in old.fields:
        masks |= {target.shown.mask} & set(mesh.attributes.keys())
    names = (terrain_mesh.HEIGHT, *masks)
    found = terrain_mesh.recorded(mesh, names)
    if not found:
        return None
    height, *others = (values.reshape(target.grid.shape) for values in found)
    fields, size = dict(zip(masks, others, strict=True)), max(recipe.size_x, recipe.size_y)
    return Heightfield(target.grid, height, fields, size=size)


def recolor(mesh: bpy.types.Mesh, target: "Target", made: Coloring | None) -> None:
    """Bring a mesh that has the wanted land in step with all else; None leaves the colours."""
    terrain, signature = terrain_of(mesh), target.signature
    old = Signature.built(terrain)
    if made:
        terrain_mesh.color(mesh, made.colors)
        explain(terrain, made.legend)
    terrain_mesh.remove_attributes(mesh, set(old.fields) - set(signature.fields))
    water_kinds.sync(mesh, target.recipe, None, refit=old.water != signature.water)
    terrain.built = str(signature)


def update_water_objects(mesh: bpy.types.Mesh, recipe: Recipe) -> None:
    """Give the objects of a terrain that is there already their sea, rivers and lakes."""
    made = None
    built = Signature.built(terrain_of(mesh))
    fields = terrain_mesh.recorded(mesh, (terrain_mesh.HEIGHT,))
    if recipe.water.inland and fields and terrain_mesh.is_grid(mesh, built.nx, built.ny):
        grid = recipe.grid((built.nx, built.ny))
        made = inland_water(recipe, fields[0].reshape(grid.shape), grid)
    water_kinds.sync(mesh, recipe, made)


@dataclass(frozen=True)
class Target:
    """What a mesh should show: plain data."""

    recipe: Recipe
    grid: Grid
    shown: Shown | None
    signature: Signature

    @classmethod
    def of(cls, terrain: Any) -> "Target":
        """What its settings ask for; ValueError when they are no valid recipe."""
        recipe = read(terrain)
        grid, shown = grid_of(terrain, recipe), mask_view_of(terrain)
        return cls(recipe, grid, shown, Signature.of(recipe, grid, shown))


def check_names(mesh: bpy.types.Mesh, recipe: Recipe) -> None:
    """ValueError where a name that we need belongs to something of the user's own.

    Attributes and vertex groups share their names.
    """
    ours = Signature.built(terrain_of(mesh)).fields
    for name in recipe.fields:
        if name not in ours and name in mesh.attributes:
            raise ValueError(f"The mesh has another attribute named {name!r}: rename that first")
    for item in objects_of(mesh):
        for name in (*terrain_mesh.OURS, *recipe.fields):
            if name in item.vertex_groups:
                raise ValueError(f"There is a vertex group named {name!r}: rename that first")


def is_current(mesh: bpy.types.Mesh) -> bool:
    """Whether the mesh shows its recipe; what was painted since is not looked at.

    A panel asks this each time it is drawn.
    """
    terrain = terrain_of(mesh)
    try:
        recipe = read_bare(terrain)
        expected = Signature.of(recipe, grid_of(terrain, recipe), mask_view_of(terrain))
    except ValueError:
        return False
    built = Signature.built(terrain)
    return built == dataclasses.replace(expected, maps=built.maps)
