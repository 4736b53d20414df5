# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the surface of a recipe and put it into a mesh."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import bpy

from ...core import Cache, Grid, Heightfield, Recipe
from ...core.numerics import Cancel, LayerProgress
from ...core.output import (
    Coloring,
    InlandWater,
    MaskView,
    evaluate_colored,
    fields_of,
    inland_water,
)
from ..data.terrains import objects_of, terrain_of
from ..mesh import terrain_mesh as meshes
from ..mesh.domains import resampled
from ..mesh.terrain_mesh import Surface
from ..objects import water_kinds
from ..properties.mask_view import explain, shown_of
from ..properties.recipe import grid_of, read, read_bare
from ..properties.signature import Signature


def surface(
    recipe: Recipe,
    grid: Grid,
    cache: Cache | None = None,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
    shown: MaskView | None = None,
) -> Surface:
    """What the mesh shows of a recipe on a grid, coloured by a mask if one is ``shown``.

    Knows no Blender: any thread may call it.
    """
    field, made = evaluate_colored(
        recipe, grid, shown, progress=progress, cancelled=cancelled, cache=cache
    )
    slope = field.fields["slope"]
    fields = {name: field.fields[name] for name in recipe.fields if name in field.fields}
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
    shown: MaskView | None = None,
) -> Surface:
    """The same from every ``step``-th point each way, blended in between."""
    nx, ny = (max(n // step, 2) for n in (grid.nx, grid.ny))
    coarse = surface(recipe, recipe.grid((nx, ny)), cache, shown=shown)
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


def put(mesh: bpy.types.Mesh, made: Surface, recipe: Recipe, signature: Signature) -> None:
    """Write a surface into a mesh, and what it was built from beside its recipe."""
    terrain = terrain_of(mesh)
    old = Signature.parse(terrain.built)
    shape = (made.grid.nx, made.grid.ny)
    if (old.nx, old.ny) == shape and meshes.is_grid(mesh, *shape):
        meshes.move(mesh, made)
    else:
        meshes.build(mesh, made, old.grid, old.fields)
    meshes.drop(mesh, set(old.fields) - set(made.fields))
    explain(terrain, made.legend)
    water_kinds.sync(mesh, recipe, made.water, refit=old.sea != signature.sea)
    terrain.built = str(signature)


def kept_land(mesh: bpy.types.Mesh, wanted: "Wanted") -> Heightfield | None:
    """The land that a mesh has, if it is the wanted one; None when it no longer has all of it."""
    old, recipe = Signature.parse(terrain_of(mesh).built), wanted.recipe
    if not old.same_terrain(wanted.signature) or not meshes.is_grid(mesh, old.nx, old.ny):
        return None
    # A mask that no layer leaves colours nothing, and is not there to be kept.
    masks = {meshes.SLOPE, *(set(recipe.palette.masks) & set(fields_of(recipe)))}
    if wanted.shown and wanted.shown.mask in old.fields:
        masks |= {wanted.shown.mask} & set(mesh.attributes.keys())
    names = (meshes.HEIGHT, *masks)
    found = meshes.recorded(mesh, names)
    if not found:
        return None
    height, *others = (values.reshape(wanted.grid.shape) for values in found)
    fields, size = dict(zip(masks, others, strict=True)), max(recipe.size_x, recipe.size_y)
    return Heightfield(wanted.grid, height, fields, size=size)


def recolor(mesh: bpy.types.Mesh, wanted: "Wanted", made: Coloring | None) -> None:
    """Bring a mesh that has the wanted land in step with all else; None leaves the colours."""
    terrain, signature = terrain_of(mesh), wanted.signature
    old = Signature.parse(terrain.built)
    if made:
        meshes.color(mesh, made.colors)
        explain(terrain, made.legend)
    meshes.drop(mesh, set(old.fields) - set(signature.fields))
    water_kinds.sync(mesh, wanted.recipe, None, refit=old.sea != signature.sea)
    terrain.built = str(signature)


def update_water_objects(mesh: bpy.types.Mesh, recipe: Recipe) -> None:
    """Give the objects of a terrain that is there already their sea, rivers and lakes."""
    made = None
    built = Signature.parse(terrain_of(mesh).built)
    fields = meshes.recorded(mesh, (meshes.HEIGHT,))
    if recipe.water.inland and fields and meshes.is_grid(mesh, built.nx, built.ny):
        grid = recipe.grid((built.nx, built.ny))
        made = inland_water(recipe, fields[0].reshape(grid.shape), grid)
    water_kinds.sync(mesh, recipe, made)


@dataclass(frozen=True)
class Wanted:
    """What a mesh should show: plain data."""

    recipe: Recipe
    grid: Grid
    shown: MaskView | None
    signature: Signature

    @classmethod
    def of(cls, terrain: Any) -> "Wanted":
        """What its settings ask for; ValueError when they are no valid recipe."""
        recipe = read(terrain)
        grid, shown = grid_of(terrain, recipe), shown_of(terrain)
        return cls(recipe, grid, shown, Signature.of(recipe, grid, shown))


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
        wanted = Signature.of(recipe, grid_of(terrain, recipe), shown_of(terrain))
    except ValueError:
        return False
    built = Signature.parse(terrain.built)
    return built == dataclasses.replace(wanted, maps=built.maps)
