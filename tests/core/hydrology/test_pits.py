# SPDX-License-Identifier: GPL-3.0-or-later
"""Pits against a plain search, and filled ones against the spill levels of the whole terrain."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as arrays

from terrain_addon.core import evaluate, presets
from terrain_addon.core.hydrology import fill_pits, find_pits, route, spill_levels
from terrain_addon.core.hydrology.pits import HALO, RADII

SPACING = (10.0, 10.0)


def rough_slope(size=96, seed=3):
    """Ground that falls along x with a hollow at every tenth sample or so."""
    heights = 3.0 * np.arange(size)[None, :] + np.zeros((size, 1))
    return (heights + np.random.default_rng(seed).uniform(0, 9, (size, size))).astype(np.float32)


@given(
    arrays.arrays(
        np.float32,
        st.tuples(st.integers(1, 9), st.integers(1, 9)),
        elements=st.integers(0, 4).map(float),
    )
)
def test_pits_are_samples_lower_than_all_their_neighbors(height):
    ny, nx = height.shape
    expected = [
        [j, i]
        for j in range(1, ny - 1)
        for i in range(1, nx - 1)
        if all(
            height[j, i] < height[b, a]
            for b in range(j - 1, j + 2)
            for a in range(i - 1, i + 2)
            if (a, b) != (i, j)
        )
    ]
    assert find_pits(height).tolist() == expected


def test_small_hollows_are_filled_to_where_they_spill():
    ground = rough_slope()
    inside = (slice(sum(RADII), -sum(RADII)),) * 2
    filled = fill_pits(ground.copy(), SPACING)
    level = spill_levels(ground, route(ground))
    assert len(find_pits(ground)) > 100
    assert not len(find_pits(filled, sum(RADII)))
    raised = filled > ground
    assert raised[inside].sum() > 100
    assert (filled >= ground).all()
    np.testing.assert_allclose(filled[raised], level[raised], atol=0.02)


def test_a_lake_stays_as_it_is():
    x, y = np.meshgrid(*(np.arange(-40.0, 41),) * 2)
    lake = (x + np.minimum(np.hypot(x, y) - 20, 0) * 4).astype(np.float32)
    np.testing.assert_array_equal(fill_pits(lake.copy(), SPACING), lake)


def test_a_window_gives_the_same_bits():
    ground = rough_slope(160)
    whole = fill_pits(ground.copy(), SPACING)
    window = fill_pits(ground[20:140, 10:130].copy(), SPACING)
    inside = (slice(HALO, -HALO),) * 2
    np.testing.assert_array_equal(window[inside], whole[20:140, 10:130][inside])


@pytest.mark.slow
def test_mountains_have_few_pits():
    recipe = presets.load("alps")
    layers = [
        dataclasses.replace(layer, settings=dataclasses.replace(layer.settings, fill_pits=False))
        if layer.settings.key == "erosion"
        else layer
        for layer in recipe.layers
    ]
    unfilled = dataclasses.replace(recipe, layers=tuple(layers))
    before, terrain = (evaluate(one, one.grid(1025)) for one in (unfilled, recipe))
    assert 25 * len(find_pits(terrain.height)) < len(find_pits(before.height))
    part = evaluate(recipe, recipe.grid(1025).window(300, 500, 64, 32))
    np.testing.assert_array_equal(part.height, terrain.height[500:532, 300:364])
