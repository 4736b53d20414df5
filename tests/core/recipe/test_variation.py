# SPDX-License-Identifier: GPL-3.0-or-later
"""Variations of layers, and layers as text."""

import dataclasses

import pytest

from terrain_addon.core import FractalNoise, HeightMask, Hills, Layer, Recipe, Smooth
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.recipe import (
    layers_from_json,
    layers_to_json,
    nine_values,
    variable_settings,
    varied,
    varied_settings,
)
from terrain_addon.core.settings import settings_of


@pytest.mark.parametrize("key", LAYERS)
def test_variations_keep_to_the_limits_and_to_what_they_may_change(key):
    kind = LAYERS[key]
    usual, found = kind(), set()
    names = {one.name for one in varied_settings(usual)}
    assert names <= {one.name for one in variable_settings(kind)}
    for seed in range(1, 30):
        made = varied(usual, seed, 1.0)
        assert made == varied(usual, seed, 1.0)
        for one in settings_of(kind):
            value, old = getattr(made, one.name), getattr(usual, one.name)
            if value != old:
                found.add(one.name)
            if one.name in names - {"seed"}:
                assert abs(old) * 0.49 < abs(value) < abs(old) * 2.01 and value * old > 0
                low = one.min if one.soft_min is None else min(one.soft_min, old)
                high = one.max if one.soft_max is None else max(one.soft_max, old)
                assert (low is None or low <= value) and (high is None or value <= high)
    assert found == names


def test_what_is_off_advanced_or_a_choice_stays():
    usual = FractalNoise(warp_amount=0.0, rotation=0.0)
    names = {one.name for one in varied_settings(usual)}
    assert {"seed", "size", "height", "gain"} <= names
    assert not names & {"warp_amount", "rotation", "octaves", "basis", "lacunarity", "jitter"}
    warped = dataclasses.replace(usual, warp_amount=5.0)
    assert "warp_amount" in {one.name for one in varied_settings(warped)}


def test_a_lock_keeps_a_setting_and_does_not_change_the_others():
    free = varied(Hills(), 7, 0.5)
    locked = varied(Hills(), 7, 0.5, locked=["height", "seed"])
    assert locked == dataclasses.replace(free, height=Hills().height, seed=Hills().seed)
    assert free.height != Hills().height


def test_without_strength_only_the_seed_changes():
    made = varied(Hills(), 3, 0.0)
    assert dataclasses.replace(made, seed=0) == Hills()
    assert made.seed != 0


def test_layers_pass_through_text():
    layers = (
        Layer.of(Hills(), name="Hills, more of them", opacity=0.5, enabled=False),
        Layer.of(Smooth(), masks=(HeightMask(high=3.0),)),
    )
    assert layers_from_json(layers_to_json(layers)) == layers
    assert layers_from_json(Recipe(layers=layers).to_json()) == layers


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "This is not a recipe"),
        ("hello", "This is not a recipe"),
        ("[1]", "expected an object"),
        ("{}", "has no layers"),
        ('{"layers": [{"kind": "hills", "settings": {"size": "big"}}]}', r"layers\[0\]"),
        ('{"layers": [{"kind": "hill"}]}', "no layer named 'hill'"),
        ('{"schema": 99, "layers": []}', "newer version"),
    ],
)
def test_other_text_is_refused_with_the_reason(text, message):
    with pytest.raises(ValueError, match=message):
        layers_from_json(text)


@pytest.mark.parametrize("key", LAYERS)
def test_nine_values_rise_are_allowed_and_contain_the_one_at_hand(key):
    usual = LAYERS[key]()
    for setting in varied_settings(usual):
        value = getattr(usual, setting.name)
        values = nine_values(setting, value)
        assert len(set(values)) == 9 and sorted(values) == list(values)
        for one in values:
            dataclasses.replace(usual, **{setting.name: one})  # within the limits
        if setting.kind == "int" or setting.unit == "m":
            assert value in values


def test_nine_values_at_the_ends_of_a_slider_and_at_zero():
    known = {setting.name: setting for setting in settings_of(FractalNoise)}
    height, seed = known["height"], known["seed"]
    assert height.soft_max is not None and seed.max is not None
    factor = next(one for one in settings_of(Hills) if one.unit == "factor")
    assert nine_values(factor, 0.3) == tuple(n / 8 for n in range(9))
    assert nine_values(height, height.soft_max)[-1] == height.soft_max
    assert nine_values(height, 0.0)[0] == 0.0 and nine_values(height, 0.0)[-1] == height.soft_max
    assert nine_values(seed, seed.max)[-1] == seed.max
    angle = next(one for one in settings_of(FractalNoise) if one.unit == "deg")
    turned = nine_values(angle, 0.0)
    assert len({value % 360 for value in turned}) == 9
