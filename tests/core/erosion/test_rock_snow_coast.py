# SPDX-License-Identifier: GPL-3.0-or-later
import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from terrain_addon.core import Cache, FractalNoise, Recipe, evaluate
from terrain_addon.core.erosion.coast import Coast, shore_distance, worn_by_waves
from terrain_addon.core.erosion.snow import Snowfall, snow_depth
from terrain_addon.core.erosion.strata import JITTER, Strata
from terrain_addon.core.layers import LAYERS
from tests.core.erosion.lands import hills, island


@given(st.floats(0.1, 100), st.floats(0, 20), st.integers(0, 2**31 - 1))
def test_ledges_keep_the_order_of_heights(thickness, sharpness, seed):
    height = np.linspace(-300, 500, 4000, dtype=np.float32)[None, :]
    after = Strata(thickness, sharpness, seed).ledges(height, np.zeros_like(height))
    assert (np.diff(after) >= -1e-3).all()
    assert (after <= height + 1e-3).all()
    assert (height - after).max() <= (1 + 2 * JITTER) * thickness * 1.001


def test_ledges_are_flat_and_steep():
    height = np.linspace(0, 400, 8000, dtype=np.float32)[None, :]
    flat = Strata(40.0, 0.0).ledges(height, np.zeros_like(height))
    assert_allclose(flat, height, atol=1e-3)
    steps = np.diff(Strata(40.0, 4.0).ledges(height, np.zeros_like(height)))
    assert np.quantile(steps, 0.4) < 0.3 * steps.mean()
    assert steps.max() > 3 * steps.mean()


def test_ledges_go_by_place_alone():
    height = hills(40, 50)
    offset = np.zeros_like(height)
    whole = Strata(13.0, 3.0, 5).ledges(height, offset)
    part = Strata(13.0, 3.0, 5).ledges(height[5:9, 10:20], offset[5:9, 10:20])
    assert_array_equal(part, whole[5:9, 10:20])


FALL = Snowfall(depth=3.0, line=80.0, fade=20.0, steepest=35.0, passes=6)


def test_snow_is_kept_and_never_negative():
    ground = hills(80, 90) * np.float32(4)
    snow = snow_depth(ground, (10.0, 10.0), FALL)
    assert snow.min() >= 0
    assert snow.sum(dtype=float) == pytest.approx(
        FALL.fallen(ground, (10.0, 10.0)).sum(dtype=float), rel=1e-5
    )


def test_snow_leaves_steep_slopes():
    ground = np.zeros((50, 60), np.float32)
    ground[:, 20:40] = np.arange(20) * 20  # 63 degrees
    ground[:, 40:] = 400
    fall = Snowfall(depth=2.0, line=-100.0, fade=1.0, steepest=35.0, passes=60)
    snow = snow_depth(ground, (10.0, 10.0), fall)
    assert snow[:, 22:36].mean() < 0.1
    assert snow[:, 50:].min() > 1.5
    assert snow[:, 12:20].mean() > 2.5


def test_no_snow_below_the_line():
    snow = snow_depth(np.zeros((9, 9), np.float32), (1.0, 1.0), FALL)
    assert_array_equal(snow, 0)


@pytest.mark.parametrize("shade", [0.0, 50.0])
@pytest.mark.parametrize(("band", "threads"), [(5, 1), (64, 2), (300, 4)])
def test_snow_is_the_same_in_bands_and_threads(band, threads, shade):
    ground, fall = hills(170, 33) * np.float32(3), dataclasses.replace(FALL, shade=shade)
    expected = snow_depth(ground, (5.0, 5.0), fall)
    assert_array_equal(snow_depth(ground, (5.0, 5.0), fall, band=band, threads=threads), expected)


def test_shaded_slopes_have_more_snow_and_sunny_ones_less():
    y, x = np.mgrid[-50:51, -50:51] * 10.0
    cone = (500 - np.hypot(x, y)).astype(np.float32)  # 45 degrees
    fall = Snowfall(depth=2.0, line=300.0, fade=1.0, steepest=60.0, passes=3, shade=100.0)
    snow = snow_depth(cone, (10.0, 10.0), fall)
    lowest = [cone[part][snow[part] > 1].min() for part in (np.s_[55:, 50], np.s_[:46, 50])]
    assert lowest == pytest.approx([300 - 71, 300 + 71], abs=11)
    assert cone[50, 55:][snow[50, 55:] > 1].min() == pytest.approx(300, abs=11)


def test_windows_of_shaded_snow_have_the_same_bits():
    noise = FractalNoise(height=300.0, size=400.0)
    recipe = Recipe(layers=(noise, LAYERS["snow"](line=100.0, shade=80.0)))
    grid = recipe.grid(129)
    whole = evaluate(recipe, grid).height
    part = evaluate(recipe, grid.window(40, 50, 30, 20), cache=Cache(0)).height
    assert_array_equal(part, whole[50:70, 40:70])


def coast_of(height, **how):
    coast = Coast.of(**{"sea": 0.0, "width": 40.0, "beach_degrees": 5.0, "cliff": 20.0, **how})
    return worn_by_waves(height, shore_distance(height, 4.0, coast), coast), coast


def test_beach_has_its_slope_and_the_rest_stays():
    x = np.arange(250, dtype=np.float32) * 4 - 500
    height = np.tile(0.3 * x, (40, 1)).astype(np.float32)
    after, coast = coast_of(height, cliff=1000.0)
    assert_array_equal(after[:, np.abs(x) > 100], height[:, np.abs(x) > 100])
    near = np.abs(x) < 6
    slope = np.gradient(after[20], 4.0)[near]
    assert (slope > 0).all()
    assert slope.max() < 1.5 * math.tan(math.radians(5))
    assert ((after > 0) == (height > 0))[:, np.abs(x) > 4].all()
    assert coast.beach == pytest.approx(math.tan(math.radians(5)))


def test_high_headlands_stay_cliffs():
    height = np.full((40, 120), -10, np.float32)
    height[:, 60:] = 50
    after, _ = coast_of(height)
    assert_array_equal(after[:, 60:], 50)


@pytest.mark.parametrize("low", [3, 14])
def test_waves_wear_low_capes_down_to_the_sea_and_fill_bays(low):
    height = np.full((60, 120), -3, np.float32)
    height[:, 60:] = 3
    height[29:31, 60:66] = -low
    height[29:31, 54:60] = low
    cape, bay = (slice(29, 31), slice(54, 57)), (slice(29, 31), slice(63, 66))
    after, _ = coast_of(height)
    assert (after[cape] < 0).all()
    assert (after[bay] > 0).all()
    height[cape] = 50
    assert (coast_of(height)[0][cape] == 50).all(), "too high for the waves"


def test_waves_straighten_the_shore():
    terrain = island(250)
    rough = terrain + 3 * np.sin(np.arange(250) / 3)[None, :].astype(np.float32)
    after, _ = coast_of(rough)

    def shore_length(height):
        return sum((np.diff(height > 0, axis=axis)).sum() for axis in (0, 1))

    assert shore_length(after) < shore_length(rough)
    assert np.isfinite(after).all()
