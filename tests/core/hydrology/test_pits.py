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


def dammed_valley():
    """A valley that falls along x, with a dam of 2 m that is 12 samples wide."""
    along, across = np.meshgrid(np.arange(120.0), abs(np.arange(61.0) - 30))
    floor = -0.1 * along + 2 * np.exp(-(((along - 64) / 6) ** 4))
    return (floor + 0.05 * across + 3 * np.maximum(across - 3, 0)).astype(np.float32)


def test_a_dammed_valley_is_cut_open():
    ground = dammed_valley()
    drained = fill_pits(ground.copy(), SPACING)
    assert len(find_pits(ground)) == 1
    assert not len(find_pits(drained))
    assert (drained <= ground).all()
    assert 8 <= (drained < ground).sum() <= 16


def test_a_valley_behind_a_high_dam_is_filled():
    ground = dammed_valley()
    drained = fill_pits(ground.copy(), (1.0, 1.0))
    assert not len(find_pits(drained, 16))
    assert (drained >= ground).all()
    assert (drained > ground).any()


def test_a_lake_stays_as_it_is():
    x, y = np.meshgrid(*(np.arange(-40.0, 41),) * 2)
    lake = (x + np.minimum(np.hypot(x, y) - 20, 0) * 4).astype(np.float32)
    np.testing.assert_array_equal(fill_pits(lake.copy(), SPACING), lake)


def test_a_window_gives_the_same_bits():
    # A rough valley with a dam, whose cut crosses the edge of the compared part.
    ground = (
        np.pad(dammed_valley(), ((50, 49), (40, 40)), mode="edge") + rough_slope(200)[:160] / 20
    ).astype(np.float32)
    whole = fill_pits(ground.copy(), SPACING)
    window = fill_pits(ground[10:150, 18:178].copy(), SPACING)
    inside = (slice(HALO, -HALO),) * 2
    np.testing.assert_array_equal(window[inside], whole[10:150, 18:178][inside])
    assert (whole[10:150, 18:178][inside] < ground[10:150, 18:178][inside]).any()


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
    assert len(find_pits(terrain.height)) < 20 < len(find_pits(before.height)) / 50
    part = evaluate(recipe, recipe.grid(1025).window(300, 500, 64, 32))
    np.testing.assert_array_equal(part.height, terrain.height[500:532, 300:364])
