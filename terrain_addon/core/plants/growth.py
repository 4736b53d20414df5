# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants that follow from the habitat and from each other.

Each stratum has one candidate in each of its cells. Which species stands there, if any, is a race:
a species of weight w arrives after an exponential time of rate w, and the first that arrives before
1 has the place. So a species that is added takes places of others, and moves none. Then candidates
whose crowns overlap compete, and what stands shades the strata below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import noise
from ..numerics.arrays import Bools, Doubles, Floats
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, Progress, no_progress, poll
from .clearings import Clearings
from .competition import (
    OVERLAP,
    OWN_REACH,
    REACH,
    ROUNDS,
    SEED_REACH,
    Cover,
    living,
    shade_of_neighbors,
)
from .habitat import Habitat
from .lattice import Box, Spots, name_stream, unit
from .plants import Plants
from .species import PlantSet, Species

TILE = 1200.0
"""Side in meters of the windows that plants are grown in, which bounds the memory."""
MOST_SEEDS = 3.5
"""Limit of the factor by which seeds raise the weight of a species."""
LARGEST = 1.15
"""Most that a crown exceeds that of its species."""
STAND = 160.0
"""Size in meters of stands that grew up after one storm or fire."""
GROWTH = 2.3
"""How fast plants grow: they have 90 % of their height after their lifespan."""
WET, DEEP = 0.05, 0.8
"""Meters of water in which nothing grows, and in which nothing stands."""
SHORE = -0.5
"""Meters of water by the sea, below 0, above which waves reach."""
_PLACE, _OWN_AGE, _VIGOR, _CROWN, _TURN, _RANK = 100, 3, 4, 5, 6, 7
"""Streams of random numbers."""

Avoid = Callable[[Doubles, Doubles], Bools]
"""Which points are kept clear, such as those on roads."""


def grow(
    habitat: Habitat,
    plants: PlantSet,
    *,
    seed: int = 0,
    box: Box | None = None,
    avoid: Avoid | None = None,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> Plants:
    """Return the plants of a habitat, or those in a rectangle of it, which are the same.

    Parameters
    ----------
    habitat : Habitat
        What plants depend on.
    plants : PlantSet
        The species.
    seed : int
        Of all random numbers.
    box : Box, optional
        Rectangle in meters; by default the whole habitat.
    avoid : callable, optional
        Takes x and y (n,) in meters and returns which points are kept clear. Of `Clearings`,
        species with *In Water* stand in rivers.

    Examples
    --------
    >>> from terrain_addon.core import FractalNoise, Layer, Recipe
    >>> hills = Recipe(layers=(Layer.of(FractalNoise(height=80.0)),), size_x=300.0, size_y=300.0)
    >>> habitat, species = Habitat.of(hills), PlantSet()
    >>> every = grow(habitat, species)
    >>> part = grow(habitat, species, box=Box(-50.0, 50.0, -50.0, 50.0))
    >>> bool(np.array_equal(part.x, every.x[Box(-50.0, 50.0, -50.0, 50.0).holds(every.x, every.y)]))
    True
    """
    grid = habitat.grid
    whole = Box(grid.x[0], np.nextafter(grid.x[-1], np.inf), grid.y[0],
                np.nextafter(grid.y[-1], np.inf))  # fmt: skip
    wanted = whole if box is None else box.within(whole)
    strata = [_Stratum.of(number, plants, habitat, seed) for number in range(len(plants.strata))]
    report = progress or no_progress
    tiles = list(_tiles(wanted))
    grown: list[list[Plants]] = [[] for _ in strata]
    for number, tile in enumerate(tiles):
        report(number / len(tiles))
        around = tile.wider(halo(plants)).within(whole)
        for stratum, made in enumerate(_grown(strata, plants, habitat, around, avoid, cancelled)):
            grown[stratum].append(made.take(tile.holds(made.x, made.y)))
    report(1.0)
    return Plants.joined([part for parts in grown for part in parts])


def halo(plants: PlantSet) -> float:
    """Return meters around a window in which plants may matter for it."""
    far = 0.0
    for number, stratum in enumerate(plants.strata):
        own = (one.crown for one in plants.of_stratum(number))
        crown = LARGEST * max(own, default=0.0)
        far += (4 * ROUNDS * OVERLAP + OWN_REACH + REACH) * crown + SEED_REACH + 2 * stratum.cell
    return far


def _tiles(box: Box) -> Iterator[Box]:
    """Yield rectangles that fill a box, at multiples of the side of a tile."""
    for low in np.arange(np.floor(box.low / TILE) * TILE, box.high, TILE).tolist():
        for left in np.arange(np.floor(box.left / TILE) * TILE, box.right, TILE).tolist():
            tile = Box(left, left + TILE, low, low + TILE).within(box)
            if tile.left < tile.right and tile.low < tile.high:
                yield tile


@dataclass(frozen=True)
class _Stratum:
    """A stratum in a habitat: how well each species lives at each place.

    Attributes
    ----------
    fits, weights : list of ndarray of float32, shape (ny, nx)
        Suitability of each species, and the rate of its race.
    stands : ndarray of float32, shape (ny, nx)
        Age of stands, 0 to 1.
    """

    number: int
    cell: float
    shading: float
    species: Sequence[Species]
    numbers: Sequence[int]
    fits: Sequence[Floats]
    weights: Sequence[Floats]
    stands: Floats
    seed: int

    @classmethod
    def of(cls, number: int, plants: PlantSet, habitat: Habitat, seed: int) -> _Stratum:
        own, stratum = plants.of_stratum(number), plants.strata[number]
        fits = [_suitability(one, habitat) for one in own]
        weights = [
            np.float32(one.abundance) * fit * _groups(one, habitat.grid, seed)
            for one, fit in zip(own, fits, strict=True)
        ]
        numbers = [plants.species.index(one) for one in own]
        stands = _noise(habitat.grid, STAND, seed, "stands")
        stands = np.float32(0.25) + np.float32(0.75) * np.clip(stands * 1.6 - 0.24, 0, 1)
        return cls(
            number, stratum.cell, stratum.shading, own, numbers, fits, weights,
            stands.astype(np.float32), seed,
        )  # fmt: skip

    @property
    def canopy(self) -> bool:
        """Whether nothing stands above it."""
        return self.number == 0


def _suitability(one: Species, habitat: Habitat) -> Floats:
    """Return 0 to 1: the scarcest of what a species needs, a little less where several are."""
    least = product = np.ones(habitat.grid.shape, np.float32)
    for name, niche in one.niches.items():
        part = niche.suitability(habitat.fields[name])
        least, product = np.minimum(least, part), product * part
    return np.sqrt(least * product)


def _groups(one: Species, grid: Grid, seed: int) -> Floats:
    """Return the factor by which a species gathers in groups, about 1 on average."""
    wide = _noise(grid, one.group_size, seed, one.name)
    narrow = _noise(grid, one.group_size / 2.7, seed, one.name + " ")
    share = (np.float32(0.65) * wide + np.float32(0.35) * narrow - np.float32(0.5)) * np.float32(4)
    steep = np.clip(share + np.float32(0.5), 0, 1)
    return (1 - one.grouping + 2 * one.grouping * steep).astype(np.float32)


def _noise(grid: Grid, size: float, seed: int, name: str) -> Floats:
    """Return smooth noise of forms of a size in meters, 0 to 1."""
    own = (seed + name_stream(name)) & 0x7FFFFFFF
    found = noise.sample_grid("value", grid.x / size, grid.y / size, seed=own)
    return np.float32(0.5) + np.float32(0.5) * np.asarray(found, np.float32)


def _grown(
    strata: Sequence[_Stratum],
    plants: PlantSet,
    habitat: Habitat,
    box: Box,
    avoid: Avoid | None,
    cancelled: Cancel | None,
) -> Iterator[Plants]:
    """Yield the plants of each stratum in a rectangle; those near its border may be others than in
    a larger one."""
    above: list[Cover] = []
    for stratum in strata:
        poll(cancelled)
        spots, bed = _candidates(stratum, habitat, box, avoid)
        spots, which, light = _race(stratum, plants, habitat, spots, bed, above)
        made = _lived(stratum, habitat, spots, which, light, cancelled)
        yield made.plants
        parents = {one.parent for one in plants.species}
        numbers = [n for n, one in enumerate(plants.species) if one.name in parents]
        own = sorted(set(numbers) & set(made.plants.species.tolist()))
        above.append(Cover.of(made.spots, made.plants.crown, made.plants.species, own))


def _candidates(
    stratum: _Stratum, habitat: Habitat, box: Box, avoid: Avoid | None
) -> tuple[Spots, Bools]:
    """Return the spots where a species could stand, and which of them lie in water."""
    spots = Spots.of(box, stratum.cell, stratum.seed, _PLACE + 2 * stratum.number)
    # By random numbers alone, in the best of all places: few spots need a look at theirs.
    lots = np.zeros(len(spots), bool)
    for one in stratum.species:
        most = one.abundance * (1 + one.grouping) * _seed_limit(one)
        lots |= _arrival(spots, one) < most
    spots = spots.take(lots & box.holds(spots.x, spots.y))
    could = np.zeros(len(spots), bool)
    x, y = spots.x, spots.y
    for one, weight in zip(stratum.species, stratum.weights, strict=True):
        could |= _arrival(spots, one) < habitat.at(weight, x, y) * np.float32(_seed_limit(one))
    spots = spots.take(could)
    never, bed = _kept_clear(habitat, spots, avoid)
    free = ~never if any(one.in_water for one in stratum.species) else ~(never | bed)
    return spots.take(free), bed[free]


def _kept_clear(habitat: Habitat, spots: Spots, avoid: Avoid | None) -> tuple[Bools, Bools]:
    """Return at which spots nothing stands, and at which only what stands in water."""
    x, y = spots.x, spots.y
    depth = habitat.at(habitat.water, x, y)
    never = depth > DEEP
    bed = (depth > WET) | ((depth > SHORE) & (depth < 0))
    if isinstance(avoid, Clearings):
        never |= avoid.always(x, y)
        bed |= avoid.in_rivers(x, y)
    elif avoid is not None:
        never |= avoid(x, y)
    return never, bed


def _seed_limit(one: Species) -> float:
    return MOST_SEEDS if one.parent else 1.0


def _arrival(spots: Spots, one: Species) -> Floats:
    """Return the times at which a species of weight 1 arrives."""
    chance = unit(spots.words, name_stream(one.name)).astype(np.float64)
    return (-np.log1p(-chance)).astype(np.float32)


def _race(
    stratum: _Stratum,
    plants: PlantSet,
    habitat: Habitat,
    spots: Spots,
    bed: Bools,
    above: Sequence[Cover],
) -> tuple[Spots, NDArray[np.int32], Floats]:
    """Return the spots where a species arrives, which of the stratum it is, and the light."""
    x, y = spots.x, spots.y
    shade = np.zeros(len(spots), np.float32)
    for cover in above:
        shade += cover.at(cover.shade, x, y)
    light = np.exp(-shade.astype(np.float64)).astype(np.float32)
    first, which = np.ones(len(spots), np.float32), np.full(len(spots), -1, np.int32)
    for number, one in enumerate(stratum.species):
        weight = habitat.at(stratum.weights[number], x, y)
        if not one.in_water:
            weight[bed] = 0
        if above:
            weight *= one.light.suitability(light)
        if one.parent:
            weight *= _seeds_factor(one, plants, above, x, y)
        with np.errstate(divide="ignore"):
            arrival = _arrival(spots, one) / weight
        wins = arrival < first
        first[wins], which[wins] = arrival[wins], number
    here = which >= 0
    return spots.take(here), which[here], light[here]


def _seeds_factor(
    one: Species, plants: PlantSet, above: Sequence[Cover], x: Doubles, y: Doubles
) -> Floats:
    """Return the factor by which seeds of the parent raise the weight of a species."""
    parent = next(n for n, other in enumerate(plants.species) if other.name == one.parent)
    rain = np.zeros(len(x), np.float32)
    for cover in above:
        if parent in cover.seeds:
            rain += cover.at(cover.seeds[parent], x, y)
    found = 1 - 0.5 * one.seedlings + one.seedlings * rain
    return np.clip(found, 0, MOST_SEEDS).astype(np.float32)


@dataclass(frozen=True)
class _Made:
    """Plants of a stratum, and their spots."""

    spots: Spots
    plants: Plants


def _lived(
    stratum: _Stratum,
    habitat: Habitat,
    spots: Spots,
    which: NDArray[np.int32],
    light: Floats,
    cancelled: Cancel | None,
) -> _Made:
    """Return the plants that live, smaller where taller ones shade them."""
    age = _ages(stratum, habitat, spots)
    height, crown = _sizes(stratum, habitat, spots, which, age, light)
    poll(cancelled)
    alive = living(spots, height, crown)
    spots, which, height, crown, age = (
        spots.take(alive), which[alive], height[alive], crown[alive], age[alive],
    )  # fmt: skip
    shade = np.minimum(shade_of_neighbors(spots, height, crown), np.float32(1))
    small = (1 - np.float32(stratum.shading) * shade).astype(np.float32, copy=False)
    years = np.array([one.lifespan for one in stratum.species], np.float32)[which]
    turn = unit(spots.words, _TURN) * np.float32(2 * np.pi)
    numbers = np.array(stratum.numbers, np.int32)[which]
    made = Plants(
        spots.x, spots.y, numbers, height * small, crown * np.sqrt(small), age * years, turn,
        unit(spots.words, _RANK),
    )  # fmt: skip
    return _Made(spots, made)


def _ages(stratum: _Stratum, habitat: Habitat, spots: Spots) -> Floats:
    """Return ages as shares of the lifespan: those of the stand, and of each plant below it."""
    own = unit(spots.words, _OWN_AGE)
    if not stratum.canopy:
        return (0.15 + 0.85 * own * own).astype(np.float32)
    stand = habitat.at(stratum.stands, spots.x, spots.y)
    return np.clip(stand * (0.6 + 0.4 * own), 0.03, 1).astype(np.float32)


def _sizes(
    stratum: _Stratum,
    habitat: Habitat,
    spots: Spots,
    which: NDArray[np.int32],
    age: Floats,
    light: Floats,
) -> tuple[Floats, Floats]:
    """Return heights and radii of crowns by age, habitat and light."""
    x, y = spots.x, spots.y
    fit = np.zeros(len(spots), np.float32)
    for number, values in enumerate(stratum.fits):
        mine = which == number
        fit[mine] = habitat.at(values, x[mine], y[mine])
    full, wide = (
        np.array([getattr(one, name) for one in stratum.species], np.float32)[which]
        for name in ("height", "crown")
    )
    grown = (-np.expm1(-GROWTH * age.astype(np.float64)) / -np.expm1(-GROWTH)).astype(np.float32)
    vigor = np.float32(0.7) + np.float32(0.3) * fit
    vigor *= np.float32(0.88) + np.float32(0.24) * unit(spots.words, _VIGOR)
    if not stratum.canopy:
        vigor *= np.float32(1 - stratum.shading) + np.float32(stratum.shading) * light
    share = np.clip(grown * vigor, np.float32(0.06), np.float32(1.12)).astype(np.float32)
    crown = np.sqrt(share) * (np.float32(0.85) + np.float32(0.3) * unit(spots.words, _CROWN))
    return full * share, wide * np.minimum(crown, np.float32(LARGEST))
