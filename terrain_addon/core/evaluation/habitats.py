# SPDX-License-Identifier: GPL-3.0-or-later
"""Habitat fields of a terrain, made on a grid of their own when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..analysis import fields as analysis
from ..analysis.habitat import Ground, habitat_grid
from ..layers.masks.field import FieldGrid
from ..numerics.array_cache import ArrayCache, Arrays
from ..numerics.arrays import Floats
from ..numerics.grid import Grid
from ..numerics.progress import Cancel
from ..recipe.recipe import Layer, Recipe
from .heightfield import Heightfield
from .solution import Solution, part_key


@dataclass(frozen=True)
class Habitats:
    """The habitat fields of the terrain of some layers.

    Nothing is computed before a field is read. ``terrain`` evaluates these layers on the grid of
    habitats, once. A ``solution`` may have the fields, and ``cache`` keeps them.
    """

    recipe: Recipe
    layers: Sequence[Layer]
    terrain: Callable[[Grid], Heightfield]
    solution: Solution | None
    cache: ArrayCache[Arrays]
    cancelled: Cancel

    def sample(self, name: str, grid: Grid) -> Floats:
        """Return a field at the points of a grid, (ny, nx) float32."""
        return self.part(name).sample(grid, self.cancelled)

    def part(self, name: str) -> FieldGrid:
        """Return a field on the grid of habitats."""
        key = habitat_key(self.recipe, self.layers, name)
        solved = self.solution.parts.get(key) if self.solution else None
        known = solved or self.cache.get(key)
        if isinstance(known, FieldGrid):
            return known
        make = analysis.FIELDS[name].habitat
        assert make is not None
        made = FieldGrid(self.ground.terrain.grid, make(self.ground))
        made.values.setflags(write=False)
        self.cache.put(key, made)
        return made

    @cached_property
    def ground(self) -> Ground:
        """The terrain and its surroundings, from which the fields are computed."""
        recipe = self.recipe
        terrain = self.terrain(habitat_grid(recipe.size_x, recipe.size_y))
        return Ground.of(terrain, recipe.surroundings, self.cancelled)


def habitat_key(recipe: Recipe, layers: Sequence[Layer], name: str) -> str:
    """Return the key of a habitat field of the terrain of some layers in a solution."""
    return part_key(recipe, layers, None, ("habitat", name, *recipe.surroundings.inputs))
