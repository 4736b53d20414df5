# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

from terrain_addon.core import Layer, Map, Recipe, evaluate
from terrain_addon.core.layers import LAYERS

PAINT = Map("Paint", np.random.default_rng(3).random((33, 33), np.float32))


def terrain(maps=(PAINT,), **settings):
    return Recipe(layers=(Layer.of(LAYERS["height_map"](**settings)),), maps=maps)


def test_heights_go_from_low_to_high_as_the_map_goes_from_0_to_1():
    recipe = terrain(source="Paint", low=-20.0, high=300.0)
    made = evaluate(recipe, recipe.grid(33)).height
    np.testing.assert_allclose(made, -20 + 320 * PAINT.values, atol=1e-3)


def test_points_that_grids_share_have_the_same_heights():
    recipe = terrain(source="Paint")
    fine, coarse = (evaluate(recipe, recipe.grid(n)).height for n in (129, 65))
    np.testing.assert_array_equal(fine[::2, ::2], coarse)
    part = evaluate(recipe, recipe.grid(129).window(7, 11, 40, 30)).height
    np.testing.assert_array_equal(part, fine[11:41, 7:47])


def test_without_a_map_the_layer_is_flat():
    recipe = terrain((), low=12.0)
    assert (evaluate(recipe, recipe.grid(9)).height == 12).all()


def test_a_map_that_is_missing_is_named():
    recipe = terrain((), source="Paint")
    with pytest.raises(ValueError, match="no map named 'Paint'"):
        evaluate(recipe, recipe.grid(9))


def test_a_map_is_not_changed():
    before = PAINT.values.copy()
    recipe = terrain(source="Paint", high=500.0)
    evaluate(recipe, recipe.grid(33))
    np.testing.assert_array_equal(PAINT.values, before)
