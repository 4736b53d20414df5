# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups: layers that share masks, an opacity and a blend mode."""

import dataclasses

import numpy as np
import pytest

from terrain_addon.core import (
    Cache,
    Erosion,
    FractalNoise,
    HeightMask,
    Hills,
    Lake,
    Layer,
    Recipe,
    River,
    Shape,
    SlopeMask,
    Smooth,
    Snow,
    Terrace,
    evaluate,
    solve,
)
from terrain_addon.core.analysis import HABITAT
from terrain_addon.core.evaluation import LayerTimes
from terrain_addon.core.evaluation.stack import layer_weight
from terrain_addon.core.layers.blend import BLENDS
from terrain_addon.core.recipe import grouped, rescale
from terrain_addon.core.shapes import CLOSED

NOISE = Layer.of(FractalNoise(height=120.0, size=600.0))
MEMBERS = (Layer.of(Hills(height=25.0, seed=9)), Layer.of(Smooth(radius=20.0)))
MASKS = (HeightMask(low=0.0, high=60.0, fade=30.0),)
TOP = Layer.of(Smooth(radius=15.0))
ERODED = (Layer.of(Hills(height=25.0)), Layer.of(Erosion(resolution="128")))


def of(*layers, **common):
    return Recipe(seed=4, size_x=800.0, size_y=600.0, layers=layers, **common)


def heights(recipe, points=40, **options):
    return evaluate(recipe, recipe.grid(points), **options).height


def test_a_group_without_masks_equals_its_layers():
    grid = of().grid(40)
    plain = evaluate(of(NOISE, *ERODED, TOP), grid)
    held = evaluate(of(NOISE, *grouped(ERODED), TOP), grid)
    np.testing.assert_array_equal(held.height, plain.height)
    for name in Erosion.produces:
        np.testing.assert_array_equal(held.fields[name], plain.fields[name])


@pytest.mark.parametrize("blend", BLENDS)
def test_a_group_is_blended_with_the_terrain_it_began_on(blend):
    recipe = of(NOISE, *grouped(MEMBERS, masks=MASKS, opacity=0.7, blend=blend))
    grid = recipe.grid(40).with_margin(4, 800.0, 600.0)
    below, inside = (evaluate(of(*layers), grid).height for layers in ((NOISE,), (NOISE, *MEMBERS)))
    weight = layer_weight(recipe, 3, grid) * np.float32(0.7)
    expected = (BLENDS[blend][2](below, inside) - below) * weight + below
    np.testing.assert_array_equal(evaluate(recipe, grid).height, expected)
    assert 0 < weight.mean() < 0.7


def test_masks_of_a_group_read_the_terrain_below_it():
    recipe = of(NOISE, *grouped(MEMBERS, masks=MASKS))
    alone = of(NOISE, dataclasses.replace(TOP, masks=MASKS))
    grid = recipe.grid(30)
    expected = layer_weight(alone, 1, grid)
    np.testing.assert_array_equal(layer_weight(recipe, 3, grid), expected)


def test_a_group_of_one_layer_equals_that_layer_with_the_masks():
    """Fields in meters add up, others replace those below, as those of a single layer do."""
    snow = Layer.of(Snow(line=0.0))
    grid = of().grid(30)
    single = evaluate(of(NOISE, *ERODED, dataclasses.replace(snow, masks=MASKS, opacity=0.5)), grid)
    held = evaluate(of(NOISE, *ERODED, *grouped([snow], masks=MASKS, opacity=0.5)), grid)
    np.testing.assert_array_equal(held.height, single.height)
    for name in {*single.fields} - {*HABITAT}:
        np.testing.assert_allclose(held.fields[name], single.fields[name], atol=1e-5)


NESTED = of(
    NOISE,
    *grouped(
        [*grouped(MEMBERS, masks=(SlopeMask(),)), *ERODED, *grouped([TOP], opacity=0.5)],
        masks=MASKS,
        opacity=0.9,
    ),
    TOP,
)


def test_windows_of_nested_groups_have_the_bits_of_the_whole():
    grid, solution = NESTED.grid(80), solve(NESTED)
    whole = evaluate(NESTED, grid)
    for window in (grid.window(0, 0, 25, 20), grid.window(30, 21, 50, 39)):
        part = evaluate(NESTED, window, solution=solution)
        rows = slice(window.j0, window.j0 + window.ny)
        columns = slice(window.i0, window.i0 + window.nx)
        np.testing.assert_array_equal(part.height, whole.height[rows, columns])
        for name in Erosion.produces:
            np.testing.assert_array_equal(part.fields[name], whole.fields[name][rows, columns])


def test_a_nested_group_is_part_of_the_outer_one():
    """Its masks read the terrain of the outer group so far."""
    inner = of(NOISE, MEMBERS[0], *grouped([TOP], masks=(SlopeMask(),)))
    outer = of(NOISE, *grouped([MEMBERS[0], *grouped([TOP], masks=(SlopeMask(),))]))
    np.testing.assert_array_equal(heights(outer), heights(inner))


@pytest.mark.parametrize("off", [{"enabled": False}, {"opacity": 0.0}])
def test_a_group_that_is_off_takes_its_layers_with_it(off):
    recipe = of(NOISE, *grouped([*grouped(MEMBERS), *ERODED], **off), TOP)
    np.testing.assert_array_equal(heights(recipe), heights(of(NOISE, TOP)))
    assert recipe.active_places == {0, 7}
    assert not solve(recipe).parts


@pytest.mark.parametrize("blend", ["replace", "add"])
def test_a_group_without_layers_does_nothing(blend):
    muted = dataclasses.replace(TOP, enabled=False)
    recipe = of(NOISE, *grouped([muted], blend=blend), *grouped([], blend=blend))
    np.testing.assert_array_equal(heights(recipe), heights(of(NOISE)))


def test_the_weight_of_what_is_off_is_what_it_would_be():
    recipe = of(NOISE, *grouped([MEMBERS[0], *grouped([], masks=MASKS)], enabled=False))
    grid = recipe.grid(20)
    on = of(NOISE, MEMBERS[0], dataclasses.replace(TOP, masks=MASKS))
    np.testing.assert_array_equal(layer_weight(recipe, 2, grid), layer_weight(on, 2, grid))


def test_a_cache_of_any_size_gives_the_same():
    """Where the terrain that an open group began on is gone, it is evaluated again."""
    inner = grouped([TOP, *MEMBERS[:1]], opacity=0.5)
    recipe = of(NOISE, *grouped([*MEMBERS, *inner], masks=MASKS), TOP)
    layers = list(recipe.layers)
    layers[-2] = dataclasses.replace(layers[-2], opacity=0.3)
    changed = dataclasses.replace(recipe, layers=tuple(layers))
    for most in (1, 2, 3, 24):
        cache = Cache(most=most)
        for one in (recipe, changed):
            np.testing.assert_array_equal(heights(one, 20, cache=cache), heights(one, 20))


def evaluated(recipe, cache):
    times = LayerTimes()
    heights(recipe, cache=cache, times=times)
    return set(times.here)


def test_a_change_evaluates_only_what_is_above_it():
    recipe, cache = of(NOISE, *grouped(MEMBERS, masks=MASKS), TOP), Cache()
    assert evaluated(recipe, cache) == {0, 1, 2, 3, 4}
    layers = list(recipe.layers)
    layers[3] = dataclasses.replace(layers[3], opacity=0.5)
    assert evaluated(dataclasses.replace(recipe, layers=tuple(layers)), cache) == {3, 4}
    layers[2] = Layer.of(Smooth(radius=5.0))
    assert evaluated(dataclasses.replace(recipe, layers=tuple(layers)), cache) == {2, 3, 4}


def test_a_change_of_masks_solves_nothing_again():
    recipe, cache = of(NOISE, *grouped(ERODED, masks=MASKS)), Cache()
    heights(recipe, cache=cache)
    known = list(solve(recipe).parts)
    other = of(NOISE, *grouped(ERODED, opacity=0.4))
    assert list(solve(other, cache=cache).parts) == known


def test_what_is_solved_above_a_group_depends_on_what_it_holds():
    """The same entries, of which the group holds one or two."""
    first, second, *_ = (NOISE, *MEMBERS)
    keys = [
        set(solve(of(*layers, Layer.of(Erosion(resolution="128")))).parts)
        for layers in (
            (first, second, *grouped([TOP], opacity=0.5)),
            (first, *grouped([second, TOP], opacity=0.5)),
        )
    ]
    assert not keys[0] & keys[1]


LAKE = Layer.of(Lake(source="Shore"))
SHORE = Shape.of("Shore", [[(-90, -80), (80, -90), (70, 90), (-80, 70)]], CLOSED)


def test_a_lake_in_a_group_is_kept_by_erosion_above():
    erosion = ERODED[1]
    plain = of(NOISE, LAKE, erosion, TOP, shapes=(SHORE,))
    held = of(NOISE, *grouped([LAKE]), erosion, TOP, shapes=(SHORE,))
    np.testing.assert_array_equal(heights(held), heights(plain))
    split = of(NOISE, *grouped([MEMBERS[0], LAKE]), erosion, TOP, shapes=(SHORE,))
    assert [layer.name for layer in split.active] == [
        *("Fractal Noise", "Hills", "Group", "Erosion", "Lake", "Group", "Smooth")
    ]


def test_erosion_follows_a_river_in_a_group():
    stream = Shape.of("Stream", [[(-400, 30, 0), (0, 60, 0), (400, 0, 0)]])
    river, erosion = Layer.of(River(source="Stream")), ERODED[1]
    plain = of(NOISE, river, erosion, shapes=(stream,))
    held = of(NOISE, *grouped([river]), erosion, shapes=(stream,))
    np.testing.assert_array_equal(heights(held), heights(plain))


def test_a_scaled_group_has_the_same_form():
    recipe = of(NOISE, *grouped(MEMBERS, masks=MASKS))
    np.testing.assert_allclose(heights(rescale(recipe, 2.0)), 2 * heights(recipe), rtol=1e-6)


def test_heights_that_are_too_large_are_reported():
    high = Layer.of(Hills(height=1e5))
    power = dataclasses.replace(high, blend="multiply")
    recipe = of(high, *grouped([power] * 7, blend="multiply", name="Tower"))
    with pytest.raises(ValueError, match="too large"):
        heights(recipe)


def test_terraces_in_a_group_show_where_it_acts():
    recipe = of(NOISE, *grouped([Layer.of(Terrace())], masks=MASKS))
    change = heights(recipe) != heights(of(NOISE))
    weight = layer_weight(recipe, 2, recipe.grid(40))
    assert change[weight > 0.1].mean() > 0.9 and not change[weight == 0].any()
