# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups with colors of their own: meshes, windows, bakes and exports agree."""

import dataclasses

import numpy as np
import pytest

from terrain_addon.core import (
    Bake,
    Cache,
    FractalNoise,
    HeightMask,
    Hills,
    Layer,
    Palette,
    Recipe,
    Region,
    Smooth,
    bake,
    evaluate,
)
from terrain_addon.core.evaluation import LayerTimes
from terrain_addon.core.evaluation.stack import layer_weight
from terrain_addon.core.output.coloring import evaluate_colored
from terrain_addon.core.output.exports.weights import layer_names, weights
from terrain_addon.core.output.window_colors import colored_window
from terrain_addon.core.recipe import grouped

GRASS = Palette(
    regions=[Region(name="Grass", color="#507030"), Region(name="Snow", start=0.7)],
    rock_on_slopes=True,
)
SAND = Palette(
    measure="meters",
    regions=[Region(name="Sand", color="#D9C79B"), Region(name="Red", start=20.0, color="#A04020")],
    rock_on_slopes=True,
    rock_slope=10.0,
)
MASKS = (HeightMask(low=0.0, high=60.0, fade=30.0),)
DESERT = grouped([Hills(height=20.0)], masks=MASKS, opacity=0.8, palette=SAND, name="Desert")


def of(*layers, **common):
    ground = Layer.of(FractalNoise(height=120.0, size=400.0))
    size = {"size_x": 800.0, "size_y": 600.0}
    return Recipe(seed=4, layers=(ground, *layers), palette=GRASS, **size, **common)


RECIPE = of(*DESERT)


@pytest.mark.parametrize("material", ["simple", "natural"])
def test_colors_of_a_group_show_where_it_acts(material):
    recipe = dataclasses.replace(RECIPE, material=material)
    grid = recipe.grid(40)
    terrain, coloring = evaluate_colored(recipe, grid)
    slope, ends = terrain.fields["slope"], terrain.range
    weight = layer_weight(recipe, 2, grid)[..., None] * np.float32(0.8)
    outside, inside = (one.colors(terrain.height, slope, *ends) for one in (GRASS, SAND))
    np.testing.assert_allclose(coloring.colors, outside + (inside - outside) * weight, atol=1e-6)
    assert 0.1 < weight.mean() < 0.7
    if coloring.surfaces is not None:
        np.testing.assert_allclose(coloring.surfaces.sum((0, 3)), 1, atol=1e-6)


def test_colors_by_fields_lie_on_top():
    white = Region(based_on="slope", low=0.0, high=0.0, color="#FFFFFF")
    palette = dataclasses.replace(GRASS, regions=(*GRASS.regions, white))
    recipe = dataclasses.replace(RECIPE, palette=palette)
    colors = evaluate_colored(recipe, recipe.grid(20))[1].colors
    np.testing.assert_allclose(colors, 1)


def test_what_grows_by_fields_gives_way_to_groups():
    everywhere = grouped([Smooth()], palette=SAND)
    shown = []
    for regions in ((), (Region(name="Wood", based_on="slope", low=-1.0, high=0.0),)):
        palette = dataclasses.replace(GRASS, regions=(*GRASS.regions, *regions))
        recipe = dataclasses.replace(of(*everywhere), palette=palette, material="natural")
        coloring = evaluate_colored(recipe, recipe.grid(20))[1]
        pixels = bake(recipe, recipe.pixel_grid(20), Bake(image="color")).pixels
        shown.append((coloring.colors, coloring.surfaces, pixels))
    for with_wood, without in zip(*shown, strict=True):
        np.testing.assert_allclose(with_wood, without, atol=1e-6)


def test_windows_and_bakes_have_the_colors_of_the_mesh():
    grid = RECIPE.pixel_grid(40)
    terrain, coloring = evaluate_colored(RECIPE, grid)
    window = grid.window(7, 5, 20, 18)
    part = colored_window(RECIPE, window, terrain.range)[1]
    np.testing.assert_array_equal(part.colors, coloring.colors[5:23, 7:27])
    assert part.surfaces is not None and coloring.surfaces is not None
    np.testing.assert_array_equal(part.surfaces, coloring.surfaces[:, 5:23, 7:27])
    pixels = bake(RECIPE, grid, Bake(image="color")).pixels
    inside = slice(1, -1)  # slopes at the border of a mesh are one-sided
    np.testing.assert_allclose(pixels[inside, inside], coloring.colors[inside, inside], atol=1e-6)


def test_weights_of_exports_hold_the_colors_of_groups():
    grid = RECIPE.grid(30)
    terrain = evaluate(RECIPE, grid)
    names = layer_names(RECIPE.colors, ())
    assert names == [*("grass", "snow", "rock-on-slopes", "sand", "red", "rock-on-slopes-2")]
    fields = {name: terrain.fields[name] for name in RECIPE.colors.fields}
    slope, ends = terrain.fields["slope"], terrain.range
    shares = weights(RECIPE.colors, terrain.height, slope, fields, ends, ())
    np.testing.assert_allclose(shares.sum(-1), 1, atol=1e-6)
    area = layer_weight(RECIPE, 2, grid) * np.float32(0.8)
    np.testing.assert_allclose(shares[..., 3:].sum(-1), area, atol=1e-6)


def test_areas_of_nested_groups_are_weighed_by_the_outer_one():
    inner = grouped([Smooth()], opacity=0.5, palette=SAND)
    recipe = of(*grouped(inner, opacity=0.5, palette=GRASS))
    fields = evaluate(recipe, recipe.grid(9)).fields
    np.testing.assert_array_equal(fields["group_1"], 0.25)
    np.testing.assert_array_equal(fields["group_2"], 0.5)


def test_other_colors_evaluate_nothing_again():
    cache, other = Cache(), dataclasses.replace(SAND, rock_slope=50.0)
    changed = of(*DESERT[:1], dataclasses.replace(DESERT[1], palette=other))
    times = LayerTimes()
    for recipe, watch in ((RECIPE, None), (changed, times)):
        evaluate_colored(recipe, recipe.grid(20), cache=cache, times=watch)
    assert not times.here


def test_colors_of_groups_that_are_off_do_not_show():
    off = of(DESERT[0], dataclasses.replace(DESERT[1], enabled=False))
    plain = of()
    expected = evaluate_colored(plain, plain.grid(20))[1].colors
    np.testing.assert_array_equal(evaluate_colored(off, off.grid(20))[1].colors, expected)


def test_colors_of_groups_survive_json_and_mistakes_are_named():
    assert Recipe.from_json(RECIPE.to_json()) == RECIPE
    group = {"kind": "group", "palette": {"regions": []}, "layers": []}
    with pytest.raises(ValueError, match=r"recipe.layers\[0\].palette.regions: there must be 1"):
        Recipe.from_dict({"layers": [group]})
    with pytest.raises(ValueError, match=r"recipe.layers\[0\].palette: unknown setting"):
        Recipe.from_dict({"layers": [{"kind": "smooth", "palette": {}}]})
    with pytest.raises(ValueError, match="palette: only a group has colors of its own"):
        Layer.of(Smooth(), palette=SAND)
    with pytest.raises(ValueError, match="palette: a group has colors by height and rock"):
        Layer.of(DESERT[1].settings, palette=dataclasses.replace(SAND, image="Aerial"))
    with pytest.raises(ValueError, match="at most 16 groups have colors of their own"):
        of(*(layer for _ in range(17) for layer in DESERT))
