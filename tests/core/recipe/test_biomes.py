# SPDX-License-Identifier: GPL-3.0-or-later
"""The biomes of the extension, on terrains that they were not made for."""

import dataclasses
from functools import cache

import numpy as np
import pytest

from terrain_addon.core import MASKS, Cache, FractalNoise, Layer, Plates, Recipe, Water, evaluate
from terrain_addon.core.evaluation.stack import layer_weight
from terrain_addon.core.recipe import biomes

SIDES = 97
ON_PLAINS = ("desert", "dunes", "farmland", "forest", "wetland")
ON_MOUNTAINS = ("alpine_meadow", "forest", "scree")


@cache
def ground(size, height):
    """A recipe, its heights, and a cache that has them."""
    noise = FractalNoise(size=size / 2, height=height, octaves=7, seed=3)
    recipe, cache = Recipe(size_x=size, size_y=size, layers=(noise,)), Cache()
    return recipe, evaluate(recipe, recipe.grid(SIDES), cache=cache), cache


def with_biome(recipe, name, heights, **common):
    layers = biomes.biome(name, recipe.size_x, recipe.size_y, heights, **common)
    return dataclasses.replace(recipe, layers=(*recipe.layers, *layers))


@pytest.mark.parametrize(
    ("name", "size", "height"),
    [
        *((name, 1500.0, 30.0) for name in ON_PLAINS),
        *((name, 12000.0, 3000.0) for name in ON_MOUNTAINS),
    ],
)
def test_a_biome_changes_the_ground_where_it_belongs_and_no_other(name, size, height):
    recipe, below, cache = ground(size, height)
    added = with_biome(recipe, name, below.range)
    grid = recipe.grid(SIDES)
    above = evaluate(added, grid, cache=cache)
    place = len(added.layers) - 1
    weight = layer_weight(added, place, grid, cache=cache)
    changed = above.height != below.height
    assert changed.mean() > 0.02, "it finds no place"
    np.testing.assert_array_equal(changed & (weight == 0), False)
    # No cliffs or holes: it reworks the ground by a small part of its extent.
    assert np.abs(above.height - below.height).max() < 0.02 * size
    assert any(field.any() for key, field in above.fields.items() if key.startswith("group_"))


@pytest.mark.parametrize("name", biomes.names())
def test_a_biome_leaves_the_sea_and_its_shore(name):
    recipe, below, _ = ground(1500.0, 300.0)
    recipe = dataclasses.replace(recipe, water=Water(show=True, level=0.0))
    added = with_biome(recipe, name, below.range, sea=0.0)
    sea = below.height < 0
    assert sea.any()
    above = evaluate(added, recipe.grid(SIDES))
    np.testing.assert_array_equal(above.height[sea], below.height[sea])


def test_lengths_grow_less_than_the_terrain():
    near, far = (biomes.biome("dunes", size, size)[1].settings.size for size in (500.0, 32000.0))
    assert far / near == pytest.approx(16.0)


def test_masks_by_height_follow_the_heights():
    (mask,) = (
        one
        for one in biomes.biome("scree", 2000.0, 2000.0, (-100.0, 1900.0))[-1].masks
        if one.key == "height"
    )
    written = biomes.biome("scree", 2000.0, 2000.0)[-1].masks[0]
    assert (mask.low, mask.fade) == (-100 + 2 * written.low, 2 * written.fade)


def test_an_unknown_biome_is_named():
    with pytest.raises(ValueError, match="There is no preset named 'moor'; there are alpine"):
        biomes.biome("moor", 100.0, 100.0)


def masked(mask, seamless=False):
    layer = Layer.of(FractalNoise(height=40.0, size=90.0), masks=(mask,))
    base = FractalNoise(height=120.0, size=500.0, seed=2)
    return Recipe(layers=(base, layer), seamless=seamless)


def test_a_mean_of_slopes_is_the_slope_mask_without_narrow_places():
    grid = Recipe().grid(129)
    narrow, broad = (
        layer_weight(masked(MASKS["slope"](high=8.0, fade=8.0, radius=radius)), 1, grid)
        for radius in (0.0, 120.0)
    )
    assert 0 < broad.mean() < 1
    rough, smooth = (np.abs(np.diff(one)).max() for one in (narrow, broad))
    assert smooth < rough / 2
    window = grid.window(40, 30, 50, 60)
    part = layer_weight(masked(MASKS["slope"](high=8.0, fade=8.0, radius=120.0)), 1, window)
    np.testing.assert_array_equal(part, broad[30:90, 40:90])


def test_cells_are_those_of_plates():
    """Each plate is in or out as a whole, by its height, which is its random number."""
    cells = {"size": 150.0, "seed": 4, "jitter": 0.7, "rotation": 30.0, "warp_amount": 20.0}
    grid = Recipe().grid(129)
    plates = evaluate(Recipe(layers=(Plates(height=1.0, bevel=0.0, **cells),)), grid).height
    chosen = MASKS["cells"](low=0.2, high=0.6, softness=0.0, **cells)
    weight = layer_weight(masked(chosen), 1, grid)
    np.testing.assert_array_equal(weight, (plates >= 0.2) & (plates <= 0.6))
    assert 0.2 < weight.mean() < 0.6


def test_cells_repeat_on_a_seamless_terrain():
    grid = Recipe().grid(65)
    weight = layer_weight(masked(MASKS["cells"](), seamless=True), 1, grid)
    np.testing.assert_array_equal(weight[:, 0], weight[:, -1])
    np.testing.assert_array_equal(weight[0], weight[-1])
