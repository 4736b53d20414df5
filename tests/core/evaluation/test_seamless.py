# SPDX-License-Identifier: GPL-3.0-or-later
"""A seamless terrain: copies of it tile."""

import dataclasses

import numpy as np
import pytest

from terrain_addon.core import Grid, Layer, Map, Recipe, Shape, Water, evaluate, solve
from terrain_addon.core.evaluation import terrain_below
from terrain_addon.core.hydrology import accumulate, route
from terrain_addon.core.hydrology.d8 import NONE
from terrain_addon.core.layers import LAYERS, MASKS

SIZE = {"size_x": 1000.0, "size_y": 750.0}
SHAPE = Shape.of("S", [[(-300, -200), (450, 480), (700, 520)]])
MAP = Map("M", np.random.default_rng(1).random((20, 20)).astype(np.float32))
GROUND = Layer.of(LAYERS["fractal_noise"](height=200.0, octaves=5))
REFUSED = ("river", "lake", "road", "lava_flows")


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
        evaluate(recipe_with("river"), Grid.points(1000.0, 750.0, 9, 9))


def test_fields_continue_across_the_border() -> None:
    recipe = Recipe(layers=(GROUND,), seamless=True, **SIZE)
    grid = recipe.grid((65, 49))
    around = evaluate(recipe, grid.padded(20)).fields
    below = terrain_below(dataclasses.replace(recipe, layers=(GROUND, GROUND)), 1, grid).fields
    for name in ("slope", "hillshade", "sky_view", "convexity_medium"):
        field = evaluate(recipe, grid).fields[name]
        assert np.array_equal(field, around[name][20:-20, 20:-20]), name
        assert np.array_equal(field[:, 0], field[:, -1])
        assert np.array_equal(field, below[name]), name


def test_pixels_of_an_image_tile() -> None:
    recipe = recipe_with("gullies")
    grid = recipe.pixel_grid((64, 48))
    height = evaluate(recipe, grid).height
    beyond = evaluate(recipe, grid.padded(2)).height
    assert np.array_equal(beyond[2:-2, :2], height[:, -2:])


EROSIONS = {
    "uplift": {"rivers": 1.0, "rock_hardness_variation": 0.5, "rainfall_variation": 0.5},
    "plateau": {"type": "plateau", "bed_contrast": 0.5, "strata_contrast": 0.7, "fans": 1.0},
    "keep": {"type": "keep", "fill_pits": True},
    "sea": {"sea": True, "fill_pits": True},
}


def eroded(how: str, **size: float) -> Recipe:
    erosion = Layer.of(LAYERS["erosion"](resolution="128", **EROSIONS[how]))
    water = Water(level=-20.0)
    return Recipe(layers=(GROUND, erosion), water=water, seamless=True, **(size or SIZE))


@pytest.mark.parametrize("how", EROSIONS)
def test_opposite_borders_are_the_same_bits_after_erosion(how: str) -> None:
    recipe = eroded(how, size_x=3000.0, size_y=2000.0)
    solution = solve(recipe)
    grid = recipe.grid((97, 65))
    terrain = evaluate(recipe, grid, solution=solution)
    height, flow = terrain.height, terrain.fields["flow"]
    assert np.array_equal(height[0], height[-1])
    assert np.array_equal(height[:, 0], height[:, -1])
    assert np.array_equal(flow[:, 0], flow[:, -1])
    assert creases(height, 0) < 1.0 and creases(height, 1) < 1.0
    window = evaluate(recipe, grid.window(80, 50, 40, 40), solution=solution).height
    assert np.array_equal(window[:15, :17], height[50:, 80:])
    assert np.array_equal(window[14:, 16:], height[:26, :24])


def test_rivers_cross_the_border() -> None:
    """The ground is the same wherever the border lies: moved by half of the extent, water goes the
    same way, so the border is no place of its own."""
    height = np.random.default_rng(3).random((24, 32)).astype(np.float32)
    outlets = height == height.min()
    moved = (12, 16), (0, 1)
    tree = route(height, outlets, wraps=True)
    other = route(np.roll(height, *moved), np.roll(outlets, *moved), wraps=True)
    assert np.array_equal(np.roll(tree.directions, *moved), other.directions)
    area = accumulate(tree, 1.0)
    assert area.max() == height.size
    assert np.array_equal(np.roll(area, *moved), accumulate(other, 1.0))


def test_no_outlet_lies_at_the_border() -> None:
    """Without a sea, all water of a terrain without borders ends in its lowest hollows."""
    part = next(iter(solve(eroded("uplift")).parts.values()))
    ends = part.drainage.directions == NONE
    assert ends.sum() < 20
    flows = part.drainage.area[[0, -1]]
    assert flows.max() > 10 * part.drainage.spacing**2


def test_glaciers_say_that_they_end_at_the_border() -> None:
    layers = (GROUND, Layer.of(LAYERS["erosion"](resolution="128", glaciers=True)))
    with pytest.raises(ValueError, match="'Erosion' cannot be seamless: its glaciers end"):
        solve(Recipe(layers=layers, seamless=True))


def test_held_rivers_repeat() -> None:
    recipe = eroded("uplift", size_x=3000.0, size_y=3000.0).holding_rivers()
    ground, erosion = recipe.layers
    higher = dataclasses.replace(ground.settings, height=260.0)
    layers = (dataclasses.replace(ground, settings=higher), erosion)
    recipe = dataclasses.replace(recipe, layers=layers)
    height = evaluate(recipe, recipe.grid(65)).height
    assert np.array_equal(height[0], height[-1])
    assert creases(height, 0) < 1.0 and creases(height, 1) < 1.0
