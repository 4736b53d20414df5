# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

from terrain_addon.core import LAYERS, Layer, Recipe, evaluate
from terrain_addon.core.fields import FIELDS, derive, derived, radius_of, reach

HILLS = Recipe(layers=(Layer.of(LAYERS["fractal_noise"](height=200.0, size=300.0)),))


def bowl(side=65, sign=1.0):
    axis = np.linspace(-100, 100, side, dtype=np.float32)
    return sign * (axis[:, None] ** 2 + axis**2) / 200, axis


def made(name, height, spacing=200 / 64, radius=50.0):
    make = FIELDS[name].make
    assert make
    return make(height.astype(np.float32), spacing, spacing, radius)


@pytest.mark.parametrize(("east", "north", "expected"), [(0, -1, 0), (-1, 0, 90), (0, 1, 180)])
def test_aspect_is_a_bearing(east, north, expected):
    axis = np.arange(9, dtype=np.float32)
    found = made("aspect", east * axis + north * axis[:, None])
    np.testing.assert_allclose(found, expected, atol=1e-3)


def test_flat_land_has_no_aspect_and_half_a_sun():
    flat = np.full((9, 9), 7.0)
    assert not made("aspect", flat).any()
    np.testing.assert_allclose(made("sun", flat), np.sqrt(0.5), atol=1e-6)
    np.testing.assert_allclose(made("sky_view", flat), 1)
    for name in ("profile_curvature", "plan_curvature", "ridge", "valley"):
        assert not made(name, flat).any()


def test_the_sun_stands_south():
    axis = np.arange(9, dtype=np.float32) * 200 / 64
    np.testing.assert_allclose(made("sun", np.tile(axis[:, None], 9)), 1, atol=1e-5)
    np.testing.assert_allclose(made("sun", np.tile(-axis[:, None], 9)), 0, atol=1e-5)


def test_curvature_of_a_bowl_and_a_dome():
    for sign in (1, -1):
        height, axis = bowl(sign=sign)
        j, i = 40, 50
        slope2 = (axis[j] ** 2 + axis[i] ** 2) / 100**2
        second = sign / 100
        profile = made("profile_curvature", height)[j, i]
        plan = made("plan_curvature", height)[j, i]
        assert profile == pytest.approx(-100 * second / (1 + slope2) ** 1.5, rel=1e-3)
        assert plan == pytest.approx(-100 * second / (1 + slope2) ** 0.5, rel=1e-3)


def test_curvature_of_a_gutter_lies_across_it():
    axis = np.linspace(-100, 100, 65, dtype=np.float32)
    gutter = axis**2 / 400 + axis[:, None] * 0.5  # falls along -Y, round along X
    assert made("plan_curvature", gutter)[32, 32] == pytest.approx(-0.5 / 1.25**0.5, rel=1e-3)
    assert made("profile_curvature", gutter)[32, 32] == pytest.approx(0, abs=1e-3)


def test_ridges_valleys_and_gorges_are_found():
    axis = np.linspace(-100, 100, 65, dtype=np.float32)
    roof = np.tile(-np.abs(axis), (65, 1))
    assert made("ridge", roof)[32, 32] == 1 and made("valley", roof)[32, 32] == 0
    assert made("valley", -roof)[32, 32] == 1 and made("ridge", -roof)[32, 32] == 0
    assert made("ridge", roof)[32, 8] == pytest.approx(0, abs=1e-3)  # a plane there
    assert made("sky_view", roof)[32, 32] == 1
    # In a gutter with banks of 45 degrees the sky is seen from six directions' horizons less.
    across, aslant = np.sin(np.radians(45)), np.sin(np.arctan(np.sqrt(0.5)))
    expected = 1 - (2 * across + 4 * aslant) / 8
    assert made("sky_view", -roof)[32, 32] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("name", ["sky_view", "ridge", "valley"])
def test_wide_fields_hardly_depend_on_the_resolution(name):
    coarse, fine = (evaluate(HILLS, HILLS.grid(n)) for n in (257, 1025))
    difference = coarse.masks[name] - fine.masks[name][::4, ::4]
    assert np.abs(difference[8:-8, 8:-8]).mean() < 0.01


@pytest.mark.parametrize("name", derived())
def test_a_field_depends_on_no_more_than_its_reach(name):
    grid = HILLS.grid(97)
    whole = evaluate(HILLS, grid)
    radius = radius_of(HILLS.size_x, HILLS.size_y)
    margin = reach(name, grid.dx, grid.dy, radius)
    window = evaluate(HILLS, grid.window(20, 30, 40, 33).padded(margin)).height
    inside = derive(name, window, grid, radius)[margin:-margin, margin:-margin]
    np.testing.assert_array_equal(inside, whole.masks[name][30:63, 20:60])


@pytest.mark.parametrize("name", derived())
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (2, 2), (3, 70)])
def test_fields_of_the_smallest_lands_are_finite(name, shape):
    height = np.random.default_rng(3).random(shape, np.float32) * 50
    found = derive(name, height, HILLS.grid(33), 20.0)
    assert found.shape == shape and found.dtype == np.float32
    assert np.isfinite(found).all()
    field = FIELDS[name]
    if field.low is not None and field.high is not None:
        assert field.low <= found.min() and found.max() <= field.high


def test_the_list_holds_what_layers_leave_and_no_more():
    found = set()
    for key in LAYERS:
        recipe = Recipe(layers=(*HILLS.layers, Layer.of(LAYERS[key]())))
        found |= set(evaluate(recipe, recipe.grid(33)).masks)
    assert found == set(FIELDS)
