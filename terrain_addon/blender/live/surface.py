# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes the surface of a recipe and writes it to a mesh."""

import dataclasses
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import bpy

from ...core import Cache, Grid, Heightfield, Recipe
from ...core.evaluation import LayerTimes
from ...core.numerics import Cancel, LayerProgress
from ...core.output import (
    Coloring,
    InlandWater,
    MaskView,
    bridge_mesh,
    evaluate_colored,
    fields_of,
    inland_water,
)
from .. import materials
from ..data.attributes import values_of
from ..data.terrains import objects_of, terrain_of
from ..mesh import terrain_mesh
from ..mesh.drawn_shapes import FOLLOWED
from ..mesh.signature import Signature
from ..mesh.terrain_mesh import Surface
from ..objects import drawn_objects, water_kinds
from ..objects.plants import points
from ..properties.mask_view import explain, mask_view_of
from ..properties.recipe import grid_of, read, read_bare, with_known_results
from .cache import CACHE


def make_surface(
    recipe: Recipe,
    grid: Grid,
    cache: Cache | None = None,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
    shown: MaskView | None = None,
    times: LayerTimes | None = None,
) -> Surface:
    """Make what a mesh shows of a recipe on a grid, in the colors of a mask if one is ``shown``.

    It does not use Blender: any thread may call it.
    """
    terrain, made = evaluate_colored(
        recipe, grid, shown, progress=progress, cancelled=cancelled, cache=cache, times=times
    )
    water = None
    if recipe.water.inland or recipe.may_have_bridges:
        water = _water(recipe, terrain, cache, progress, cancelled)
    return surface_of(recipe, terrain, made, water)


def surface_of(
    recipe: Recipe, terrain: Heightfield, made: Coloring, water: InlandWater | None
) -> Surface:
    """Make the surface of a heightfield in its colors, with the fields that the recipe uses."""
    fields = {name: terrain.fields[name] for name in recipe.fields if name in terrain.fields}
    slope = terrain.fields["slope"]
    return Surface(
        terrain.grid, terrain.height, slope, made.colors, fields, water, made.legend, made.surfaces
    )


def _water(
    recipe: Recipe,
    field: Heightfield,
    cache: Cache | None = None,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
) -> InlandWater:
    """Compute rivers, lakes and bridges, after all layers."""

    def report(share: float) -> None:
        if progress is not None:
            progress(1.0, f"Rivers and lakes, {share:.0%}")

    water = inland_water(recipe, field.height, field.grid, progress=report, cancelled=cancelled)
    return dataclasses.replace(water, bridges=bridge_mesh(recipe, cache, cancelled))


def write(mesh: bpy.types.Mesh, made: Surface, recipe: Recipe, signature: Signature) -> None:
    """Write a surface to a mesh, and its signature beside the recipe.

    Raises ValueError, and changes nothing, if the user has an attribute with one of our names.
    """
    terrain = terrain_of(mesh)
    old = Signature.built(terrain)
    shape = (made.grid.nx, made.grid.ny)
    terrain_mesh.check_own(mesh, made.fields)
    with _replacing(terrain, signature.unfinished(old)):
        if (old.nx, old.ny) == shape and terrain_mesh.is_grid(mesh, *shape):
            terrain_mesh.move(mesh, made)
        else:
            terrain_mesh.build(mesh, made, old.grid, old.fields)
        if made.colors is not None:
            terrain_mesh.remove_attributes(mesh, set(old.fields) - set(made.fields))
            explain(terrain, made.legend)
        materials.sync(mesh, recipe)
        water_kinds.sync(mesh, recipe, made.water, refit=old.water != signature.water)
        terrain.built = str(signature)
    points.snap(mesh)
    if not signature.is_coarse and not FOLLOWED.rendered:
        drawn_objects.drape_drawn(mesh)


@contextmanager
def _replacing(terrain: Any, spoiled: Signature) -> Iterator[None]:
    """Give a terrain another signature if the context fails halfway, so that it is not current."""
    try:
        yield
    except BaseException:
        terrain.built = str(spoiled)
        raise


def stored_heightfield(
    mesh: bpy.types.Mesh, target: "Target", names: Iterable[str] | None = None
) -> Heightfield | None:
    """Return the heightfield stored on a mesh, if it is that of the target and complete.

    With the fields of those ``names``; by default those that its colors show.
    """
    stored = stored_names(mesh, target, names)
    return read_stored(mesh, target, stored) if stored else None


def stored_names(
    mesh: bpy.types.Mesh, target: "Target", names: Iterable[str] | None = None
) -> tuple[str, ...]:
    """Return the names of the attributes that hold the heightfield of a target on a mesh, the
    heights first; none if it is not there or not complete.

    ``names`` are those of :func:`stored_heightfield`. No values are read, which takes longer.
    """
    old = Signature.built(terrain_of(mesh))
    if not old.same_terrain(target.signature) or not terrain_mesh.is_grid(mesh, old.nx, old.ny):
        return ()
    fields = _shown_fields(mesh, target) if names is None else names
    stored = (terrain_mesh.HEIGHT, *fields)
    return stored if all(terrain_mesh.is_own(mesh, name) for name in stored) else ()


def read_stored(mesh: bpy.types.Mesh, target: "Target", names: tuple[str, ...]) -> Heightfield:
    """Return the heightfield that is stored on a mesh under the names of :func:`stored_names`."""
    values = [values_of(mesh.attributes[name]).reshape(target.grid.shape) for name in names]
    fields = dict(zip(names[1:], values[1:], strict=True))
    return Heightfield(target.grid, values[0], fields, radius=target.recipe.wide_radius)


def _shown_fields(mesh: bpy.types.Mesh, target: "Target") -> tuple[str, ...]:
    """Return the names of the stored fields that the colors of a target show."""
    # A field that no layer produces colors nothing, and is not stored.
    palette = target.recipe.colors
    names = set(palette.fields) & set(fields_of(target.recipe))
    if palette.needs_slope or (target.shown and target.shown.mask == terrain_mesh.SLOPE):
        names.add(terrain_mesh.SLOPE)
    if target.shown and target.shown.mask in Signature.built(terrain_of(mesh)).fields:
        names |= {target.shown.mask} & set(mesh.attributes.keys())
    return tuple(names)


def recolor(
    mesh: bpy.types.Mesh, target: "Target", made: Coloring | None, *, classes: bool = True
) -> None:
    """Update all but the heights of a mesh to the target; None keeps the colors.

    Without ``classes``, the weights of the surface classes stay as they are. If the target has
    others, these are to follow.
    """
    terrain, signature = terrain_of(mesh), target.signature
    old = Signature.built(terrain)
    if not classes and old.classes != signature.classes:
        signature = signature.without_classes()
    with _replacing(terrain, old.without_colors()):
        if made and classes:
            terrain_mesh.classify(mesh, made.surfaces)
        if made:
            terrain_mesh.color(mesh, made.colors)
            explain(terrain, made.legend)
        terrain_mesh.remove_attributes(mesh, set(old.fields) - set(signature.fields))
        materials.sync(mesh, target.recipe)
        water_kinds.sync(mesh, target.recipe, None, refit=old.water != signature.water)
        terrain.built = str(signature)


def update_water_objects(mesh: bpy.types.Mesh, recipe: Recipe) -> None:
    """Update the sea, rivers and lakes of a terrain that is built already."""
    made = None
    built = Signature.built(terrain_of(mesh))
    fields = terrain_mesh.recorded(mesh, (terrain_mesh.HEIGHT,))
    wanted = recipe.water.inland or recipe.may_have_bridges
    if wanted and fields and terrain_mesh.is_grid(mesh, built.nx, built.ny):
        grid = recipe.grid((built.nx, built.ny))
        height = Heightfield(grid, fields[0].reshape(grid.shape), {}, radius=recipe.wide_radius)
        made = _water(recipe, height, CACHE)
    water_kinds.sync(mesh, recipe, made)


@dataclass(frozen=True)
class Target:
    """What a mesh is to be built from: plain data."""

    recipe: Recipe
    grid: Grid
    shown: MaskView | None
    signature: Signature

    @property
    def points(self) -> int:
        """Number of points of the mesh."""
        return self.grid.nx * self.grid.ny

    @classmethod
    def of(cls, terrain: Any) -> "Target":
        """Return the target of a terrain's settings; ValueError if they are no valid recipe."""
        recipe = with_known_results(read(terrain))
        grid, shown = grid_of(terrain, recipe), mask_view_of(terrain)
        return cls(recipe, grid, shown, Signature.of(recipe, grid, shown))


def check_names(mesh: bpy.types.Mesh, recipe: Recipe) -> None:
    """Raise ValueError if an attribute or vertex group of the user has a name that we need.

    Attributes and vertex groups share a namespace.
    """
    terrain_mesh.check_own(mesh, recipe.fields)
    built = Signature.built(terrain_of(mesh))
    for name in recipe.fields if built.nx else ():  # otherwise it is unknown which are ours
        if name not in built.fields and name in mesh.attributes:
            raise ValueError(f"The mesh has another attribute named {name!r}: rename it first")
    for item in objects_of(mesh):
        for name in (*terrain_mesh.OURS, *recipe.fields):
            if name in item.vertex_groups:
                raise ValueError(f"There is a vertex group named {name!r}: rename it first")


def is_current(mesh: bpy.types.Mesh) -> bool:
    """Return whether a mesh shows its recipe, without a check of painted maps, which is slow."""
    terrain = terrain_of(mesh)
    try:
        recipe = with_known_results(read_bare(terrain))
        expected = Signature.of(recipe, grid_of(terrain, recipe), mask_view_of(terrain))
    except ValueError:
        return False
    built = Signature.built(terrain)
    return built == dataclasses.replace(expected, maps=built.maps)
