# SPDX-License-Identifier: GPL-3.0-or-later
"""The race for a cell beside the same race in plain Python."""

import math

import numpy as np
import pytest

from terrain_addon.core import Grid
from terrain_addon.core.plants import Box, Habitat, Niche, PlantSet, Species, Stratum
from terrain_addon.core.plants.growth import MOST_SEEDS, _noise, _race, _Stratum
from terrain_addon.core.plants.lattice import CellBlock, name_stream, unit
from terrain_addon.core.plants.shade import Cover

SOIL, SUN = Niche(none_below=0.1, best_from=0.5, best_to=0.8, none_above=1.5), Niche(best_to=0.4)
SPECIES = (
    Species(name="Old", abundance=9.0, grouping=0.0),
    Species(name="Young", stratum="Low", parent="Old", seedlings=1.5, abundance=0.8),
    Species(
        name="Shrub", stratum="Low", niches={"soil": SOIL, "sun": SUN}, abundance=3.0,
        group_size=6.0, grouping=1.0,
    ),
    Species(
        name="Reed", stratum="Low", in_water=True, light=Niche(best_from=1.0), abundance=0.5,
        group_size=5.0, niches={"soil": SOIL},
    ),
)  # fmt: skip
SET = PlantSet(strata=(Stratum(cell=2.5), Stratum(name="Low", cell=0.7)), species=SPECIES)
SEED = 11


@pytest.fixture(scope="module")
def habitat():
    grid, random = Grid.points(24.0, 16.0, 7, 5), np.random.default_rng(4)
    fields = {key: random.random(grid.shape, np.float32) for key in ("soil", "sun")}
    return Habitat(grid, fields, np.zeros(grid.shape, np.float32))


@pytest.fixture(scope="module")
def above():
    """Shade and seeds of two strata above, which are added."""
    grid, random = Grid(14, 9, 1.25, 1.25, 2.5, 2.5, -7, -4), np.random.default_rng(7)
    shade = random.uniform(0, 3, (2, *grid.shape)).astype(np.float32)
    seeds = random.uniform(0, 4, grid.shape).astype(np.float32)
    return [Cover(grid, shade[0], {0: seeds}), Cover(grid, shade[1], {})]


def between(values, grid, x, y):
    """A value at a point, from the four around it; the grid's border continues."""
    places = []
    for at, samples in ((y, grid.y.tolist()), (x, grid.x.tolist())):
        at = min(max(at, samples[0]), samples[-1])
        n = max(k for k in range(len(samples) - 1) if samples[k] <= at)
        places.append((n, (at - samples[n]) / (samples[n + 1] - samples[n])))
    (j, v), (i, u) = places
    low, high = (
        float(values[row, i]) * (1 - u) + float(values[row, i + 1]) * u for row in (j, j + 1)
    )
    return low * (1 - v) + high * v


def fit(niche, value):
    a, b, c, d = niche.values
    if not a < value < d:
        return 0.0
    return min((value - a) / (b - a) if value < b else 1, (d - value) / (d - c) if value > c else 1)


def weights(one, habitat):
    """The rate of a species at each sample of the habitat: where it lives, in groups."""
    wide = _noise(habitat.grid, one.group_size, SEED, one.name)
    narrow = _noise(habitat.grid, one.group_size / 2.7, SEED, one.name + " ")
    found = np.zeros(habitat.grid.shape)
    for place in np.ndindex(found.shape):
        fits = [fit(niche, float(habitat.fields[key][place])) for key, niche in one.niches.items()]
        gathered = 0.65 * float(wide[place]) + 0.35 * float(narrow[place])
        gathered = min(max(4 * (gathered - 0.5) + 0.5, 0), 1)
        groups = 1 - one.grouping + 2 * one.grouping * gathered
        found[place] = one.abundance * math.sqrt(min(fits, default=1) * math.prod(fits)) * groups
    return found


def first_of(arrivals):
    """The number of the first that arrives before 1, -1 for none."""
    when, number = min(((when, number) for number, when in arrivals.items()), default=(1, -1))
    return number if when < 1 else -1


def test_the_first_species_has_the_place(habitat, above):
    stratum = _Stratum.of(1, SET, habitat, SEED)
    (band,) = CellBlock.of(Box(-13.0, 13.0, -9.0, 9.0), 0.7).bands(SEED, 102)
    tried = _race(stratum, SET, habitat, band, above)
    lots = {one.name: unit(band.words, name_stream(one.name)) for one in SPECIES}
    rates = {one.name: weights(one, habitat) for one in SPECIES[1:]}
    got = {
        (int(i), int(j)): (int(first), int(wet), float(light))
        for i, j, first, wet, light in zip(
            tried.spots.i, tried.spots.j, tried.first, tried.first_in_water, tried.light,
            strict=True,
        )
    }  # fmt: skip
    wanted = {}
    for row, column in np.ndindex(band.words.shape):
        cell = (int(band.block.columns[column]), int(band.block.rows[row]))
        x, y = ((number + 0.5) * 0.7 for number in cell)
        light = math.exp(-sum(between(one.shade, one.grid, x, y) for one in above))
        arrivals = {}
        for number, one in enumerate(SPECIES[1:]):
            rate = between(rates[one.name], habitat.grid, x, y) * fit(one.light, light)
            if one.parent:
                rain = between(above[0].seeds[0], above[0].grid, x, y)
                rate *= min(1 - 0.5 * one.seedlings + one.seedlings * rain, MOST_SEEDS)
            if rate > 0:
                arrivals[number] = -math.log(float(lots[one.name][row, column]) + 2**-25) / rate
        times = sorted([*arrivals.values(), 1.0])
        assert min(np.diff(times), default=1) > 1e-5, "float32 decides as float64 does"
        if first_of(arrivals) >= 0:
            wet = first_of({n: when for n, when in arrivals.items() if SPECIES[n + 1].in_water})
            wanted[cell] = (first_of(arrivals), wet, pytest.approx(light, rel=1e-5))
    assert {one for one, _, _ in wanted.values()} == {0, 1, 2}
    assert {one for _, one, _ in wanted.values()} == {-1, 2}
    assert 300 < len(wanted) < 0.9 * band.words.size
    assert got == wanted
