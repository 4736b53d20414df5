# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants on level, even ground, whose statistics do not depend on the terrain."""

import csv
import dataclasses

import numpy as np
import pytest

from terrain_addon.core import Heightfield, Layer, Recipe, Road, Shape
from terrain_addon.core.plants import (
    Box,
    Clearings,
    Niche,
    PlantSet,
    Species,
    grow,
    halo,
    write_csv,
)
from terrain_addon.core.plants.growth import _arrival, _First
from terrain_addon.core.plants.lattice import CellBlock, name_stream, unit
from terrain_addon.core.shapes import CLOSED, KeptClear
from tests.core.plants.even_ground import SIDE, even

OLD = 20.0
"""Meters above which trees are big."""


def distances(x, y, other_x, other_y, reach):
    """All distances below a reach from points to others, by brute force."""
    away = np.hypot(x[:, None] - other_x, y[:, None] - other_y)
    return away[(away < reach) & (away > 0)]


def pair_correlation(x, y, other_x, other_y, low, high):
    """How many more others are between two distances than if they were spread at random."""
    inner = Box(-SIDE / 2 + high, SIDE / 2 - high, -SIDE / 2 + high, SIDE / 2 - high).holds(x, y)
    found = distances(x[inner], y[inner], other_x, other_y, high)
    ring = np.pi * (high**2 - low**2) * len(other_x) / SIDE**2
    return (found >= low).sum() / (inner.sum() * ring)


@pytest.fixture(scope="module")
def forest(temperate):
    made = grow(even(), temperate, seed=3)
    return made, (made.height > OLD) & (made.species < 2)


def test_big_trees_keep_their_distance(forest):
    """Pair correlation as in mapped stands: none nearer than crowns allow, most just beyond it
    (Penttinen, Stoyan and Henttonen 1992), and more regular than at random (Clark and Evans
    1954)."""
    made, big = forest
    x, y = made.x[big], made.y[big]
    assert pair_correlation(x, y, x, y, 0, 3) < 0.2
    assert pair_correlation(x, y, x, y, 5, 8) > 1.2
    away = np.hypot(x[:, None] - x, y[:, None] - y)
    np.fill_diagonal(away, np.inf)
    inner = Box(-140, 140, -140, 140).holds(x, y)
    expected = 0.5 / np.sqrt(big.sum() / SIDE**2)
    assert 1.2 < away[inner].min(axis=1).mean() / expected < 1.6


def test_small_plants_avoid_the_shade_of_big_trees_and_shrubs_stand_in_clumps(forest, temperate):
    made, big = forest
    names = np.array([one.name for one in temperate.species])[made.species]
    shrub, young = names == "Hazel", np.char.startswith(names, "Young")
    x, y = made.x[big], made.y[big]
    assert pair_correlation(x, y, made.x[young], made.y[young], 0, 1) < 0.6
    assert pair_correlation(made.x[shrub], made.y[shrub], made.x[shrub], made.y[shrub], 1, 4) > 2


def test_a_window_has_the_plants_of_the_whole(temperate):
    habitat, box = even(), Box(-60.0, 45.0, -20.0, 90.0)
    every = grow(habitat, temperate, seed=1)
    inside = every.take(box.holds(every.x, every.y))
    part = grow(habitat, temperate, seed=1, box=box)
    for column in dataclasses.fields(every):
        values = (getattr(one, column.name) for one in (part, inside))
        np.testing.assert_array_equal(*values, err_msg=column.name)
    assert len(part) > 100 and halo(temperate) > 100


@pytest.mark.parametrize("box", [Box(5.0, 5.0, 0.0, 9.0), Box(90000.0, 99000.0, 0.0, 9.0)])
def test_windows_without_ground_have_no_plants(temperate, box):
    """One without extent, and one beside the terrain."""
    made = grow(even(), temperate, box=box)
    assert len(made) == 0 and made.species.dtype == np.int32


def test_a_change_far_away_moves_no_plant(temperate):
    habitat = even()
    moisture = habitat.fields["moisture"].copy()
    moisture[:, 30:] = 0.0
    other = dataclasses.replace(habitat, fields={**habitat.fields, "moisture": moisture})
    near = Box(-160.0, -100.0, -160.0, 160.0)
    one, two = (grow(land, temperate, seed=1) for land in (habitat, other))
    one, two = (made.take(near.holds(made.x, made.y)) for made in (one, two))
    np.testing.assert_array_equal(one.x, two.x)
    assert len(grow(other, temperate, seed=1)) < len(grow(habitat, temperate, seed=1))


def test_a_species_that_is_added_takes_places_and_moves_none():
    """Without competition, which is for tall plants: crowns are too small to touch."""
    first = Species(name="First", crown=0.1, abundance=0.5)
    second = Species(name="Second", crown=0.1, abundance=0.5)
    alone, both = (grow(even(), PlantSet(species=kinds)) for kinds in ((first,), (first, second)))
    places = {(x, y) for x, y in zip(alone.x, alone.y, strict=True)}
    own = both.species == 0
    kept = {(x, y) for x, y in zip(both.x[own], both.y[own], strict=True)}
    assert kept < places and len(kept) > 0.6 * len(places)


def test_nothing_grows_in_water_or_where_it_is_kept_clear(temperate):
    habitat = even()
    water = np.where(habitat.grid.x[None] < 0, 2.0, 0.0).astype(np.float32)
    wet = dataclasses.replace(habitat, water=np.broadcast_to(water, habitat.grid.shape))
    made = grow(wet, temperate, avoid=lambda x, y: np.abs(y) < 10)
    assert len(made) and made.x.min() > -10 and np.abs(made.y).min() >= 10


def test_what_is_scarcest_decides(temperate):
    """Liebig's law: nothing lives where one of its needs is not met."""
    cold = grow(even(temperature=0.5), temperate)
    assert cold.height.max() < 3, "no trees"
    assert not len(grow(even(soil=0.05), temperate))


def test_niches_and_sets_are_checked():
    with pytest.raises(ValueError, match="rise"):
        Niche(none_below=2.0, best_from=1.0)
    with pytest.raises(ValueError, match="no such habitat field"):
        Species(niches={"mood": Niche()})
    with pytest.raises(ValueError, match="no stratum 'Roof'"):
        PlantSet(species=(Species(stratum="Roof"),))
    with pytest.raises(ValueError, match=r"set.species\[0\].niches.soil: expected four"):
        PlantSet.from_dict({"species": [{"niches": {"soil": [1, 2]}}]}, "set")


def test_sets_survive_json(temperate):
    assert PlantSet.from_dict(temperate.to_dict(), "set") == temperate


def test_roads_and_pads_are_kept_clear():
    """By brute force: distances from a line, with its width, and from a concave area."""
    x, y = (np.random.default_rng(n).uniform(-100, 100, 4000) for n in (1, 2))
    road = Shape.of("Road", [[(-90, -20, 0, 1), (80, 30, 0, 2)]])
    along = np.clip(((x + 90) * 170 + (y + 20) * 50) / (170**2 + 50**2), 0, 1)
    away = np.hypot(x + 90 - along * 170, y + 20 - along * 50)
    np.testing.assert_array_equal(KeptClear(road, half=6.0).holds(x, y), away <= 6 * (1 + along))
    corners = [(-60, -60), (60, -60), (60, 60), (0, 60), (0, 0), (-60, 0)]
    pad = KeptClear(Shape.of("Pad", [corners], CLOSED))
    inside = (np.abs(x) < 60) & (np.abs(y) < 60) & ~((x < 0) & (y > 0))
    np.testing.assert_array_equal(pad.holds(x, y), inside)
    wider = dataclasses.replace(pad, margin=10.0).holds(x, y)
    assert (wider & inside).sum() == inside.sum() and wider.sum() > 1.2 * inside.sum()


def test_each_of_several_lines_counts_also_beside_a_nearer_one():
    """A wide river beside a brook, and two roads within a cell of the search."""
    x, y = (np.random.default_rng(n).uniform(-30, 30, 4000) for n in (1, 2))
    lines = [[(-40, 0, 0, 9), (40, 0, 0, 9)], [(-40, 4, 0, 1), (40, 4, 0, 1)]]
    held = KeptClear(Shape.of("Rivers", lines), half=1.0).holds(x, y)
    np.testing.assert_array_equal(held, np.abs(y) <= 9)


def test_layers_keep_their_own_ground_clear():
    road = Road(source="Line", width=8.0, shoulder=1.0)
    line = Shape.of("Line", [[(0, 0), (50, 0)]])
    recipe = Recipe(layers=(Layer.of(road),), shapes=(line,))
    flat = Heightfield(recipe.grid(9), np.zeros((9, 9)))
    clear = Clearings.of(recipe, flat)
    held = clear(np.array([20.0, 20.0]), np.array([4.9, 5.1]))
    np.testing.assert_array_equal(held, [True, False])


def test_a_table_has_a_row_for_each_plant(temperate, tmp_path):
    made = grow(even(), temperate, box=Box(-20.0, 20.0, -20.0, 20.0))
    path = tmp_path / "plants.csv"
    write_csv(path, made, np.full(len(made), 12.5, np.float32), temperate.species)
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["species"] for row in rows] == [temperate.species[n].name for n in made.species]
    np.testing.assert_allclose([float(row["x"]) for row in rows], made.x, atol=1e-3)
    assert {row["z"] for row in rows} == {"12.500"}


def test_a_species_that_never_arrives_keeps_no_other_from_a_cell():
    """Its longest chance of 1 - 2^-24 makes a wait of 0, over a weight of 0."""
    band = next(iter(CellBlock.of(Box(0.0, 1.0, 0.0, 1.0), 1.0).bands(1, 1)))
    band = dataclasses.replace(band, words=np.array([[161679]], np.uint32))
    assert unit(band.words.copy(), name_stream("Plant")) == np.float32(1 - 2**-24)
    first = _First((1, 1))
    first.enter(_arrival(band, Species(name="Plant"), np.zeros((1, 1), np.float32)), 0)
    first.enter(np.full((1, 1), 0.5, np.float32), 1)
    assert first.which[0, 0] == 2 and first.when[0, 0] == 0.5
