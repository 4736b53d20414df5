# SPDX-License-Identifier: GPL-3.0-or-later
"""A layer that is added to a terrain fits it: not too small to be seen, not out of all bounds."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Layer, Palette, Recipe, Region, evaluate, presets
from terrain_addon.core.layers import LAYERS, MASKS
from terrain_addon.core.recipe import MAX_REGIONS, default_mask_for, default_settings_for
from terrain_addon.core.settings import settings_of
from tests.core.strategies import drawn
from tests.schema.golden import recorded

UNCHANGING = ("levels", "height_map", "stamp", "group", "from_nodes")
"""Kinds that keep all heights until they are set."""
IN_METERS = ("road",)  # which are as wide on any terrain
AS_HIGH = ("pad", "project_mesh")  # as their shape, which is the same on any terrain


def relief(key, size, resolution=65):
    """How far a new layer of that kind moves a hilly terrain at most, as a share of its size."""
    ground = Layer.of(default_settings_for(LAYERS["fractal_noise"], size, size))
    recipe = Recipe(size_x=size, size_y=size, layers=(ground,))
    grid = recipe.grid(resolution)
    before = evaluate(recipe, grid).height
    heights = float(before.min()), float(before.max())
    added = Layer.of(default_settings_for(LAYERS[key], size, size, heights))
    after = evaluate(drawn(dataclasses.replace(recipe, layers=(ground, added))), grid).height
    return float(np.abs(after - before).max()) / size


@pytest.mark.parametrize("key", LAYERS)
def test_new_layers_are_seen_on_terrain_of_any_size(key):
    usual = relief(key, 1000.0)
    assert usual > 5e-4 or key in UNCHANGING
    for size in () if key in AS_HIGH else (50.0, 500.0, 2000.0, 50000.0):
        share = relief(key, size)
        if key not in IN_METERS:
            assert share == pytest.approx(usual, rel=0.15, abs=0.02 if key in UNCHANGING else 0)
        assert share < 0.5


@pytest.mark.parametrize("key", LAYERS)
def test_land_of_the_usual_size_gets_the_defaults(key):
    usual = LAYERS[key](**LAYERS[key].new_defaults)
    assert default_settings_for(LAYERS[key], 1000.0, 1000.0) == usual
    assert default_settings_for(LAYERS[key], 9000.0, 1000.0) == usual  # the shorter side counts


@pytest.mark.parametrize("key", LAYERS)
@given(
    st.floats(1e-3, 1e7),
    st.floats(1e-3, 1e7),
    st.tuples(st.floats(-1e5, 1e5), st.floats(-1e5, 1e5)).map(sorted),
)
def test_meters_alone_are_changed_to_two_digits_within_limits(key, size_x, size_y, heights):
    kind = LAYERS[key]
    made = default_settings_for(kind, size_x, size_y, tuple(heights))  # which checks the limits
    automatic = kind().automatic(1.0, 1.0)
    for one in settings_of(kind):
        value = getattr(made, one.name)
        if one.name in (*kind.height_settings, *automatic):
            continue
        if one.name in kind.new_defaults:
            assert value == kind.new_defaults[one.name]
        elif one.unit != "m" or one.default == 0:
            assert value == one.default
        elif one.min < value < one.max:
            assert value == pytest.approx(float(f"{value:.2g}"), rel=1e-9)
            assert value == pytest.approx(one.default * min(size_x, size_y) / 1000, rel=0.06)


def test_sliders_of_new_erosion_start_from_what_automatic_values_come_to():
    new = default_settings_for(LAYERS["erosion"], 4400.0, 3000.0, (100.0, 612.0))
    assert new.valley_spacing == 200.0
    assert new.strata_thickness == 28.0  # the root of 512 / 16 m and 200 / 8 m
    recipe = presets.load("alps")
    grid = recipe.grid(65)
    size = recipe.size_x, recipe.size_y
    same, chosen = (
        evaluate(dataclasses.replace(recipe, layers=(*recipe.layers[:-1], Layer.of(one))), grid)
        for one in (LAYERS["erosion"](), default_settings_for(LAYERS["erosion"], *size, (0.0, 1.0)))
    )
    assert np.corrcoef(same.height.ravel(), chosen.height.ravel())[0, 1] > 0.9


def test_dunes_on_a_terrain_of_20_km():
    dunes = default_settings_for(LAYERS["dunes"], 20000.0, 20000.0)
    assert (dunes.size, dunes.height, dunes.center_x) == (2400.0, 240.0, 0.0)


def test_new_snow_lies_on_a_part_of_every_preset_and_is_white(sampled_preset):
    recipe = presets.load(sampled_preset)
    grid = recipe.grid(65)
    before = evaluate(recipe, grid).height
    heights = float(before.min()), float(before.max())
    snow = default_settings_for(LAYERS["snow"], recipe.size_x, recipe.size_y, heights)
    palette = recipe.palette.with_fields(snow.colored_fields())
    whole = dataclasses.replace(recipe, layers=(*recipe.layers, Layer.of(snow)), palette=palette)
    field = evaluate(whole, grid)
    mask = field.fields["snow"]
    slope = np.zeros_like(mask)
    low, high = float(field.height.min()), float(field.height.max())
    colors = palette.colors(field.height, slope, low, high, palette.cover(field.fields))[..., :3]
    white = (colors > 0.7).all(axis=-1)  # linear
    assert 0.03 < white.mean() < 0.98  # gentle hills have few slopes that shed snow
    np.testing.assert_array_equal(white | (mask < snow.depth / 4), True)


def test_new_levels_keep_the_terrain_until_reported():
    levels = default_settings_for(LAYERS["levels"], 1000.0, 1000.0, (1003.4, 1010.7))
    assert (
        (levels.input_min, levels.input_max)
        == (levels.output_min, levels.output_max)
        == (1003.4, 1010.7)
    )
    flat = default_settings_for(LAYERS["levels"], 1000.0, 1000.0, (5.0, 5.0))
    assert flat == LAYERS["levels"]()


def test_new_snow_lies_above_a_sea_that_is_shown():
    heights = (-1000.0, 500.0)
    lines = [
        default_settings_for(LAYERS["snow"], 5000.0, 5000.0, heights, sea=sea).line
        for sea in (None, 100.0, -2000.0, 600.0)
    ]
    assert lines == [-100.0, 340.0, -100.0, -100.0]  # nothing stands out of the last sea
    levels = default_settings_for(LAYERS["levels"], 5000.0, 5000.0, heights, sea=100.0)
    assert levels.input_min == -1000.0


@given(st.floats(1e-3, 1e7), st.floats(1e-3, 1e7))
def test_masks_of_new_layers_have_the_size_of_the_terrain(size_x, size_y):
    side = min(size_x, size_y)
    for kind in MASKS.values():
        made = default_mask_for(kind, size_x, size_y)  # which checks the limits
        for one in settings_of(kind):
            value = getattr(made, one.name)
            if one.unit != "m":
                assert value == one.default
            elif one.min < value < one.max:
                assert value == pytest.approx(one.default * side / 1000, rel=0.06)


def test_masks_of_the_usual_size_have_the_defaults():
    assert all(default_mask_for(kind, 1000.0, 2000.0) == kind() for kind in MASKS.values())
    assert default_mask_for(MASKS["noise"], 10000.0, 10000.0).size == 3000.0


@pytest.mark.parametrize("key", LAYERS)
def test_marks_are_heights_of_the_kind(key):
    units = {one.name: one.unit for one in settings_of(LAYERS[key])}
    for name, share in LAYERS[key].height_settings.items():
        assert units[name] == "m" and 0 <= share <= 1 and math.isfinite(share)


@pytest.mark.parametrize("name", ["island", "plasma"])
def test_new_erosion_keeps_the_coast_of_a_terrain_that_shows_its_sea(name):
    recipe = recorded(name)
    grid = recipe.grid(129)
    above = evaluate(recipe, grid).height > recipe.water.level

    def terrain(*, sea):
        sea = recipe.water.level if sea else None
        new = default_settings_for(LAYERS["erosion"], recipe.size_x, recipe.size_y, sea=sea)
        whole = dataclasses.replace(recipe, layers=(*recipe.layers, Layer.of(new)))
        return evaluate(whole, grid).height > recipe.water.level

    assert (terrain(sea=True) != above).mean() < 0.02
    assert (terrain(sea=False) != above).mean() > 0.05  # rivers run on over the sea floor


def test_new_erosion_fits_the_height_of_the_coast():
    """A terrain of hills must not drown, nor one of mountains have flat shores only."""
    erosion = LAYERS["erosion"]

    def coast(heights, sea):
        made = default_settings_for(erosion, 2000.0, 2000.0, heights, sea=sea)
        return made.sea_rise, made.coastal_plain, made.cliff_height

    assert coast((-60.0, 240.0), 0.0) == (12.0, 12.0, 12.0)
    assert coast((10.0, 240.0), -60.0) == (15.0, 15.0, 15.0)  # of 300 m above the sea
    assert coast((95.0, 108.0), 100.0) == (0.4, 0.4, 0.4)
    usual = coast(None, None)
    assert usual[0] == 0
    for heights, sea in (((-60.0, 240.0), None), (None, 0.0), ((-60.0, -10.0), 0.0)):
        assert coast(heights, sea) == usual


@pytest.mark.parametrize("key", LAYERS)
def test_settings_at_sea_are_of_the_kind(key):
    kind = LAYERS[key]
    assert dataclasses.replace(
        kind(), **kind.new_defaults, **kind.sea_defaults
    ) == default_settings_for(kind, 1000.0, 1000.0, sea=0.0)
    assert bool(kind.sea_defaults) == (key in ("erosion", "river"))
    assert bool(kind.sea_height_shares) == (key == "erosion")


def test_snow_and_roads_color_the_terrain_and_only_once():
    for key, kind in LAYERS.items():
        own = {"snow": {"snow"}, "road": {"road"}, "lava_flows": {"lava"}}
        assert set(kind().colored_fields()) == own.get(key, set())
    for colors in ((Region(), Region.of_field("snow")), (Region(),) * MAX_REGIONS):
        palette = Palette(regions=colors)
        assert palette.with_fields(LAYERS["snow"]().colored_fields()) == palette
    others = Palette(regions=(Region(), Region.of_field("valley")))
    assert others.with_fields(LAYERS["snow"]().colored_fields()).fields == ("valley", "snow")
