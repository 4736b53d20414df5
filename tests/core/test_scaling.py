# SPDX-License-Identifier: GPL-3.0-or-later
"""Scaled recipes are the same land, for each preset and each kind of layer."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from terrain_addon.core import LAYERS, Layer, Palette, Recipe, Region, evaluate, presets, scaled

GROUND = Layer.of(LAYERS["fractal_noise"](octaves=4, height=150.0, size=700.0))


def assert_same_land(recipe, factor, resolution=65):
    """To the last bits: a power of two changes no digits."""
    larger = scaled(recipe, factor)
    before = evaluate(recipe, recipe.grid(resolution)).height
    after = evaluate(larger, larger.grid(resolution)).height
    near = 1e-5 * float(np.ptp(before))
    np.testing.assert_allclose(after / factor, before, rtol=1e-5, atol=near)


@pytest.mark.parametrize("name", presets.names())
@pytest.mark.parametrize("factor", [0.25, 2.0])
def test_a_scaled_preset_is_the_same_land(name, factor):
    assert_same_land(presets.load(name), factor)


@pytest.mark.parametrize("key", LAYERS)
def test_every_kind_of_layer_is_scaled(key):
    assert_same_land(Recipe(layers=(GROUND, Layer.of(LAYERS[key]())), size_y=600.0), 2.0)


@given(st.floats(1e-3, 1e3))
@settings(max_examples=20)
def test_what_is_scaled_back_is_what_it_was(factor):
    recipe = presets.load("archipelago")
    back = scaled(scaled(recipe, factor), 1 / factor)
    assert back.size_x == pytest.approx(recipe.size_x)
    assert back.water.level == pytest.approx(recipe.water.level)
    assert back.layers[0].settings.size == pytest.approx(recipe.layers[0].settings.size)
    assert back.layers[0].settings.seed == recipe.layers[0].settings.seed


def test_colours_by_metres_are_scaled_and_others_stay():
    regions = (Region(start=-3.0), Region(start=40.0, color="#FFFFFF"))
    for measure, factor in (("metres", 5.0), ("relative", 1.0)):
        recipe = Recipe(palette=Palette(measure=measure, regions=regions))
        starts = [region.start for region in scaled(recipe, 5.0).palette.regions]
        assert starts == [-3.0 * factor, 40.0 * factor]


def test_a_land_beyond_the_limits_is_refused():
    with pytest.raises(ValueError, match="size_x"):
        scaled(Recipe(size_x=5e6), 10)
