# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants of groups and of the ground around them."""

import dataclasses

import numpy as np
import pytest

from terrain_addon.core import FractalNoise, Group, HeightMask, Layer, Recipe, Smooth
from terrain_addon.core.evaluation.stack import layer_weight
from terrain_addon.core.plants import Box, Habitat, PlantSet, cover

OWN = PlantSet(about="of the group")
SETS = {"own": OWN}
HIGH = (HeightMask(low=5.0, high=500.0, fade=1.0),)


def recipe_with(opacity=1.0, density=1.0, masks=HIGH):
    group = Layer.of(Group(count=1, plants="own", density=density), masks=masks, opacity=opacity)
    layers = (FractalNoise(height=60.0, size=200.0), Layer.of(Smooth(radius=1.0)), group)
    return Recipe(size_x=300.0, size_y=300.0, layers=layers)


def covered(recipe, habitat, ground, **options):
    return cover(recipe, habitat, ground, load=SETS.__getitem__, **options)


@pytest.fixture(scope="module")
def habitat():
    return Habitat.of(recipe_with())


@pytest.mark.slow
def test_a_group_has_its_plants_where_it_acts_and_the_ground_elsewhere(habitat, temperate):
    recipe = recipe_with()
    (species, around), (own, inside) = covered(recipe, habitat, temperate)
    assert (species, own) == (temperate, OWN)
    weight = layer_weight(recipe, 2, habitat.grid)
    assert len(inside) > 50 and len(around) > 50
    assert habitat.at(weight, inside.x, inside.y).min() > 0
    assert habitat.at(weight, around.x, around.y).max() < 1
    assert [one for one, _ in covered(recipe, habitat, None)] == [OWN]


@pytest.mark.slow
def test_windows_have_the_same_plants(habitat, temperate):
    box = Box(-60.0, 70.0, -50.0, 40.0)
    whole = covered(recipe_with(opacity=0.5), habitat, temperate)
    part = covered(recipe_with(opacity=0.5), habitat, temperate, box=box)
    for (_, every), (_, some) in zip(whole, part, strict=True):
        kept = every.take(box.holds(every.x, every.y))
        np.testing.assert_array_equal(kept.x, some.x)
        np.testing.assert_array_equal(kept.rank, some.rank)


def test_opacity_and_density_are_shares(habitat):
    counts = {}
    for opacity, density in ((1.0, 1.0), (0.5, 1.0), (1.0, 0.5), (1.0, 0.0)):
        ((_, plants),) = covered(recipe_with(opacity, density, ()), habitat, None)
        counts[opacity, density] = len(plants)
        assert len(plants) == 0 or 0.9 < plants.rank.max() < 1
    full = counts[1.0, 1.0]
    assert counts[0.5, 1.0] == counts[1.0, 0.5] == pytest.approx(full / 2, rel=0.2)
    assert counts[1.0, 0.0] == 0


def test_a_group_that_is_off_has_no_plants(habitat, temperate):
    recipe = recipe_with()
    off = dataclasses.replace(recipe.layers[2], enabled=False)
    recipe = dataclasses.replace(recipe, layers=(*recipe.layers[:2], off))
    assert len(covered(recipe, habitat, temperate)) == 1
