# SPDX-License-Identifier: GPL-3.0-or-later
"""The habitat of a terrain: what plants depend on, on a grid of its own.

The grid follows from the extent of the terrain alone, never from a mesh, so that plants stay where
they are at any resolution. A field is one entry of `HABITAT`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

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
from ..settings.params import Settings, param
from .lattice import Box
from .sunlight import cliffs_above, sunlight

CELLS = 512
"""Cells of the grid along the longer side of the terrain."""
LAPSE = 6.5e-3
"""Degrees C per meter of height (ICAO, *Manual of the Standard Atmosphere*, 1993)."""
SNOW_LINE_WARMTH = -3.0
"""Mean of a year in degrees C where snow stays: some 4.5 degrees colder than the tree line."""
WARMTH = 9.0
"""Mean of a year in degrees C of the lowest ground, where no snow line tells."""
DEEP_SOIL = 1.5
"""Meters of sediment that make most of a deep soil."""
FLOODED = 0.35
"""Flow from which rivers move the ground."""
CLIFF, CLIFF_SPAN = 0.85, 0.45
"""Tangent of the rise of ground above a place from which rock falls, and up to how much more the
share of it grows."""
STEEPEST_TALUS = 44.0
"""Degrees at which fallen rock does not stay: 8 above its angle of repose."""
SHORE_HEIGHT = 12.0
"""Meters above and below the sea within which a shore lies."""


class Climate(Settings):
    """Temperature and sun of a place."""

    temperature: float = param(
        WARMTH, "Temperature", "Mean of a year in degrees C at Height", min=-60.0, max=60.0
    )
    height: float = param(0.0, "Height", "Height at which that temperature is measured", unit="m")
    latitude: float = param(
        47.0, "Latitude", "Degrees from the equator, positive in the north", min=-90.0, max=90.0
    )

    @classmethod
    def of(
        cls,
        recipe: Recipe,
        terrain: Heightfield,
        home: Climate | None = None,
        *,
        temperature: float | None = None,
        latitude: float | None = None,
    ) -> Climate:
        """Return the climate of a recipe: that of its snow line, if its colors have one; otherwise
        9 degrees C, or what ``home`` has, at its lowest ground or at its sea.

        A ``temperature`` in degrees C is that of the lowest ground, whatever the snow line.
        """
        home = home or cls()
        if latitude is not None:
            home = dataclasses.replace(home, latitude=latitude)
        low, high = terrain.range
        if temperature is not None:
            return dataclasses.replace(home, temperature=temperature, height=low)
        snow = recipe.palette.snow_line
        if snow is not None:
            at = low + snow.start * (high - low) if snow.relative else snow.start
            return dataclasses.replace(home, temperature=SNOW_LINE_WARMTH, height=at)
        at = max(low, recipe.water.level) if recipe.water.show else low
        return dataclasses.replace(home, height=at)


@dataclass(frozen=True)
class Ground:
    """What habitat fields are made from: a recipe, its terrain and its climate.

    Fields that no layer leaves are 0 everywhere.
    """

    recipe: Recipe
    terrain: Heightfield
    climate: Climate
    cancelled: Cancel | None

    def field(self, name: str) -> Floats:
        """Return a field of the terrain by its key."""
        try:
            return self.terrain.fields[name]
        except KeyError:
            return np.zeros(self.terrain.grid.shape, np.float32)

    @cached_property
    def sun(self) -> Floats:
        """Sunlight relative to level ground."""
        grid = self.terrain.grid
        return sunlight(self.terrain.height, grid.dx, self.climate.latitude, self.cancelled)

    @cached_property
    def sediment(self) -> Floats:
        """0 on bare rock, 1 where there is much sediment."""
        depth = np.maximum(self.field("deposition"), 0).astype(np.float64)
        return (1 - np.exp(-depth / DEEP_SOIL)).astype(np.float32)


@dataclass(frozen=True)
class HabitatField:
    """Description of a habitat field.

    Attributes
    ----------
    label, help : str
        Name and what it means.
    low, high : float
        Its usual range.
    make : callable
        Returns the field of a `Ground`, (ny, nx) float32.
    """

    label: str
    help: str
    low: float
    high: float
    make: Callable[[Ground], Floats]


def _temperature(ground: Ground) -> Floats:
    climate = ground.climate
    above = ground.terrain.height - np.float32(climate.height)
    found = climate.temperature - LAPSE * above + 2 * (ground.sun - 1)
    return found.astype(np.float32)


def _moisture(ground: Ground) -> Floats:
    shade = np.clip(np.float32(1.3) - ground.sun, 0, 1)
    found = np.float32(0.55) * ground.field("wetness") + np.float32(0.25) * ground.sediment
    return np.clip(found + 0.2 * shade, 0, 1).astype(np.float32)


def _soil(ground: Ground) -> Floats:
    steep = ground.field("slope").astype(np.float64) / 30
    kept = 1.25 * np.exp(-steep * steep)
    crest = np.maximum(ground.field("convexity_medium"), 0)
    return np.clip(kept + 0.5 * ground.sediment - 0.2 * crest, 0, 2).astype(np.float32)


def _river(ground: Ground) -> Floats:
    return np.clip((ground.field("flow") - np.float32(FLOODED)) * np.float32(3), 0, 1)


def _disturbance(ground: Ground) -> Floats:
    return np.clip(np.maximum(_river(ground), ground.field("snow")), 0, 1)


def _talus(ground: Ground) -> Floats:
    grid = ground.terrain.grid
    above = cliffs_above(ground.terrain.height, grid.dx, ground.cancelled)
    share: Floats = np.clip((above - np.float32(CLIFF)) * np.float32(1 / CLIFF_SPAN), 0, 1)
    steep = (np.float32(STEEPEST_TALUS) - ground.field("slope")) * np.float32(1 / 8)
    return (share * np.clip(steep, 0, 1)).astype(np.float32)


def _shore(ground: Ground) -> Floats:
    water = ground.recipe.water
    if not water.show:
        return np.zeros(ground.terrain.grid.shape, np.float32)
    above = ground.terrain.height - np.float32(water.level)
    return np.clip(np.float32(1) - np.abs(above) * np.float32(1 / SHORE_HEIGHT), 0, 1)


HABITAT: dict[str, HabitatField] = {
    "temperature": HabitatField(
        "Temperature", "Mean of a year in degrees C, warmer on sunny slopes", -10, 30, _temperature
    ),
    "moisture": HabitatField(
        "Moisture", "Water in the ground: 0 on dry crests, 1 in wet hollows", 0, 1, _moisture
    ),
    "sun": HabitatField(
        "Sun", "Direct sunlight of a year; level, open ground has 1", 0, 1.5, lambda one: one.sun
    ),
    "soil": HabitatField(
        "Soil", "Depth of soil: 0 on rock, 2 on flat ground of sediment", 0, 2, _soil
    ),
    "slope": HabitatField(
        "Slope", "Degrees from flat to upright", 0, 90, lambda one: one.field("slope")
    ),
    "disturbance": HabitatField(
        "Disturbance", "How often floods or snow move what grows: 0 never, 1 always", 0, 1,
        _disturbance,
    ),
    "river": HabitatField(
        "River", "Beds of rivers that an Erosion layer leaves: 0 beside them, 1 in them", 0, 1,
        _river,
    ),
    "talus": HabitatField(
        "Talus", "Fallen rock: 0 far from cliffs, 1 at their foot", 0, 1, _talus
    ),
    "shore": HabitatField(
        "Shore", "1 at the level of the sea, 0 from 12 m above and below it", 0, 1, _shore
    ),
}  # fmt: skip
"""All habitat fields by key. Keys are permanent: files of species hold them."""
NEEDED = ("wetness", "lake_depth")
"""Fields of the whole terrain that habitats are made from."""


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
        """Return the habitat of a recipe, in a climate or in that of :meth:`Climate.of`, which
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
        grid = recipe.grid(CELLS + 1)
        solution = solve(recipe, cancelled=cancelled) if solution is None else solution
        solution = solve_fields(recipe, grid, NEEDED, solution, cancelled=cancelled)
        terrain = evaluate(recipe, grid, solution=solution, cancelled=cancelled)
        climate = climate or Climate.of(recipe, terrain, home)
        ground = Ground(recipe, terrain, climate, cancelled)
        fields = {key: one.make(ground).astype(np.float32) for key, one in HABITAT.items()}
        return cls(grid, fields, _water(recipe, ground))

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
