# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants that follow from the habitat and from each other.

Each stratum has one candidate in each of its cells. Which species stands there, if any, is a race:
a species of weight w arrives after an exponential time of rate w, and the first that arrives before
1 has the place. So a species that is added takes places of others, and moves none. Then candidates
whose crowns overlap compete, and what stands shades the strata below.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .. import noise
from ..numerics.arrays import Bools, Doubles, Floats, Indices
from ..numerics.blocks import parts
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, Progress, no_progress, poll
from ..numerics.resample import bilinear
from .clearings import Clearings
from .competition import COMPETITION_REACH, living, shade_of_neighbors
from .habitat import Habitat
from .lattice import BLOCK, Box, CellBand, CellBlock, Spots, name_stream, unit
from .plants import Plants
from .shade import Cover, cast
from .species import PlantSet, Species

TILE = 2500
"""Smallest cells along a side of the windows that plants are grown in, which bounds the memory."""
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

Numbers = NDArray[np.int8]
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
    wanted = habitat.box if box is None else box.within(habitat.box)
    strata = [_Stratum.of(number, plants, habitat, seed) for number in range(len(plants.strata))]
    report = progress or no_progress
    tiles = list(_tiles(wanted, plants))
    grown: list[list[Plants]] = [[] for _ in strata]
    for number, tile in enumerate(tiles):
        report(number / len(tiles))
        for stratum, made in enumerate(_grown(strata, plants, habitat, tile, avoid, cancelled)):
            grown[stratum].append(made.take(np.flatnonzero(tile.holds(made.x, made.y))))
    report(1.0)
    return Plants.joined([part for parts in grown for part in parts])


def halo(plants: PlantSet) -> float:
    """Return meters around a window in which plants may matter for it."""
    return _margins(plants)[0]


def _margins(plants: PlantSet) -> list[float]:
    """Return meters around a window in which candidates of each stratum matter: those of lower
    strata matter less far, since they shade nothing above them."""
    found: list[float] = []
    far = 0.0
    for number in reversed(range(len(plants.strata))):
        widest = _widest(plants.of_stratum(number))
        if found:  # it shades the strata below, at the centers of their cells
            far += plants.strata[number + 1].cell / 2 + cast(widest, plants.strata[number].cell)
        far += COMPETITION_REACH * widest
        found.append(far)
    return found[::-1]


def _widest(species: Sequence[Species]) -> float:
    """Return the radius in meters that no crown of some species exceeds."""
    return LARGEST * max((one.crown for one in species), default=0.0)


def _tiles(box: Box, plants: PlantSet) -> Iterator[Box]:
    """Yield rectangles of about equal size that fill a box; none for one without extent."""
    most = TILE * min(one.cell for one in plants.strata)
    rows, columns = (
        np.linspace(low, high, math.ceil(max(high - low, 0) / most) + 1).tolist()
        for low, high in ((box.low, box.high), (box.left, box.right))
    )
    for low, high in pairwise(rows):
        for left, right in pairwise(columns):
            yield Box(left, right, low, high)


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
    tile: Box,
    avoid: Avoid | None,
    cancelled: Cancel | None,
) -> Iterator[Plants]:
    """Yield the plants of each stratum in a rectangle and around it; those outside may be others
    than in a larger one."""
    above: list[Cover] = []
    whole = habitat.box
    for stratum, margin in zip(strata, _margins(plants), strict=True):
        tried = _tried(stratum, plants, habitat, tile.wider(margin).within(whole), above, cancelled)
        tried = _cleared(tried, habitat, avoid)
        made = _lived(stratum, habitat, tried, cancelled)
        yield made.plants
        if stratum.number == len(strata) - 1:
            return
        parents = {one.parent for one in plants.species}
        numbers = [n for n in stratum.numbers if plants.species[n].name in parents]
        widest = _widest(stratum.species)
        above.append(Cover.of(made.spots, made.plants.crown, made.plants.species, widest, numbers))


@dataclass(frozen=True)
class _Tried:
    """Spots where a species has arrived.

    Attributes
    ----------
    spots : Spots
        One for each cell that has been reached.
    first, first_in_water : ndarray of int8
        Number in the stratum of the species that was first, and of the first one that stands in
        water; -1 for none.
    light : ndarray of float32
        Share of the light that comes through the strata above.
    """

    spots: Spots
    first: Numbers
    first_in_water: Numbers
    light: Floats

    @classmethod
    def joined(cls, parts: Sequence[_Tried]) -> _Tried:
        """Return the spots of several bands."""
        return cls(
            Spots.joined([part.spots for part in parts]),
            np.concatenate([part.first for part in parts]),
            np.concatenate([part.first_in_water for part in parts]),
            np.concatenate([part.light for part in parts]),
        )

    def take(self, which: Indices | slice) -> _Tried:
        """Return some of the spots."""
        return _Tried(
            self.spots.take(which), self.first[which], self.first_in_water[which], self.light[which]
        )


def _tried(
    stratum: _Stratum,
    plants: PlantSet,
    habitat: Habitat,
    box: Box,
    above: Sequence[Cover],
    cancelled: Cancel | None,
) -> _Tried:
    """Return the spots in a rectangle where a species has arrived, whatever is kept clear."""
    found: list[_Tried] = []
    cells = CellBlock.of(box, stratum.cell)
    for band in cells.bands(stratum.seed, _PLACE + 2 * stratum.number):
        poll(cancelled)
        found.append(_race(stratum, plants, habitat, band, above))
    return _Tried.joined(found)


def _race(
    stratum: _Stratum, plants: PlantSet, habitat: Habitat, band: CellBand, above: Sequence[Cover]
) -> _Tried:
    """Return the spots of a band where a species arrives before 1, and which one is first.

    What a cell has to offer is that of its center.
    """
    shade = np.zeros(band.words.shape, np.float32)
    for cover in above:
        shade += cover.shade_on(band)
    light = np.exp(-shade)
    every, wet = _First(band.words.shape), _First(band.words.shape)
    for number, one in enumerate(stratum.species):
        weight = band.sampled(stratum.weights[number], habitat.grid)
        if not weight.any():
            continue
        if above:
            weight *= one.light.suitability(light)
        if one.parent:
            parent = next(n for n, two in enumerate(plants.species) if two.name == one.parent)
            rain = sum(cover.seeds_on(band, parent) for cover in above)
            weight *= _seeds_factor(one, rain)
        arrival = _arrival(band, one, weight)
        every.enter(arrival, number)
        if one.in_water:
            wet.enter(arrival, number)
    here = np.flatnonzero(every.which)
    first, in_water = (one.which.reshape(-1)[here] - np.int8(1) for one in (every, wet))
    return _Tried(band.spots(here), first, in_water, light.reshape(-1)[here])


class _First:
    """Which species is the first in each cell, and when it arrives.

    Attributes
    ----------
    which : ndarray of int8
        One more than the number of the species, 0 for none.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.when, self.which = np.ones(shape, np.float32), np.zeros(shape, np.int8)

    def enter(self, arrival: Floats, number: int) -> None:
        """Let a species arrive; those of lower numbers have arrived."""
        sooner = arrival < self.when
        np.fmin(self.when, arrival, out=self.when)  # NaN: no wait of a species that never arrives
        # Much faster than where: the choice is as good as random.
        np.maximum(self.which, sooner * np.int8(number + 1), out=self.which)


def _arrival(band: CellBand, one: Species, weight: Floats) -> Floats:
    """Return when a species arrives in each cell: exponential times of rate ``weight``."""
    chance = unit(band.words, name_stream(one.name))
    chance += np.float32(2**-25)  # never 0
    wait = np.log(chance, out=chance)
    np.negative(wait, out=wait)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        wait /= weight
    return wait


def _seeds_factor(one: Species, rain: Floats | float) -> Floats:
    """Return the factor by which seeds of the parent raise the weight of a species."""
    found = np.float32(1 - 0.5 * one.seedlings) + np.float32(one.seedlings) * rain
    return np.clip(found, np.float32(0), np.float32(MOST_SEEDS))


def _cleared(tried: _Tried, habitat: Habitat, avoid: Avoid | None) -> _Tried:
    """Return the spots that are not kept clear; in water, those of species that stand there."""
    never, bed = _in_water(tried.spots, habitat)
    if avoid is not None:
        x, y = tried.spots.x, tried.spots.y
        if isinstance(avoid, Clearings):
            never |= avoid.always(x, y)
            bed |= avoid.in_rivers(x, y)
        else:
            never |= avoid(x, y)
    first = np.where(bed, tried.first_in_water, tried.first)
    first[never] = -1
    return dataclasses.replace(tried, first=first).take(np.flatnonzero(first >= 0))


def _in_water(spots: Spots, habitat: Habitat) -> tuple[Bools, Bools]:
    """Return at which spots nothing stands, and at which only what stands in water."""
    never, bed = np.zeros(len(spots), bool), np.zeros(len(spots), bool)
    near = _near_water(habitat.water)
    for part in parts(len(spots) if near.any() else 0, BLOCK):
        some = spots.take(part)
        rows, columns = habitat.places(some.x, some.y)
        wet = np.flatnonzero(near[_whole(rows, near.shape[0]), _whole(columns, near.shape[1])])
        depth = bilinear(habitat.water, rows[wet], columns[wet])
        never[part][wet] = depth > DEEP
        bed[part][wet] = (depth > WET) | ((depth > SHORE) & (depth < 0))
    return never, bed


def _whole(places: Floats, count: int) -> Indices:
    """Return the last sample before each place along an axis of so many samples."""
    return np.clip(places.astype(np.intp), 0, count - 1)


def _near_water(water: Floats) -> Bools:
    """Return for each sample whether there may be water between it and the next ones."""
    high = low = np.pad(water, (0, 1), "edge")
    for axis in (0, 1):
        count = water.shape[axis]
        high = np.maximum(*(high.take(range(n, n + count), axis) for n in (0, 1)))
        low = np.minimum(*(low.take(range(n, n + count), axis) for n in (0, 1)))
    return (high > WET) | ((high > SHORE) & (low < 0))


@dataclass(frozen=True)
class _Made:
    """Plants of a stratum, and their spots."""

    spots: Spots
    plants: Plants


def _lived(stratum: _Stratum, habitat: Habitat, tried: _Tried, cancelled: Cancel | None) -> _Made:
    """Return the plants that live, smaller where taller ones shade them."""
    age, height, crown = _sizes(stratum, habitat, tried, cancelled)
    alive = np.flatnonzero(living(tried.spots, height, crown))
    poll(cancelled)
    spots, which = tried.spots.take(alive), tried.first[alive]
    height, crown, age = height[alive], crown[alive], age[alive]
    shade = np.minimum(shade_of_neighbors(spots, height, crown), np.float32(1))
    small = np.float32(1) - np.float32(stratum.shading) * shade
    years = np.array([one.lifespan for one in stratum.species], np.float32)[which]
    turn = unit(spots.words, _TURN) * np.float32(2 * np.pi)
    numbers = np.array(stratum.numbers, np.int32)[which]
    height *= small
    crown *= np.sqrt(small)
    made = Plants(
        spots.x, spots.y, numbers, height, crown, age * years, turn, unit(spots.words, _RANK)
    )
    return _Made(spots, made)


def _sizes(
    stratum: _Stratum, habitat: Habitat, tried: _Tried, cancelled: Cancel | None
) -> tuple[Floats, Floats, Floats]:
    """Return ages as shares of the lifespan, heights and radii of crowns."""
    age, height, crown = (np.empty(len(tried.spots), np.float32) for _ in range(3))
    for part in parts(len(tried.spots), BLOCK, cancelled):
        some = tried.take(part)
        places = habitat.places(some.spots.x, some.spots.y)
        age[part] = _ages(stratum, some.spots, places)
        height[part], crown[part] = _full_sizes(stratum, some, places, age[part])
    return age, height, crown


Places = tuple[Floats, Floats]
"""Rows and columns of points on the grid of the habitat."""


def _ages(stratum: _Stratum, spots: Spots, places: Places) -> Floats:
    """Return ages as shares of the lifespan: those of the stand, and of each plant below it."""
    own = unit(spots.words, _OWN_AGE)
    if not stratum.canopy:
        own *= own
        own *= np.float32(0.85)
        own += np.float32(0.15)
        return own
    found = bilinear(stratum.stands, *places)
    found *= np.float32(0.6) + np.float32(0.4) * own
    return np.clip(found, np.float32(0.03), np.float32(1))


def _full_sizes(
    stratum: _Stratum, tried: _Tried, places: Places, age: Floats
) -> tuple[Floats, Floats]:
    """Return heights and radii of crowns by age, habitat and light."""
    words, which = tried.spots.words, tried.first
    fit = np.empty(len(words), np.float32)
    for number, values in enumerate(stratum.fits):
        mine = np.flatnonzero(which == number)
        fit[mine] = bilinear(values, places[0][mine], places[1][mine])
    full = np.array([one.height for one in stratum.species], np.float32)[which]
    wide = np.array([one.crown for one in stratum.species], np.float32)[which]
    grown = np.float32(1) - np.exp(np.float32(-GROWTH) * age)
    grown *= np.float32(-1 / math.expm1(-GROWTH))
    vigor = np.float32(0.7) + np.float32(0.3) * fit
    vigor *= np.float32(0.88) + np.float32(0.24) * unit(words, _VIGOR)
    if not stratum.canopy:
        vigor *= np.float32(1 - stratum.shading) + np.float32(stratum.shading) * tried.light
    share = np.clip(grown * vigor, np.float32(0.06), np.float32(1.12))
    crown = np.sqrt(share) * (np.float32(0.85) + np.float32(0.3) * unit(words, _CROWN))
    full *= share
    wide *= np.minimum(crown, np.float32(LARGEST))
    return full, wide
