# SPDX-License-Identifier: GPL-3.0-or-later
"""Scaled recipes are the same terrain, for each preset and each kind of layer."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Layer, Palette, Recipe, Region, evaluate, presets
from terrain_addon.core.analysis import AREAS, FIELDS, HABITAT
from terrain_addon.core.layers import GENERATE, LAYERS, MASKS
from terrain_addon.core.recipe import fitted_mask, rescale
from tests.core.strategies import drawn

GROUND = Layer.of(LAYERS["fractal_noise"](octaves=4, height=150.0, size=700.0))


def assert_same_terrain(recipe, factor, resolution=65):
    """To the last bits: a power of two changes no digits."""
    larger = rescale(recipe, factor)
    before = evaluate(recipe, recipe.grid(resolution)).height
    after = evaluate(larger, larger.grid(resolution)).height
    near = 1e-5 * float(np.ptp(before))
    np.testing.assert_allclose(after / factor, before, rtol=1e-5, atol=near)


def test_a_scaled_preset_is_the_same_terrain(sampled_preset):
    assert_same_terrain(presets.load(sampled_preset), 0.25)


@pytest.mark.parametrize("key", LAYERS)
def test_every_kind_of_layer_is_scaled(key):
    recipe = Recipe(layers=(GROUND, Layer.of(LAYERS[key]())), size_y=600.0)
    assert_same_terrain(drawn(recipe), 2.0)


@pytest.mark.parametrize("key", [key for key, kind in LAYERS.items() if kind.group == GENERATE])
def test_layers_that_multiply_the_terrain_stay_factors(key):
    settings = {
        "height_map": {"low": 2.0, "high": 9.0},
        "diamond_square": {"corner_se": 40.0},
        # Slip faces are as steep as their heights in meters have them: a factor has no angle.
        "dunes": {"height": 2.0, "slip_angle": 85.0},
    }
    made = LAYERS[key](**settings.get(key, {}))
    assert_same_terrain(Recipe(layers=(GROUND, Layer.of(made, blend="multiply"))), 2.0)


def test_levels_that_multiply_the_terrain_stay_factors():
    made = LAYERS["levels"](input_min=-100.0, input_max=100.0, output_min=0.5, output_max=2.0)
    assert_same_terrain(Recipe(layers=(GROUND, Layer.of(made, blend="multiply"))), 2.0)


SNOW = Layer.of(LAYERS["snow"](depth=30.0, line=100.0, fade=200.0))
SCALING = tuple(name for name in FIELDS if name not in HABITAT)
"""Habitats depend on absolute heights."""
POWERS = {"m": 1, "rad/100 m": -1}


def test_scaled_terrain_has_the_same_masks_in_their_units(sampled_preset):
    recipe = presets.load(sampled_preset)
    recipe = dataclasses.replace(recipe, layers=(*recipe.layers, SNOW), attributes=SCALING)
    larger = rescale(recipe, 2.0)
    before = evaluate(recipe, recipe.grid(65)).fields
    after = evaluate(larger, larger.grid(65)).fields
    assert set(after) == set(before)
    for mask in {*after} - {*HABITAT}:
        values = after[mask]
        expected = before[mask] * 2.0 ** POWERS.get(FIELDS[mask].unit, 0)
        near = 1e-3 * max(float(np.ptp(expected)), 1e-6)
        off = np.abs(values - expected) > near
        assert off.mean() < 0.002, mask  # the aspect of level ground is anything


@pytest.mark.slow
@pytest.mark.parametrize(
    "field", [name for name in FIELDS if name not in (*AREAS, *HABITAT, "beach", "platform")]
)  # whose middle is 0 nearly everywhere
def test_layers_and_colors_follow_any_mask_of_scaled_terrain(field):
    """In the middle of its range, so that a range that stays as it is shows."""
    erosion = Layer.of(LAYERS["erosion"](resolution="128"))
    snow = Layer.of(LAYERS["snow"](depth=10.0, line=0.0, fade=200.0))
    road = Layer.of(LAYERS["road"](width=200.0, shoulder=100.0))
    special = {"road": road, "lava": Layer.of(LAYERS["lava_flows"]())}
    upper = (special.get(field, snow),)
    recipe = drawn(Recipe(layers=(GROUND, erosion, *upper), attributes=(field,)))
    values = evaluate(recipe, recipe.grid(65)).fields[field]
    low, high = (float(v) for v in np.quantile(values, [0.4, 0.9]))
    mask = MASKS["field"](field=field, low=low, high=high, fade=(high - low) / 2)
    lift = Layer.of(LAYERS["levels"](output_min=100.0, output_max=300.0), masks=(mask,))
    palette = Palette(
        regions=(Region(), Region(based_on=field, color="#F02010", low=low, high=high))
    )
    recipe = dataclasses.replace(recipe, layers=(*recipe.layers, lift), palette=palette)
    assert_same_terrain(recipe, 2.0)
    larger = rescale(recipe, 2.0).palette
    power = 2.0 ** POWERS.get(FIELDS[field].unit, 0)
    shape = values.reshape(-1)[:64]
    flat = np.zeros_like(shape)
    np.testing.assert_allclose(
        larger.colors(flat, None, 0.0, 1.0, larger.cover({field: shape * np.float32(power)})),
        palette.colors(flat, None, 0.0, 1.0, palette.cover({field: shape})),
        atol=1e-3,
    )


def test_a_threshold_in_meters_is_scaled_and_others_stay():
    for measure, factor in (("meters", 5.0), ("relative", 1.0), ("signed", 1.0)):
        recipe = Recipe(palette=Palette(measure=measure, threshold=3.0))
        assert rescale(recipe, 5.0).palette.threshold == 3.0 * factor


@given(st.floats(1e-3, 1e3))
def test_what_is_scaled_back_is_what_it_was(factor):
    recipe = presets.load("archipelago")
    back = rescale(rescale(recipe, factor), 1 / factor)
    assert back.size_x == pytest.approx(recipe.size_x)
    assert back.water.level == pytest.approx(recipe.water.level)
    assert back.layers[0].settings.size == pytest.approx(recipe.layers[0].settings.size)
    assert back.layers[0].settings.seed == recipe.layers[0].settings.seed


def test_colors_by_meters_are_scaled_and_others_stay():
    regions = (Region(start=-3.0), Region(start=40.0, color="#FFFFFF"))
    for measure, factor in (("meters", 5.0), ("relative", 1.0)):
        recipe = Recipe(palette=Palette(measure=measure, regions=regions))
        starts = [region.start for region in rescale(recipe, 5.0).palette.regions]
        assert starts == [-3.0 * factor, 40.0 * factor]


def test_a_terrain_beyond_the_limits_is_refused():
    with pytest.raises(ValueError, match="size_x"):
        rescale(Recipe(size_x=5e6), 10)


@given(low=st.floats(-9000, 9000), span=st.floats(0.01, 9000))
def test_a_fitted_mask_holds_the_range_and_little_more(low, span):
    mask = fitted_mask(MASKS["height"](invert=True), {"height": (low, low + span)})
    near = 1e-6 * (abs(low) + span)
    assert low - 0.1 * span - near <= mask.low <= low + near
    assert low + span - near <= mask.high <= low + 1.1 * span + near
    assert 0 < mask.fade <= 0.1 * span and mask.invert


def test_a_mask_without_a_range_stays_and_limits_hold():
    plain = MASKS["height"]()
    assert fitted_mask(plain, {}) == plain
    assert fitted_mask(plain, {"height": (5.0, 5.0)}) == plain
    assert fitted_mask(MASKS["noise"](), {"height": (0.0, 9.0)}) == MASKS["noise"]()
    assert fitted_mask(MASKS["slope"](), {"slope": (0.0, 89.5)}).high == 90
    snow = MASKS["field"](field="snow")  # neither measured nor with a natural range
    assert fitted_mask(snow, {"height": (0.0, 9.0)}) == snow
