# SPDX-License-Identifier: GPL-3.0-or-later
"""The sets of species of the extension."""

import dataclasses

import numpy as np
import pytest

from terrain_addon.core import Heightfield, presets
from terrain_addon.core.plants import Box, Habitat, PlantSet, Species, climate_of, grow
from tests.core.plants.even_ground import even

MODELS = {
    "conifer", "larch", "pine", "cypress", "broadleaf", "birch", "palm", "canopy", "cactus",
    "shrub", "cushion", "grass", "fern", "flower", "dead_tree", "boulder", "stone",
}  # fmt: skip
FITTING = {
    "alpine": "dolomite_wall",
    "boreal": "eroded_hills",
    "desert": "butte_desert",
    "gravel": "eroded_hills",
    "meadow": "eroded_hills",
    "mediterranean": "eroded_hills",
    "rocks": "eroded_hills",
    "temperate": "eroded_hills",
    "tropical_island": "volcanic_island",
    "undergrowth": "eroded_hills",
}
DENSE = {"gravel", "meadow", "undergrowth"}
"""Sets that cover the ground around a camera."""
"""A preset where each set grows."""


def best_for(one):
    """Values of the habitat fields in the middle of what a species lives best in."""
    return {key: (niche.best_from + niche.best_to) / 2 for key, niche in one.niches.items()}


@pytest.mark.parametrize("name", PlantSet.names())
def test_each_species_grows_among_the_others_where_it_lives_best(name):
    every = PlantSet.load(name)
    for number, one in enumerate(every.species):
        made = grow(even(side=150.0, **best_for(one)), every, seed=5)
        assert (made.species == number).sum() >= 1, one.name
        assert one.model in MODELS


@pytest.mark.slow
@pytest.mark.parametrize("name", PlantSet.names())
def test_each_set_grows_on_a_preset(name):
    assert set(FITTING) == set(PlantSet.names())
    every, recipe = PlantSet.load(name), presets.load(FITTING[name])
    half = 40.0 if name in DENSE else 400.0
    made = grow(Habitat.of(recipe, home=every.home), every, box=Box(-half, half, -half, half))
    assert len(np.unique(made.species)) >= len(every.species) / 2
    per_hectare = len(made) / (2 * half / 100) ** 2
    assert (10000 < per_hectare < 100000) if name in DENSE else (10 < per_hectare < 3000)


def test_a_home_climate_yields_to_the_snow_line():
    warm = PlantSet.load("tropical_island").home
    for name, temperature in (("alps", -3.0), ("eroded_hills", warm.temperature)):
        recipe = presets.load(name)
        flat = Heightfield(recipe.grid(3), np.zeros((3, 3)))
        climate = climate_of(recipe, flat, warm)
        assert climate.temperature == temperature and climate.latitude == warm.latitude


def test_rocks_stand_in_water_and_plants_do_not():
    habitat = even(side=60.0)
    shallow = dataclasses.replace(habitat, water=np.full(habitat.grid.shape, 0.4, np.float32))
    deep = dataclasses.replace(habitat, water=np.full(habitat.grid.shape, 2.0, np.float32))
    plant, rock = Species(name="Plant"), Species(name="Rock", model="boulder", in_water=True)
    both = PlantSet(species=(plant, rock))
    assert set(grow(habitat, both).species.tolist()) == {0, 1}
    assert set(grow(shallow, both).species.tolist()) == {1}
    assert not len(grow(deep, both))


def test_evergreens_keep_their_color():
    green = Species.from_dict({"foliage": "#112233"}, "species")
    assert green.evergreen and green.autumn == "#112233"
    assert not Species.from_dict({"foliage": "#112233", "autumn": "#445566"}, "species").evergreen
