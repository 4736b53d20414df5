# SPDX-License-Identifier: GPL-3.0-or-later
import csv
import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Palette, Region, presets
from terrain_addon.core.analysis import FIELDS
from terrain_addon.core.numerics.srgb import linear
from tests.core.strategies import palettes

REFERENCE = Path(__file__).parents[2] / "reference"
TUTORIAL_COLORS = (
    *("#204D75", "#367ABD", "#76A5AF", "#C2B280"),
    *("#8DB255", "#228B22", "#7E5E60", "#FFF8F0"),
)
CLASSIC_STARTS = {
    "Dark Blue": 0.0,
    "Ocean Blue": 0.05,
    "Dark Yellow": 0.37,
    "Land Green": 0.4,
    "Dark Green": 0.6,
    "Light Brown": 0.725,
    "Dark Brown": 0.85,
    "Snow": 0.925,
}


def two(**settings):
    regions = (Region(start=0.0, color="#000000"), Region(start=0.5, color="#FFFFFF"))
    return Palette(regions=regions, **settings)


def with_regions(palette, *more):
    return dataclasses.replace(palette, regions=(*palette.regions, *more))


def gray(palette, values, low=0.0, high=1.0, slope=None):
    rgba = palette.colors(np.asarray(values, np.float32), slope, low, high)
    assert rgba.dtype == np.float32 and rgba.shape == (*np.shape(values), 4)
    assert (rgba[..., 3] == 1).all()
    return rgba[..., 0]


@given(palettes(), st.data())
def test_a_new_region_lies_behind_the_given_one_with_a_name_of_its_own(palette, data):
    below = data.draw(st.sampled_from(palette.regions))
    made = palette.region_after(below)
    assert made.name not in {region.name for region in palette.regions} and not made.field
    below = palette.by_height[-1] if below.field else below
    starts = [region.start for region in palette.by_height]
    assert made.start >= below.start
    higher = [start for start in starts if start > below.start]
    if higher:
        assert made.start <= min(higher)
        assert made.start == pytest.approx((below.start + min(higher)) / 2)
    elif below.start < 5e5 and (palette.measure != "meters" or len(set(starts)) == 1):
        assert made.start > below.start


def test_a_new_region_between_two_has_the_color_that_is_there():
    """Where a smooth palette goes all the way from one color to the next, nothing changes."""
    regions = [Region(start=s, color=c) for s, c in ((0.1, "#204D75"), (0.5, "#C2B280"))]
    palette = Palette(blend=1.0, regions=(*regions, Region(start=0.9, color="#FFF8F0")))
    new = palette.region_after(palette.regions[0])
    assert (new.name, new.start) == ("Color 4", pytest.approx(0.3))
    between = linear("#204D75"), linear("#C2B280")
    np.testing.assert_allclose(linear(new.color), sum(between) / 2, atol=0.01)
    taken = Palette(regions=(Region(name="Color 3"), Region(start=0.5)))
    assert taken.region_after(taken.regions[0]).name == "Color 4"


@pytest.mark.parametrize(
    ("measure", "starts", "expected"),
    [
        ("relative", (0.0, 0.8), 0.9),
        ("signed", (-0.5, 0.0), 0.5),
        ("relative", (0.0, 1.0), 2.0),
        ("meters", (0.0, 300.0), 600.0),
        ("meters", (50.0,), 150.0),
        ("meters", (1e6,), 1e6),
    ],
)
def test_a_new_region_above_the_highest(measure, starts, expected):
    palette = Palette(measure=measure, regions=tuple(Region(start=s) for s in starts))
    new = palette.region_after(palette.regions[-1])
    assert new.start == pytest.approx(expected)
    assert linear(new.color)[0] == pytest.approx((linear("#808080")[0] + 1) / 2, abs=0.01)


@given(palettes())
def test_any_palette_survives_its_dictionary(palette):
    assert Palette.from_dict(palette.to_dict(), "palette") == palette


@given(palettes(), st.floats(-1e5, 1e5), st.floats(0, 1e5))
def test_any_palette_colors_any_terrain(palette, low, span):
    height = np.linspace(low, low + span, 50, dtype=np.float32)
    slope = np.linspace(0, 90, 50, dtype=np.float32)
    rgba = palette.colors(height, slope, float(height[0]), float(height[-1]))
    assert np.isfinite(rgba).all() and rgba.min() >= -1e-6 and rgba.max() <= 1 + 1e-6


def test_regions_are_sorted_and_one_at_least():
    made = Palette(regions=(Region(start=2.0), Region(start=-1.0)))
    assert [region.start for region in made.regions] == [-1.0, 2.0]
    with pytest.raises(ValueError, match="a palette has 1 to 32"):
        Palette(regions=())
    with pytest.raises(ValueError, match="a palette has 1 to 32"):
        Palette(regions=(Region(),) * 33)


def test_hard_steps():
    palette = two(blend=0.0)
    assert list(gray(palette, [-1, 0, 0.4999, 0.5, 2])) == [0, 0, 0, 1, 1]


def test_smooth_ramps_spread_with_the_blend():
    values = np.linspace(0, 1, 101)
    whole, half = gray(two(blend=1.0), values), gray(two(blend=0.5), values)
    np.testing.assert_allclose(whole, np.interp(values, [0.25, 0.75], [0, 1]), atol=1e-4)
    np.testing.assert_allclose(half, np.interp(values, [0.375, 0.625], [0, 1]), atol=1e-4)


def test_threshold_mixes_by_a_factor_just_below_the_next_start():
    palette = two(blending="threshold", threshold=0.1, factor=0.25)
    np.testing.assert_allclose(gray(palette, [0.39, 0.41, 0.49, 0.5]), [0, 0.25, 0.25, 1])


@pytest.mark.parametrize(
    ("settings", "heights"),
    [
        ({"measure": "relative"}, [-30.0, 34.9, 35.1, 100.0]),
        ({"measure": "meters"}, [-30.0, 0.49, 0.51, 100.0]),
        ({"measure": "signed", "full_height": 80.0}, [-30.0, 39.9, 40.1, 100.0]),
    ],
)
def test_measures(settings, heights):
    assert list(gray(two(blend=0.0, **settings), heights, -30.0, 100.0)) == [0, 0, 1, 1]


def test_flat_terrain_has_the_lowest_color():
    assert list(gray(two(blend=0.0), [7.0, 7.0], 7.0, 7.0)) == [0, 0]


def test_rock_shows_on_steep_ground():
    palette = two(
        blend=0.0, rock_on_slopes=True, rock_color="#FFFFFF", rock_slope=30.0, rock_fade=10.0
    )
    slope = np.array([0, 30, 35, 40, 80], np.float32)
    np.testing.assert_allclose(gray(palette, np.zeros(5), slope=slope), [0, 0, 0.5, 1, 1])
    assert gray(palette, np.zeros(2)).max() == 0, "without slopes there is no rock"


def test_the_classic_regions():
    palette = presets.load_palette("classic")
    assert {region.name: region.start for region in palette.regions} == CLASSIC_STARTS
    assert (palette.measure, palette.blending) == ("relative", "threshold")
    # Its blending: the next color by `factor` where it begins within `threshold`, else none.
    heights = np.linspace(0, 1, 1999)
    for height, rgba in zip(heights, palette.colors(heights.astype("f4"), None, 0, 1), strict=True):
        at = max(k for k, region in enumerate(palette.regions) if region.start <= height)
        color = linear(palette.regions[at].color)
        if at + 1 < len(palette.regions):
            gap = palette.regions[at + 1].start - height
            if abs(gap - palette.threshold) < 1e-6 or gap < 1e-6:
                continue  # on the border itself rounding decides
            if gap < palette.threshold:
                following = linear(palette.regions[at + 1].color)
                color = color + palette.factor * (following - color)
        np.testing.assert_allclose(rgba, color, atol=1e-6)


def test_the_tutorial_regions_divide_the_tutorial_map():
    """Its borders are those of the tutorial, whose own colors are brighter than any ground."""
    palette = presets.load_palette("tutorial")
    regions = [
        dataclasses.replace(region, color=color)
        for region, color in zip(palette.regions, TUTORIAL_COLORS, strict=True)
    ]
    palette = dataclasses.replace(palette, regions=regions)
    with (REFERENCE / "tutorial_heightmap.csv").open() as file:
        rows = list(csv.DictReader(file))
    value = np.array([float(row["value"]) for row in rows])
    rgba = palette.colors((value * palette.full_height).astype(np.float32), None, -1, 1)
    expected = np.stack([linear(row["colour"]) for row in rows])
    np.testing.assert_array_equal(rgba, expected)
    assert len(np.unique(expected, axis=0)) >= 5


@pytest.mark.parametrize("name", presets.palette_names())
def test_every_palette_that_comes_along_is_sound(name):
    palette = presets.load_palette(name)
    assert Palette.from_dict(palette.to_dict(), name) == palette
    assert len({region.name for region in palette.regions}) == len(palette.regions)
    assert len({region.start for region in palette.regions}) == len(palette.regions)


def test_there_are_the_promised_palettes():
    promised = {"classic", "tutorial", "alpine", "desert", "volcanic"}
    assert promised <= set(presets.palette_names())


@pytest.mark.parametrize("span", [1e-45, 1e-40, 1e-20, 1e-6])
def test_nearly_flat_terrain_has_colors(span):
    height = np.array([0, span], np.float32)
    rgba = two(blend=0.5, rock_on_slopes=True, rock_fade=1e-300).colors(
        height, np.array([37.9, 38.1], np.float32), 0.0, float(height[1])
    )
    assert np.isfinite(rgba).all()


@pytest.mark.parametrize("measure", ["relative", "signed", "meters"])
def test_the_highest_terrain_there_can_be_has_colors(measure, recwarn):
    height = np.array([-3e38, 0, 3e38], np.float32)
    palette = two(measure=measure, full_height=1e-6, blend=1e-3)
    colors = palette.colors(height, None, -3e38, 3e38)
    np.testing.assert_array_equal(colors[[0, 2], 0], [0, 1])
    assert not recwarn.list


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.2, 0.8, [0, 0, 0.5, 1, 1]), (0.8, 0.2, [1, 1, 0.5, 0, 0]), (0.5, 0.5, [0, 0, 1, 1, 1])],
)
def test_a_mask_mixes_its_color_in(low, high, expected):
    white = Region(based_on="ridge", color="#FFFFFF", low=low, high=high)
    palette = with_regions(two(), white)
    mask = np.array([0, 0.2, 0.5, 0.8, 1], np.float32)
    rgba = palette.colors(np.zeros(5, np.float32), None, 0.0, 1.0, palette.cover({"ridge": mask}))
    np.testing.assert_allclose(rgba[:, 0], expected, atol=1e-6)
    assert (rgba[:, 3] == 1).all()
    assert two().cover({"ridge": mask}) is None
    assert palette.cover({"valley": mask}) is None


masks = st.lists(st.floats(-2, 2, width=32), min_size=1, max_size=20)


@given(masks, st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=1, max_size=5))
def test_each_mask_lies_on_the_last(values, limits):
    """As if the colors were mixed in one after the other, in float64."""
    names = list(FIELDS)
    over = [
        Region(based_on=names[n], color=f"#{40 * n:02X}80FF", low=low, high=high)
        for n, (low, high) in enumerate(limits)
    ]
    mask = np.array(values, np.float32)
    given = {region.field: np.roll(mask, n) for n, region in enumerate(over)}
    height = np.linspace(0, 1, mask.size, dtype=np.float32)
    palette = with_regions(two(blend=1.0), *over)
    made = palette.colors(height, None, 0.0, 1.0, palette.cover(given))
    expected = two(blend=1.0).colors(height, None, 0.0, 1.0).astype(np.float64)
    for region in over:
        weight = region.weight(given[region.field]).astype(np.float64)[:, None]
        expected += weight * (linear(region.color) - expected)
    np.testing.assert_allclose(made, expected, atol=1e-6)


def test_colors_by_masks_follow_those_by_height_in_their_own_order():
    by_field = [Region(based_on="valley", start=-5.0), Region(based_on="ridge", start=-9.0)]
    palette = Palette(regions=(by_field[0], Region(start=1.0), by_field[1], Region(start=0.0)))
    assert [r.start for r in palette.by_height] == [0.0, 1.0]
    assert list(palette.by_field) == by_field and palette.fields == ("valley", "ridge")
    assert Palette.from_dict(palette.to_dict(), "palette") == palette
    assert palette.region_after(by_field[1]).start > 1.0


def test_without_colors_by_height_the_ground_is_gray():
    palette = Palette(regions=(Region.of_field("flow"),))
    made = palette.colors(np.zeros(3, np.float32), None, 0.0, 1.0)
    np.testing.assert_array_equal(made, np.tile(linear("#808080"), (3, 1)))
    assert not palette.region_after(palette.regions[0]).field


@pytest.mark.parametrize("name", FIELDS)
def test_new_colors_by_a_mask_begin_and_end_within_its_values(name):
    region, natural = Region.of_field(name), FIELDS[name].natural
    assert region.low < region.high
    assert not natural or natural[0] < region.low < region.high < natural[1]
    assert region.name == FIELDS[name].label and region.unit_of("low") == FIELDS[name].unit
    assert region.note_on("based_on", 1.0) == FIELDS[name].values


@pytest.mark.filterwarnings("error")
def test_a_mask_has_limits_within_which_its_color_is_a_number():
    for values in ({"low": -1e308}, {"high": 1e308}):
        with pytest.raises(ValueError, match=r"(low|high): .* the (largest|smallest) value"):
            Region.from_dict({"based_on": "flow", **values}, "region")
    height = np.zeros(3, np.float32)
    mask = np.array([-1e6, 0, 1e6], np.float32)
    for low, high in ((-1e7, 1e7), (1e7, -1e7), (0.0, 1.1e-4), (1e7, 1e7)):
        palette = Palette(regions=(Region(), Region(based_on="erosion_depth", low=low, high=high)))
        made = palette.colors(height, None, 0.0, 1.0, palette.cover({"erosion_depth": mask}))
        assert np.isfinite(made).all() and made.min() >= 0 and made.max() <= 1
