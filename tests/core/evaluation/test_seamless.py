# SPDX-License-Identifier: GPL-3.0-or-later
"""A seamless terrain: copies of it tile."""

import dataclasses

import numpy as np
import pytest

from terrain_addon.core import Grid, Layer, Map, Recipe, Shape, evaluate
from terrain_addon.core.layers import LAYERS, MASKS

SIZE = {"size_x": 1000.0, "size_y": 750.0}
SHAPE = Shape.of("S", [[(-300, -200), (450, 480), (700, 520)]])
MAP = Map("M", np.random.default_rng(1).random((20, 20)).astype(np.float32))
GROUND = Layer.of(LAYERS["fractal_noise"](height=200.0, octaves=5))
REFUSED = ("river", "lake", "road", "erosion")


def recipe_with(key: str) -> Recipe:
    sources = {"source": "S", "places": "S"} | (
        {"source": "M"} if key in ("height_map", "stamp") else {}
    )
    names = {field.name for field in dataclasses.fields(LAYERS[key])}
    kind = LAYERS[key](**{name: value for name, value in sources.items() if name in names})
    layers = (GROUND, Layer.of(kind))
    return Recipe(layers=layers, seamless=True, shapes=(SHAPE,), maps=(MAP,), **SIZE)


def creases(height: np.ndarray, axis: int) -> float:
    """Return the second difference across the border over that inside, along an axis."""
    period = np.moveaxis(height, axis, 0)[:-1]
    bends = np.abs(np.diff(np.concatenate([period, period]), 2, axis=0)).mean(1)
    return float(bends[len(period) - 2 : len(period)].max() / bends.max())


@pytest.mark.parametrize("key", [key for key in LAYERS if key not in REFUSED])
def test_opposite_borders_of_every_layer_are_the_same_bits(key: str) -> None:
    recipe = recipe_with(key)
    grid = recipe.grid((65, 49))
    height = evaluate(recipe, grid).height
    assert np.array_equal(height[0], height[-1])
    assert np.array_equal(height[:, 0], height[:, -1])
    assert creases(height, 0) <= 1.0 and creases(height, 1) <= 1.0
    window = evaluate(recipe, grid.window(40, 30, 40, 30)).height
    assert np.array_equal(window[:19, :25], height[30:, 40:])
    assert np.array_equal(window[18:, 24:], height[:12, :16])


@pytest.mark.parametrize("key", [key for key in MASKS if not MASKS[key]().whole])
def test_masks_continue_across_the_border(key: str) -> None:
    mask = MASKS[key]()
    names = {field.name for field in dataclasses.fields(mask)}
    source = {"map": "M"} if "map" in names else {"source": "M"} if key == "map" else {}
    mask = dataclasses.replace(mask, **{k: v for k, v in source.items() if k in names})
    raised = Layer.of(LAYERS["waves"](), masks=(mask,))
    recipe = Recipe(layers=(GROUND, raised), seamless=True, shapes=(SHAPE,), maps=(MAP,), **SIZE)
    height = evaluate(recipe, recipe.grid((65, 49))).height
    assert creases(height, 0) <= 1.0 and creases(height, 1) <= 1.0


def test_a_layer_that_ends_at_the_border_says_so() -> None:
    with pytest.raises(ValueError, match="'River' cannot be seamless: a drawn river ends at the"):
        evaluate(recipe_with("river"), Grid.points(*SIZE.values(), 9, 9))


def test_fields_continue_across_the_border() -> None:
    recipe = Recipe(layers=(GROUND,), seamless=True, **SIZE)
    grid = recipe.grid((65, 49))
    around = evaluate(recipe, grid.padded(20)).fields
    for name in ("slope", "hillshade", "sky_view", "convexity_medium"):
        field = evaluate(recipe, grid).fields[name]
        assert np.array_equal(field, around[name][20:-20, 20:-20]), name
        assert np.array_equal(field[:, 0], field[:, -1])


def test_pixels_of_an_image_tile() -> None:
    recipe = recipe_with("gullies")
    grid = recipe.pixel_grid((64, 48))
    height = evaluate(recipe, grid).height
    beyond = evaluate(recipe, grid.padded(2)).height
    assert np.array_equal(beyond[2:-2, :2], height[:, -2:])
