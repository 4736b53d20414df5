# SPDX-License-Identifier: GPL-3.0-or-later
"""Shores by their exposure: fetch, platforms, stacks and beaches."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from terrain_addon.core import Cache, HeightMap, Layer, Map, Recipe, evaluate
from terrain_addon.core.erosion.exposure import Waves, exposure, open_water, shore_meters
from terrain_addon.core.erosion.shores import Shores, reworked
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.recipe.rescaling import rescale

SIDE = 1000.0
AXIS = (np.arange(126) - 62.5) * 8.0
"""Meters, columns and rows of the land below."""


def bay_and_headland(height=50.0):
    """A plateau whose shore swings by 700 meters: a bay at x = -250, a headland at x = 250."""
    shore = -350 * np.sin(2 * np.pi * AXIS / SIDE)
    return np.clip(AXIS[:, None] - shore[None, :], -20, height).astype(np.float32)


def coast_of(height, **settings):
    settings = {"width": 40.0, "cliff": 15.0, "fetch": 500.0, "platform": 40.0, **settings}
    ground = Layer.of(HeightMap(source="Land", values="meters"))
    shores = Layer.of(LAYERS["coast"](**settings))
    return Recipe(layers=(ground, shores), maps=(Map("Land", height),), size_x=SIDE, size_y=SIDE)


def test_water_is_followed_up_to_land_or_the_limit():
    water = np.ones((9, 20), bool)
    water[:, 12] = False
    assert_array_equal(open_water(water, 0.0, 6)[4, 5:15], [6, 6, 5, 4, 3, 2, 1, 0, 6, 6])
    assert open_water(water, np.pi, 6)[4, 15] == 3
    assert_array_equal(open_water(water, np.pi / 2, 100)[:, 12], 0)


def test_headlands_are_exposed_and_bays_are_not():
    """The effective fetch is the mean over directions (Saville 1954; Shore Protection Manual)."""
    above = bay_and_headland()
    shares = exposure(above <= 0, 8.0, Waves(400.0), 1)
    bay, headland = (shares[np.argmax(above[:, column] > 0), column] for column in (31, 94))
    half = np.tile(AXIS > 0, (126, 1))
    straight = exposure(half, 8.0, Waves(400.0), 1)[63, 63]
    assert 0.2 < bay < 0.75
    assert 0.95 < straight < 1.1 < headland < 1.8


def test_waves_come_with_the_wind():
    water = np.tile(AXIS[None, :] < 0, (126, 1))
    toward, away = (
        exposure(water, 8.0, Waves(200.0, wind, 1.0), 1)[63, 62] for wind in (0.0, 180.0)
    )
    assert away < 0.4 * toward, "the wind blows from the land"


def test_the_distance_from_the_shore_is_that_of_a_circle():
    y, x = np.mgrid[-20:21, -20:21]
    distance = (12.3 - np.hypot(x, y)).astype(np.float32)
    found = shore_meters(distance * np.float32(0.3), 5.0, 8)
    near = np.abs(distance) < 6
    assert_allclose(found[near], 5 * distance[near], atol=3.0)
    assert np.abs(found).max() == 40


def shores(**changed):
    usual = {
        "sea": 0.0, "beach": 40.0, "beach_slope": 0.09, "cliff": 15.0, "platform": 40.0,
        "platform_slope": np.tan(np.radians(2.0)), "cliff_slope": np.tan(np.radians(70.0)),
    }  # fmt: skip
    return Shores(**{**usual, **changed})


def profile(attack, sand, height=50.0):
    """A straight coast, a meter between samples: distances and what the waves leave."""
    inland = np.arange(-80, 200, dtype=np.float32)
    below = np.clip(inland, -20, height)
    attack, sand = (np.full_like(inland, share) for share in (attack, sand))
    still, none = np.zeros_like(inland), np.full_like(inland, -np.inf)
    return inland, reworked(below, inland, attack, sand, still, none, shores())


def test_a_platform_slopes_by_1_to_3_degrees_and_ends_at_a_cliff():
    """Trenhaile, The Geomorphology of Rock Coasts (1987): gradients of 1 to 3 degrees."""
    inland, made = profile(attack=1.0, sand=0.0)
    slope = np.degrees(np.arctan(np.gradient(made.height)))
    flat = (inland > 2) & (inland < 38)
    assert_allclose(slope[flat], 2.0, atol=0.1)
    assert made.platform[flat].min() > 0.8
    assert slope[(inland > 42) & (inland < 50)].min() > 60
    assert_array_equal(made.height[inland > 80], 50)
    assert made.height[2] < made.height[flat].min() < 0 < made.height[flat].max() < 1


def test_a_beach_slopes_by_3_to_8_degrees():
    """Bascom (1951), The relationship between sand size and beach-face slope."""
    _, made = profile(attack=0.0, sand=1.0, height=8.0)
    slope = np.degrees(np.arctan(np.gradient(made.height)))
    face = (made.beach > 0.9) & (np.abs(made.height) < 1)
    assert face.sum() > 10
    assert 3 < slope[face].min() < slope[face].max() < 8


def test_beaches_are_in_bays_and_cliffs_on_headlands():
    recipe = coast_of(bay_and_headland())
    made = evaluate(recipe, recipe.grid(251))
    bay, headland = (np.abs(made.grid.x - middle) < 100 for middle in (-250, 250))
    beach, platform = (made.fields[name] for name in ("beach", "platform"))
    assert beach[:, bay].sum() > 10 * beach[:, headland].sum()
    assert platform[:, headland].sum() > 4 * platform[:, bay].sum()
    cliffs = (made.fields["slope"] > 60) & (made.height > 2)
    assert cliffs[:, headland].sum() > 2 * cliffs[:, bay].sum()


def test_stacks_are_separate_rests_of_the_plateau_off_headlands():
    recipe = coast_of(bay_and_headland(), stacks=1.0, platform=80.0)
    bare = coast_of(bay_and_headland(), stacks=0.0, platform=80.0)
    grid = recipe.grid(251)
    made, without = (evaluate(one, grid).height for one in (recipe, bare))
    stack = made > without + 3
    assert stack.sum() > 10
    assert stack[:, np.abs(grid.x + 250) < 150].sum() == 0, "none in the bay"
    assert 25 < made[stack].max() <= 50.1, "as high as the land was"
    around = stack.copy()
    for axis in (0, 1):
        for shift in (-2, -1, 1, 2):
            around |= np.roll(stack, shift, axis)
    rim = around & ~stack
    assert np.median(made[rim]) < 4, "they stand on the platform by themselves"


def test_no_fetch_makes_all_shores_alike_as_before():
    height = bay_and_headland(10.0)
    old = coast_of(height, fetch=LAYERS["coast"]().fetch)
    other = dataclasses.replace(old.layers[1].settings, platform=99.0, stacks=1.0, seed=5)
    changed = dataclasses.replace(old, layers=(old.layers[0], Layer.of(other)))
    made = evaluate(changed, old.grid(65))
    assert_array_equal(made.height, evaluate(old, old.grid(65)).height)
    assert not made.fields["beach"].any() and not made.fields["platform"].any()


@pytest.mark.parametrize("window", [(31, 20, 40, 50), (120, 3, 9, 70), (0, 60, 151, 7)])
def test_windows_of_exposed_shores_have_the_same_bits(window):
    recipe = coast_of(bay_and_headland(), stacks=1.0, wind_strength=0.5)
    grid = recipe.grid(151)
    whole = evaluate(recipe, grid)
    part = evaluate(recipe, grid.window(*window), cache=Cache(0))
    i, j, nx, ny = window
    there = np.s_[j : j + ny, i : i + nx]
    assert_array_equal(part.height, whole.height[there])
    for name in ("beach", "platform"):
        assert_array_equal(part.fields[name], whole.fields[name][there])


def test_forms_scale_with_the_terrain():
    recipe = coast_of(bay_and_headland(), stacks=1.0)
    larger = rescale(recipe, 4.0)
    small, large = (evaluate(one, one.grid(101)) for one in (recipe, larger))
    assert_allclose(large.height, 4 * small.height, atol=0.05)
    assert_allclose(large.fields["beach"], small.fields["beach"], atol=1e-3)
