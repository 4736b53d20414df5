# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Grid, Layer, Recipe, evaluate
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.layers.means import Box

GROUND = Layer.of(LAYERS["fractal_noise"](octaves=6, size=300.0))


def smoothed(grid, ground=(GROUND,), **values):
    recipe = Recipe(layers=(*ground, Layer.of(LAYERS["smooth"](**values))))
    return evaluate(recipe, grid).height


@given(st.floats(0.0, 400.0))
def test_a_box_has_the_variance_it_was_made_for(variance):
    box = Box.of_variance(variance)
    assert 0 <= box.share < 1 + 1e-9
    offsets = np.arange(-box.reach - 1, box.reach + 2)
    weights = np.ones(offsets.size)
    weights[[0, -1]] = box.share
    assert np.sum(weights * offsets**2) / weights.sum() == pytest.approx(variance, abs=1e-9)


@given(st.floats(0.0, 30.0))
def test_a_mean_is_a_mean(variance):
    box = Box.of_variance(variance)
    impulse = np.zeros((2 * box.halo + 41, 1), np.float32)
    impulse[len(impulse) // 2] = 1
    got = box.mean_of_rows(impulse)
    assert got.shape == (41, 1)
    assert got.sum() <= 1 + 1e-5
    flat = np.full((2 * box.halo + 5, 2), 3.0, np.float32)
    np.testing.assert_allclose(box.mean_of_rows(flat), 3, rtol=1e-6)


def test_the_spread_of_a_step_is_that_of_the_radius():
    """A jump in the terrain becomes the integral of the bell: its spread is radius / 3."""
    step = Layer.of(LAYERS["falloff"](shape="x", curve=50.0, shift=1.0, depth=1000.0))
    grid = Grid(1001, 1, 0.0, 0.0, 0.4, 1000.0)
    for radius in (25.0, 60.0):
        before = np.diff(evaluate(Recipe(layers=(step,)), grid).height[0].astype(float))
        after = np.diff(smoothed(grid, (step,), radius=radius)[0].astype(float))
        x = np.arange(before.size) * 0.4

        def variance(weights, x=x):
            mean = np.sum(weights * x) / weights.sum()
            return np.sum(weights * (x - mean) ** 2) / weights.sum()

        assert variance(after) - variance(before) == pytest.approx((radius / 3) ** 2, rel=0.02)


def test_no_radius_or_strength_changes_nothing():
    grid = Recipe().grid(33)
    terrain = evaluate(Recipe(layers=(GROUND,)), grid).height
    np.testing.assert_allclose(smoothed(grid, radius=0.0), terrain, atol=1e-4)
    np.testing.assert_allclose(smoothed(grid, strength=0.0), terrain, atol=1e-4)


def test_strength_mixes_and_below_zero_sharpens():
    grid = Recipe().grid(129)
    terrain = evaluate(Recipe(layers=(GROUND,)), grid).height
    full = smoothed(grid, radius=40.0)
    np.testing.assert_allclose(smoothed(grid, radius=40.0, strength=0.25),
                               terrain + 0.25 * (full - terrain), atol=1e-3)  # fmt: skip
    sharp = smoothed(grid, radius=40.0, strength=-1.0)
    roughness = [np.std(np.diff(h, n=2, axis=0)) for h in (full, terrain, sharp)]
    assert roughness[0] < 0.5 * roughness[1] < roughness[2]


@pytest.mark.parametrize("radius", [10.0, 37.0, 120.0])
def test_the_radius_is_in_meters_at_any_resolution(radius):
    coarse, fine = Recipe().grid(129), Recipe().grid(513)
    ground = (Layer.of(LAYERS["fractal_noise"](octaves=3, size=500.0)),)
    a = smoothed(coarse, ground, radius=radius)
    b = smoothed(fine, ground, radius=radius)[::4, ::4]
    np.testing.assert_allclose(a, b, atol=0.5)


def test_samples_farther_apart_one_way_are_smoothed_alike():
    square, long = Recipe().grid(257), Recipe().grid((257, 65))
    a, b = smoothed(square, radius=60.0)[::4], smoothed(long, radius=60.0)
    np.testing.assert_allclose(a, b, atol=2.0)


def test_windows_agree_to_the_bit():
    grid = Recipe().grid(200)
    whole = smoothed(grid, radius=33.0)
    for i, j, nx, ny in ((0, 0, 10, 10), (100, 57, 83, 91), (199, 199, 1, 1)):
        part = smoothed(grid.window(i, j, nx, ny), radius=33.0)
        np.testing.assert_array_equal(part, whole[j : j + ny, i : i + nx])
