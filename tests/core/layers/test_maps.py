# SPDX-License-Identifier: GPL-3.0-or-later
"""Painted maps: sampled at any point, named by masks, part of what the cache knows."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from terrain_addon.core import Cache, Grid, Layer, Map, Recipe, evaluate
from terrain_addon.core.layers import LAYERS, MASKS

VALUES = arrays(
    np.float32,
    array_shapes(min_dims=2, max_dims=2, max_side=9),
    elements=st.floats(-10, 10, width=32),
)


def raised(painted, resolution=33, **chosen):
    """A flat terrain that a mask lifts to 100 m where the map is 1."""
    layer = Layer.of(
        LAYERS["levels"](input_min=-1.0, input_max=1.0, output_min=100.0, output_max=100.0),
        masks=(MASKS["map"](source="Paint", **chosen),),
    )
    recipe = Recipe(layers=(layer,), maps=(painted,) if painted else ())
    return evaluate(recipe, recipe.grid(resolution)).height


@given(VALUES)
def test_points_of_the_same_grid_get_the_values_themselves(values):
    rows, columns = values.shape
    if min(rows, columns) < 2:
        return
    grid = Grid.points(300.0, 200.0, columns, rows)
    found = Map("Paint", values).sample(grid, 300.0, 200.0)
    np.testing.assert_allclose(found, values, atol=1e-4)
    pixels = Grid.pixels(300.0, 200.0, columns, rows)
    found = Map("Paint", values, to_border=False).sample(pixels, 300.0, 200.0)
    np.testing.assert_allclose(found, values, atol=1e-4)


@given(VALUES, st.integers(2, 40), st.integers(2, 40), st.booleans())
def test_between_its_values_a_map_is_blended_in_each_direction(values, nx, ny, to_border):
    grid = Grid.points(500.0, 400.0, nx, ny)
    found = Map("Paint", values, to_border).sample(grid, 500.0, 400.0)
    rows, columns = values.shape

    def places(count, axis, size):
        if to_border:
            return np.linspace(-size / 2, size / 2, count)
        return (np.arange(count) + 0.5) / count * size - size / 2

    lines = [np.interp(grid.x, places(columns, nx, 500.0), line) for line in values]
    plain = np.stack(
        [np.interp(grid.y, places(rows, ny, 400.0), column) for column in np.array(lines).T], 1
    )
    np.testing.assert_allclose(found, plain, atol=1e-3)
    assert found.dtype == np.float32


@given(VALUES, st.integers(0, 20), st.integers(0, 20))
def test_windows_fit_together(values, i, j):
    grid = Grid.points(500.0, 400.0, 41, 31)
    painted = Map("Paint", values)
    window = painted.sample(grid.window(i, j, 15, 8), 500.0, 400.0)
    np.testing.assert_array_equal(window, painted.sample(grid, 500.0, 400.0)[j : j + 8, i : i + 15])


def test_a_mask_acts_where_the_map_says():
    values = np.linspace(0, 1, 33, dtype=np.float32) * np.ones((33, 1), np.float32)
    painted = Map("Paint", values)
    np.testing.assert_allclose(raised(painted), 100 * values, atol=1e-3)
    np.testing.assert_allclose(raised(painted, invert=True), 100 - 100 * values, atol=1e-3)
    expected = 100 * np.clip((values - 0.25) / 0.5, 0, 1)
    np.testing.assert_allclose(raised(painted, low=0.25, high=0.75), expected, atol=1e-2)
    np.testing.assert_allclose(raised(painted, low=0.5, high=0.5), 100 * (values >= 0.5))


def test_an_unnamed_map_leaves_the_layer_everywhere_and_a_missing_one_is_reported():
    layer = Layer.of(LAYERS["fractal_noise"](), masks=(MASKS["map"](),))
    recipe = Recipe(layers=(layer,))
    bare = Recipe(layers=(Layer.of(LAYERS["fractal_noise"]()),))
    grid = recipe.grid(17)
    np.testing.assert_array_equal(evaluate(recipe, grid).height, evaluate(bare, grid).height)
    with pytest.raises(ValueError, match="no map named 'Paint': name an attribute"):
        raised(None)


def test_only_active_layers_ask_for_their_maps():
    mask = MASKS["map"](source="Paint")
    used = Layer.of(LAYERS["fractal_noise"](), masks=(mask,))
    off = Layer.of(LAYERS["fractal_noise"](), masks=(MASKS["map"](source="Other"),), enabled=False)
    assert Recipe(layers=(used, off, used)).map_names == ("Paint",)


def test_other_paint_is_other_terrain_for_the_cache():
    cache, rng = Cache(), np.random.default_rng(3)
    found = []
    for painted in (rng.random((5, 5), np.float32), rng.random((5, 5), np.float32)):
        layer = Layer.of(LAYERS["fractal_noise"](), masks=(MASKS["map"](source="Paint"),))
        recipe = Recipe(layers=(layer,), maps=(Map("Paint", painted),))
        grid = recipe.grid(17)
        found.append(evaluate(recipe, grid, cache=cache).height)
        np.testing.assert_array_equal(found[-1], evaluate(recipe, grid).height)
    assert not np.array_equal(*found)


@pytest.mark.parametrize("values", [np.zeros(4), np.zeros((0, 3)), np.full((2, 2), np.nan)])
def test_values_that_are_no_field_are_refused(values):
    with pytest.raises(ValueError, match="The map 'Paint'"):
        Map("Paint", values)


@pytest.mark.parametrize("mark", [-9999.0, -32767.0, -32768.0, -3.4028235e38, 3.4028235e38])
def test_gaps_of_an_elevation_model_are_no_heights(mark):
    values = np.linspace(0, 900, 12, dtype=np.float32).reshape(3, 4)
    values[1, 2] = mark
    with pytest.raises(ValueError, match="'Dem' has gaps, marked by"):
        Map("Dem", values)
    assert Map("Deep", np.full((2, 2), -10000.0)).values.min() == -10000


def test_maps_are_equal_when_their_values_are():
    ones = np.ones((3, 4), np.float32)
    assert Map("Paint", ones) == Map("Paint", ones.copy())
    assert Map("Paint", ones) != Map("Paint", ones.T)
    assert Map("Paint", ones) != Map("Paint", 2 * ones)
    assert Map("Paint", ones) != Map("Other", ones)


def test_json_holds_the_name_only():
    layer = Layer.of(LAYERS["fractal_noise"](), masks=(MASKS["map"](source="Paint"),))
    recipe = Recipe(layers=(layer,), maps=(Map("Paint", np.ones((2, 2), np.float32)),))
    again = Recipe.from_json(recipe.to_json())
    assert (again.layers, again.maps) == (recipe.layers, ())
