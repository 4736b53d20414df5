# SPDX-License-Identifier: GPL-3.0-or-later
"""The habitat of a terrain: what plants depend on, on a grid of its own.

The grid follows from the extent of the terrain alone, never from a mesh, so that plants stay where
they are at any resolution. A field is one entry of `HABITAT`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..analysis.fields import FIELDS, HABITAT as MADE, Field
from ..analysis.habitat import Climate, Ground, habitat_grid
from ..evaluation.heightfield import Heightfield
from ..evaluation.solution import Solution
from ..evaluation.solving import solve
from ..evaluation.solving_fields import solve_fields
from ..evaluation.stack import evaluate
from ..numerics.arrays import Doubles, Floats
from ..numerics.grid import Grid
from ..numerics.progress import Cancel
from ..numerics.resample import bilinear
from ..recipe.recipe import Recipe
from .lattice import Box

HABITAT: dict[str, Field] = {name: FIELDS[name] for name in ("slope", *MADE)}
"""The fields that niches may name, by their keys, which files of species hold."""
NEEDED = ("wetness", "lake_depth")
"""Fields of the whole terrain that habitats are made from."""


def climate_of(
    recipe: Recipe,
    terrain: Heightfield,
    home: Climate | None = None,
    *,
    temperature: float | None = None,
    latitude: float | None = None,
) -> Climate:
    """Return the climate in which the plants of a recipe grow: its own, that of the snow of its
    colors, or that of ``home``, such as :attr:`PlantSet.home`, at its sea or lowest ground.

    A ``temperature`` in degrees C replaces it, and is that of the sea, or of the lowest ground.
    """
    low, high = terrain.range
    climate = recipe.surroundings.climate_between(low, high, home)
    if temperature is not None:
        foot = recipe.surroundings.foot(low)
        climate = dataclasses.replace(climate, temperature=temperature, height=foot)
    return climate if latitude is None else dataclasses.replace(climate, latitude=latitude)


@dataclass(frozen=True)
class Habitat:
    """The habitat of a terrain.

    Attributes
    ----------
    grid : Grid
        Where the fields are sampled.
    fields : mapping of ndarray of float32, shape (ny, nx)
        By their keys in `HABITAT`.
    water : ndarray of float32, shape (ny, nx)
        Meters of water of lakes and the sea over the ground; below 0 on dry land by the sea.
    """

    grid: Grid
    fields: Mapping[str, Floats]
    water: Floats

    @classmethod
    def of(
        cls,
        recipe: Recipe,
        climate: Climate | None = None,
        *,
        home: Climate | None = None,
        solution: Solution | None = None,
        cancelled: Cancel | None = None,
    ) -> Habitat:
        """Return the habitat of a recipe, in a climate or in that of :func:`climate_of`, which
        takes ``home``, such as :attr:`PlantSet.home`.

        Raises ValueError and Cancelled as :func:`~terrain_addon.core.evaluate` does.

        Examples
        --------
        >>> from terrain_addon.core import FractalNoise, Layer
        >>> hills = Recipe(layers=(Layer.of(FractalNoise(height=300.0)),))
        >>> habitat = Habitat.of(hills)
        >>> habitat.grid.shape, sorted(habitat.fields)[:2]
        ((513, 513), ['disturbance', 'moisture'])
        """
        grid = habitat_grid(recipe.size_x, recipe.size_y)
        solution = solve(recipe, cancelled=cancelled) if solution is None else solution
        solution = solve_fields(recipe, grid, NEEDED, solution, cancelled=cancelled)
        terrain = evaluate(recipe, grid, solution=solution, cancelled=cancelled)
        climate = climate or climate_of(recipe, terrain, home)
        ground = Ground(terrain, climate, recipe.surroundings.sea, cancelled)
        fields = {key: one.habitat(ground) for key, one in HABITAT.items() if one.habitat}
        return cls(grid, {"slope": ground.field("slope"), **fields}, _water(recipe, ground))

    def at(self, values: Floats, x: Doubles, y: Doubles) -> Floats:
        """Return values of the grid at points (n,) in meters, interpolated."""
        return bilinear(values, *self.places(x, y))

    def places(self, x: Doubles, y: Doubles) -> tuple[Floats, Floats]:
        """Return points (n,) in meters as rows and columns of the grid."""
        grid = self.grid
        columns = ((x - grid.x0) * (1 / grid.dx)).astype(np.float32)
        return ((y - grid.y0) * (1 / grid.dy)).astype(np.float32), columns

    @property
    def box(self) -> Box:
        """The rectangle of the terrain, its borders included."""
        grid = self.grid
        right, high = (float(np.nextafter(one[-1], np.inf)) for one in (grid.x, grid.y))
        return Box(float(grid.x[0]), right, float(grid.y[0]), high)

    def window(self, box: Box) -> tuple[slice, slice]:
        """Return the rows and columns that values in a rectangle are interpolated from."""
        grid = self.grid
        return _span(box.low, box.high, grid.y0, grid.dy), _span(
            box.left, box.right, grid.x0, grid.dx
        )


def _span(low: float, high: float, first: float, step: float) -> slice:
    start = math.floor((low - first) / step) - 1
    return slice(max(start, 0), max(math.ceil((high - first) / step) + 2, 0))


def _water(recipe: Recipe, ground: Ground) -> Floats:
    found = np.zeros(ground.terrain.grid.shape, np.float32)
    if recipe.water.lakes:
        found = np.maximum(found, ground.field("lake_depth"))
    if recipe.water.show:
        sea = np.float32(recipe.water.level) - ground.terrain.height
        found = np.where(found > 0, np.maximum(found, sea), sea)
    return found
