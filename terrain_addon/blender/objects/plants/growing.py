# SPDX-License-Identifier: GPL-3.0-or-later
"""Growth of plants from plain data, in any thread."""

import dataclasses
import hashlib
import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....core import Cache, Climate, Grid, Recipe, evaluate, plants, solve
from ....core.numerics import Cancel, LayerProgress
from ....core.plants import Box, Clearings, Habitat, Plants, PlantSet

SOLVED = 0.4
"""Share of the work that is done when the habitat is known."""
POINTS = 513
"""Points along the longer side of the terrain from which the climate follows."""


@dataclass(frozen=True)
class Planting:
    """Everything that decides which plants grow.

    Attributes
    ----------
    terrain : str
        Digest of what the heights and the water of the recipe depend on.
    species : PlantSet, optional
        The set of the ground; None for plants of groups only.
    groups : bool
        Whether groups have the plants that they name.
    temperature : float, optional
        Degrees C at the sea or the lowest ground; by default that of the recipe, or of the
        species.
    latitude : float, optional
        Degrees; by default as the temperature.
    grid : Grid
        Points of the mesh: its rivers stay clear, and others show rivers elsewhere.
    box : Box
        Where they grow.
    density : float
        Share that is kept, 0 to 1.
    """

    recipe: Recipe
    grid: Grid
    terrain: str
    species: PlantSet | None
    groups: bool
    temperature: float | None
    latitude: float | None
    box: Box
    density: float
    seed: int

    @property
    def sets(self) -> tuple[str, ...]:
        """Names of the sets of groups, from the ground up."""
        return tuple(plants.planted(self.recipe).values()) if self.groups else ()

    @property
    def digest(self) -> str:
        """Digest of what the plants depend on: equal ones give equal plants."""
        snow, box = self.recipe.palette.snow_line, dataclasses.astuple(self.box)
        data = [
            self.terrain, self.species and self.species.to_dict(), self.sets, self.temperature,
            self.latitude, box, self.density, self.seed,
            None if snow is None else [snow.start, snow.relative],
            self.grid.shape if self.recipe.water.rivers else None,
            *((self.recipe.climate.to_dict(),) if self.recipe.climate else ()),
        ]  # fmt: skip
        return hashlib.blake2b(json.dumps(data).encode(), digest_size=8).hexdigest()


@dataclass(frozen=True)
class Grown:
    """Plants, whose species are numbers among those of all sets together.

    Attributes
    ----------
    warmth : how warm their ground is: 0 for the coldest of them, 1 for the warmest
    sets : names of the sets of groups that grow besides that of the ground
    """

    plants: Plants
    warmth: NDArray[np.float32]
    sets: tuple[str, ...]


def grow(wanted: Planting, cache: Cache, progress: LayerProgress, cancelled: Cancel) -> Grown:
    """Return plants. Raises Cancelled, and ValueError as `evaluate` does."""
    recipe = wanted.recipe
    solution = solve(recipe, cache=cache, cancelled=cancelled)
    terrain = evaluate(
        recipe, recipe.grid(POINTS), fields=(), solution=solution, cancelled=cancelled
    )
    climate = plants.climate_of(
        recipe, terrain, _home(wanted), temperature=wanted.temperature, latitude=wanted.latitude
    )
    shown = terrain
    if recipe.water.rivers:
        shown = evaluate(
            recipe, wanted.grid, fields=(), solution=solution, cache=cache, cancelled=cancelled
        )
    progress(SOLVED / 2, "Plants")
    habitat = Habitat.of(recipe, climate, solution=solution, cancelled=cancelled)
    parts = plants.cover(
        recipe,
        habitat,
        wanted.species,
        groups=wanted.groups,
        seed=wanted.seed,
        box=wanted.box,
        avoid=Clearings.of(recipe, shown, cancelled),
        progress=lambda share: progress(SOLVED + (1 - SOLVED) * share, "Plants"),
        cancelled=cancelled,
    )
    if not parts:
        raise ValueError("No group of this terrain has plants: choose its Plants, or another set")
    found = plants.together(parts)[1].thinned(wanted.density)
    return Grown(found, _warmth(habitat, found), wanted.sets)


def _home(wanted: Planting) -> Climate | None:
    """Return the climate at home of the ground's species, or of those of the lowest group."""
    if wanted.species:
        return wanted.species.home
    return PlantSet.load(wanted.sets[0]).home if wanted.sets else None


def _warmth(habitat: Habitat, found: Plants) -> NDArray[np.float32]:
    warm = habitat.at(habitat.fields["temperature"], found.x, found.y)
    if not len(warm):
        return warm
    low, high = np.quantile(warm, [0.01, 0.99])
    return np.clip((warm - low) / max(high - low, 0.5), 0, 1).astype(np.float32)
