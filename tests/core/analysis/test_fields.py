# SPDX-License-Identifier: GPL-3.0-or-later
import dataclasses
import warnings

import numpy as np
import pytest

from terrain_addon.core import Cancelled, Grid, Heightfield, Layer, Recipe, evaluate, hydrology
from terrain_addon.core.analysis import fields
from terrain_addon.core.analysis.fields import AREAS, FIELDS, derive, derived, radius_of, reach
from terrain_addon.core.analysis.wetness import MOST
from terrain_addon.core.evaluation.stack import margin_of
from terrain_addon.core.layers import LAYERS, MASKS

HILLS = Recipe(layers=(Layer.of(LAYERS["fractal_noise"](height=200.0, size=300.0)),))

HILLS_LARGE = Recipe(size_x=600.0, size_y=450.0, layers=HILLS.layers)


def bowl(side=65, sign=1.0):
    axis = np.linspace(-100, 100, side, dtype=np.float32)
    return sign * (axis[:, None] ** 2 + axis**2) / 200, axis


def made(name, height, spacing=200 / 64, radius=50.0):
    rows, columns = height.shape
    grid = Grid(columns, rows, 0.0, 0.0, spacing, spacing)
    return derive(name, height.astype(np.float32), grid, radius)


@pytest.mark.parametrize(("east", "north", "expected"), [(0, -1, 0), (-1, 0, 90), (0, 1, 180)])
def test_aspect_is_a_bearing(east, north, expected):
    axis = np.arange(9, dtype=np.float32)
    found = made("aspect", east * axis + north * axis[:, None])
    np.testing.assert_allclose(found, expected, atol=1e-3)


def test_flat_land_has_no_aspect_and_half_a_sun():
    flat = np.full((9, 9), 7.0)
    assert not made("aspect", flat).any()
    np.testing.assert_allclose(made("hillshade", flat), np.sqrt(0.5), atol=1e-6)
    np.testing.assert_allclose(made("sky_view", flat), 1)
    for name in ("profile_curvature", "plan_curvature", "ridge", "valley"):
        assert not made(name, flat).any()


def test_the_sun_stands_south():
    axis = np.arange(9, dtype=np.float32) * 200 / 64
    np.testing.assert_allclose(made("hillshade", np.tile(axis[:, None], 9)), 1, atol=1e-5)
    np.testing.assert_allclose(made("hillshade", np.tile(-axis[:, None], 9)), 0, atol=1e-5)


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
    difference = coarse.fields[name] - fine.fields[name][::4, ::4]
    assert np.abs(difference[8:-8, 8:-8]).mean() < 0.01


@pytest.mark.parametrize("name", ["sky_view", "ridge", "valley", "convexity_broad"])
def test_a_radius_in_meters_sees_the_same_on_terrain_of_any_size(name):
    """Fields, masks by them and the margin of windows, where the terrain is 4 times as wide."""
    usual = float(evaluate(HILLS, HILLS.grid(65)).fields[name].mean())
    mask = MASKS["field"](field=name, low=usual, fade=0.1)
    raised = Layer.of(LAYERS["ramp"](), masks=(mask,))
    small = dataclasses.replace(HILLS, layers=(*HILLS.layers, raised))
    large = dataclasses.replace(small, size_x=4000.0, size_y=4000.0)
    same = dataclasses.replace(large, field_radius=small.wide_radius)
    assert (small.field_radius, small.wide_radius) == (0.0, 1000 / 64)
    grid = small.grid(129)
    expected = evaluate(small, grid)
    for recipe, alike in ((same, True), (large, False)):
        window = recipe.grid(513).window(192, 192, 129, 129)
        assert window.x.tolist() == grid.x.tolist()
        found = evaluate(recipe, window)
        inside = np.s_[16:-16, 16:-16]
        for a, b in ((found.height, expected.height), (found.fields[name], expected.fields[name])):
            assert (a[inside] == b[inside]).all() == alike
    assert margin_of(same, grid) == margin_of(small, grid) < margin_of(large, grid)


@pytest.mark.parametrize("name", [name for name in derived() if not FIELDS[name].whole])
def test_a_field_depends_on_no_more_than_its_reach(name):
    grid = HILLS.grid(97)
    whole = evaluate(HILLS, grid)
    radius = radius_of(HILLS.size_x, HILLS.size_y)
    margin = reach(name, grid.dx, grid.dy, radius)
    window = evaluate(HILLS, grid.window(20, 30, 40, 33).padded(margin)).height
    inside = derive(name, window, grid, radius)[margin:-margin, margin:-margin]
    np.testing.assert_array_equal(inside, whole.fields[name][30:63, 20:60])


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
        found |= set(evaluate(recipe, recipe.grid(33)).fields)
    assert found | set(AREAS) == set(FIELDS)  # those of groups with colors


def test_water_gathers_in_the_valley():
    axis = np.linspace(-100, 100, 65, dtype=np.float32)
    valley = np.abs(axis) + axis[:, None] * 0.1  # falls along -Y, water runs along X = 0
    wet = made("wetness", valley)
    assert wet.min() == 0 and wet.max() == 1
    assert (wet[:, 32] > wet[:, 4:28].max(axis=1)).all()
    assert not made("wetness", np.full((9, 9), 3.0)).any()


def test_gentle_ground_is_wetter_than_steep():
    axis = np.arange(64, dtype=np.float32)
    bent = np.where(axis < 32, 100 - 2 * axis, 36 - 0.1 * (axis - 32))[:, None] + 0 * axis
    wet = made("wetness", bent, 1.0)
    assert wet[34:60, 20:40].min() > wet[2:30, 20:40].max()


def test_the_index_is_that_of_its_formula():
    height = evaluate(HILLS, HILLS.grid(65)).height
    spacing = 300 / 64
    tree = hydrology.route(height)
    level = hydrology.spill_levels(height, tree).astype(float)
    gy, gx = np.gradient(level, spacing)
    area = hydrology.multiple_flow_area(height, tree, spacing)
    index = np.log(area / spacing / np.maximum(np.hypot(gx, gy), 0.01))
    low, high = np.quantile(index, (0.02, 0.98))
    expected = np.clip((index - low) / (high - low), 0, 1)
    np.testing.assert_allclose(made("wetness", height, spacing), expected, atol=1e-4)


def test_lakes_stand_to_their_brim():
    height = np.minimum(bowl()[0], 30.0)  # a bowl in a plateau that is level
    depth = made("lake_depth", height, radius=20.0)
    np.testing.assert_allclose(depth, 30.0 - height, atol=1e-4)
    assert not made("lake_depth", height, radius=500.0).any()  # too small to count
    assert not made("lake_depth", -height).any()


@pytest.mark.parametrize("name", [name for name in derived() if FIELDS[name].whole])
def test_large_lands_are_looked_at_in_blocks(name):
    count = MOST + 200  # two samples a block
    fine = evaluate(HILLS, HILLS.pixel_grid(count))
    coarse = evaluate(HILLS, HILLS.pixel_grid(count // 2))
    found = fine.fields[name]
    assert found.shape == fine.height.shape and found.dtype == np.float32
    means = found.reshape(count // 2, 2, -1, 2).mean(axis=(1, 3))
    assert np.corrcoef(means.ravel(), coarse.fields[name].ravel())[0, 1] > 0.9


@pytest.mark.parametrize("name", ["wetness", "lake_depth"])
def test_layers_act_where_water_is_in_every_window_alike(name):
    low = {"wetness": 0.6, "lake_depth": 0.5}[name]
    where = MASKS["field"](field=name, low=low, fade=0.2)
    ramp = LAYERS["fractal_noise"](height=50.0, size=30.0)
    terrain = Recipe(
        size_x=600.0, size_y=450.0, layers=(*HILLS.layers, Layer.of(ramp, masks=(where,)))
    )
    grid = terrain.grid(97)
    whole = evaluate(terrain, grid).height
    assert 0 < (whole != evaluate(HILLS_LARGE, grid).height).mean() < 0.6
    window = evaluate(terrain, grid.window(20, 30, 40, 33)).height
    np.testing.assert_array_equal(window, whole[30:63, 20:60])


@pytest.mark.parametrize("name", derived())
def test_fields_stop_when_reported_to(name):
    height = evaluate(HILLS, HILLS.grid(257)).height
    asked = []

    def cancelled():
        asked.append(0)
        return len(asked) == 3

    with pytest.raises(Cancelled):
        derive(name, height, HILLS.grid(257), 5.0, cancelled)
    assert len(asked) == 3


@pytest.mark.parametrize("name", ["sky_view", "ridge", "valley"])
def test_wide_fields_look_equally_far_along_both_axes(name):
    x = np.linspace(-100, 100, 65)
    y = np.linspace(-100, 100, 257)
    terrain = (30 * np.sin(x / 15) * np.cos(y[:, None] / 20)).astype(np.float32)
    make = FIELDS[name].make
    assert make
    square = make(terrain[::4].copy(), 200 / 64, 200 / 64, 50.0)
    oblong = make(terrain, 200 / 64, 200 / 256, 50.0)
    np.testing.assert_allclose(oblong[::4], square, atol=0.02)


@pytest.mark.parametrize("name", ["sky_view", "ridge", "valley"])
def test_a_reach_beyond_the_extent_takes_no_memory(name):
    terrain = Recipe(size_x=1e7, size_y=1.0, layers=HILLS.layers)
    grid = terrain.grid((13, 7))
    found = derive(name, evaluate(terrain, grid).height, grid, radius_of(1e7, 1.0))
    assert found.shape == (7, 13) and np.isfinite(found).all()


@pytest.mark.parametrize("reach", [5, 12, 40])
def test_beyond_the_border_the_land_goes_on_as_high_as_there(reach):
    height = np.random.default_rng(3).normal(size=(9, 7)).astype(np.float32)
    around = np.pad(height, 50, mode="edge")
    for name in ("sky_view", "ridge", "valley"):
        make = FIELDS[name].make
        assert make
        whole = make(around, 1.0, 1.0, float(reach))[50:-50, 50:-50]
        np.testing.assert_array_equal(make(height, 1.0, 1.0, float(reach)), whole)


@pytest.mark.parametrize("name", derived())
def test_the_highest_lands_have_fields_without_a_warning(name):
    layers = tuple(
        Layer.of(LAYERS["fractal_noise"](height=1e5, seed=n), blend="multiply" if n else "add")
        for n in range(5)
    )
    terrain = Recipe(layers=layers)
    grid = terrain.grid(65)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = derive(name, evaluate(terrain, grid).height, grid, radius_of(1000.0, 1000.0))
    assert np.isfinite(found).all()


@pytest.mark.parametrize("name", FIELDS)
def test_a_mask_tells_its_range_or_its_unit(name):
    field = FIELDS[name]
    assert field.unit or field.low is not None
    assert field.values.startswith("Values ")
    assert ("meters" in field.values) == (field.unit == "m") == field.help.startswith("Meters")
    assert ("degrees" in field.values) == (field.unit in ("deg", "deg C"))
    assert ("per 100 m" in field.values) == ("per 100 m" in field.help)


def test_asking_whether_there_is_a_field_does_not_compute_it(monkeypatch) -> None:
    grid = Grid.points(100.0, 100.0, 9, 9)
    terrain = Heightfield(grid, np.zeros(grid.shape))
    monkeypatch.setattr(fields, "derive", lambda *_: pytest.fail("a field was computed"))
    assert "sky_view" in terrain.fields
    assert "flow" not in terrain.fields
    assert "unknown" not in terrain.fields
