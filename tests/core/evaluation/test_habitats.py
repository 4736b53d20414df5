# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields that plants depend on, as fields of any terrain."""

import dataclasses
import itertools

import numpy as np
import pytest

from terrain_addon.core import (
    Bake,
    Cache,
    Climate,
    Layer,
    Palette,
    Recipe,
    Region,
    Water,
    bake,
    evaluate,
    solve,
    solve_fields,
)
from terrain_addon.core.analysis import HABITAT
from terrain_addon.core.analysis.habitat import habitat_grid
from terrain_addon.core.evaluation.stack import below_key, layer_weight, terrain_below
from terrain_addon.core.layers import LAYERS, MASKS
from terrain_addon.core.output.kept_terrain import KeptTerrain
from terrain_addon.core.plants import Habitat
from terrain_addon.core.recipe import grouped

NOISE = Layer.of(LAYERS["fractal_noise"](height=300.0, size=600.0, octaves=3))
EROSION = Layer.of(LAYERS["erosion"](resolution="128"))
HILLS = Recipe(layers=(NOISE,), size_y=800.0)
GRID = HILLS.grid(41)
WINDOW = GRID.window(9, 7, 20, 15)
INSIDE = slice(7, 22), slice(9, 29)


def masked(field, low, high, fade=0.0, **recipe):
    """Hills that are 100 m higher where a habitat field is in a range."""
    mask = MASKS["field"](field=field, low=low, high=high, fade=fade)
    raised = Layer.of(LAYERS["levels"](output_min=100.0, output_max=300.0), masks=(mask,))
    return dataclasses.replace(HILLS, layers=(NOISE, raised), **recipe)


def test_the_grid_of_habitats_is_that_of_the_recipe():
    for size in ((1000.0, 800.0), (123.0, 4567.0), (900.0, 900.0)):
        assert habitat_grid(*size) == Recipe(size_x=size[0], size_y=size[1]).grid(513)


def with_top(recipe):
    return dataclasses.replace(recipe, layers=(*recipe.layers, NOISE))


@pytest.fixture(scope="module")
def hills():
    return evaluate(HILLS, GRID)


def test_a_habitat_is_computed_when_it_is_read():
    terrain = evaluate(HILLS, HILLS.grid(9))
    assert "moisture" in terrain.fields and not terrain.fields.is_made("moisture")
    assert terrain.fields["moisture"].shape == (7, 9) and terrain.fields.is_made("moisture")
    assert not terrain.fields.is_made("sun")


def test_windows_and_resolutions_show_the_same_habitat(hills):
    finer = evaluate(HILLS, HILLS.grid(81))
    known = solve_fields(HILLS, GRID, ["sun", "moisture"], solve(HILLS))
    for name in ("sun", "moisture"):
        whole = hills.fields[name]
        assert np.ptp(whole) > 0.1
        np.testing.assert_array_equal(evaluate(HILLS, WINDOW).fields[name], whole[INSIDE])
        window = evaluate(HILLS, WINDOW, solution=known)
        np.testing.assert_array_equal(window.fields[name], whole[INSIDE])
        np.testing.assert_allclose(finer.fields[name][::2, ::2], whole, atol=1e-6)


def test_a_solution_has_habitats_that_it_was_solved_for(monkeypatch):
    known = solve_fields(HILLS, GRID, ["sun"], solve(HILLS))
    window = evaluate(HILLS, WINDOW, solution=known)
    evaluated = property(lambda _: pytest.fail("the terrain was evaluated"))
    monkeypatch.setattr("terrain_addon.core.evaluation.habitats.Habitats.ground", evaluated)
    assert window.fields["sun"].shape == WINDOW.shape


def test_fields_are_those_of_plants(hills):
    """But for the blur of the spline between samples."""
    habitat = Habitat.of(HILLS)
    on_grid = evaluate(HILLS, habitat.grid)
    assert set(habitat.fields) == {"slope", *HABITAT}
    for name in HABITAT:
        off = np.abs(on_grid.fields[name] - habitat.fields[name])
        assert off.mean() <= 0.02 * max(float(np.ptp(habitat.fields[name])), 1e-6), name


def test_images_and_kept_terrain_have_habitats(hills):
    found = bake(HILLS, GRID, Bake(image="field", field="sun"))
    np.testing.assert_allclose(found.pixels[..., 0], hills.fields["sun"] / 1.5, atol=1e-6)
    kept = KeptTerrain.evaluate(HILLS, GRID, ["sun"], border=2)
    np.testing.assert_array_equal(kept.part(GRID).fields["sun"], hills.fields["sun"])


def test_a_mask_selects_the_habitat_below(hills):
    recipe = masked("sun", 1.0, 9.0)
    sunny = evaluate(recipe, GRID).height - hills.height > 50
    np.testing.assert_array_equal(sunny, hills.fields["sun"] >= 1.0)
    assert 0.1 < sunny.mean() < 0.9
    below = terrain_below(recipe, 1, GRID)
    np.testing.assert_array_equal(below.fields["sun"], hills.fields["sun"])
    window = evaluate(recipe, WINDOW, solution=solve(recipe))
    np.testing.assert_array_equal(window.height, evaluate(recipe, GRID).height[INSIDE])


def test_a_mask_reads_fields_of_layers_below():
    """Rivers of an erosion, which a window of the terrain above need not produce."""
    mask = MASKS["field"](field="river", low=0.5, high=2.0, fade=0.0)
    above = Layer.of(LAYERS["levels"](), masks=(mask,))
    recipe = Recipe(layers=(NOISE, EROSION, above))
    share = layer_weight(recipe, 2, recipe.grid(65)).mean()
    assert 0.001 < share < 0.3
    held = dataclasses.replace(recipe, layers=(NOISE, EROSION, *grouped([above])))
    plain, grid = evaluate(recipe, recipe.grid(33)), recipe.grid(33)
    np.testing.assert_array_equal(evaluate(held, grid).height, plain.height)
    assert plain.fields["river"].max() > 0.5


def test_masks_follow_climate_sea_and_snow_through_a_cache():
    snow = Palette(regions=(Region(color="#101010"), Region(name="Snow", start=0.7)))
    cache, grid = Cache(), HILLS.grid(17)
    asked = masked("temperature", 8.0, 99.0)
    warm = Climate(temperature=20.0)
    found = [
        evaluate(recipe, grid, cache=cache).height
        for recipe in (
            asked,
            dataclasses.replace(asked, climate=warm),
            dataclasses.replace(asked, climate=dataclasses.replace(warm, height=-2000.0)),
            dataclasses.replace(asked, water=Water(show=True, level=800.0)),
            dataclasses.replace(asked, palette=snow),
        )
    ]
    for one, other in itertools.pairwise(found):
        assert np.abs(one - other).max() > 50
    north, south = (
        evaluate(masked("sun", 1.0, 9.0, climate=Climate(latitude=at)), grid, cache=cache).height
        for at in (47.0, -47.0)
    )
    assert np.abs(north - south).max() > 50


def test_terrain_without_a_habitat_mask_ignores_the_climate():
    warm = dataclasses.replace(HILLS, climate=Climate(temperature=30.0))
    assert warm.read_by_layers == HILLS.read_by_layers
    asked = masked("sun", 1.0, 9.0)
    other = dataclasses.replace(asked, climate=warm.climate)
    assert other.read_by_layers != asked.read_by_layers
    keys = [below_key(one, 2) for one in (with_top(asked), with_top(other))]
    assert keys[0] != keys[1] and below_key(asked, 1) == below_key(other, 1)


def test_a_climate_is_part_of_json_only_where_there_is_one():
    assert '"climate"' not in HILLS.to_json()
    warm = dataclasses.replace(HILLS, climate=Climate(temperature=21.5, latitude=-3.0))
    assert Recipe.from_json(warm.to_json()) == warm
    with pytest.raises(ValueError, match=r"recipe\.climate\.latitude"):
        Recipe.from_dict({"climate": {"latitude": 91.0}})


def test_seamless_terrain_refuses_a_habitat_mask():
    with pytest.raises(ValueError, match="cannot be seamless"):
        evaluate(masked("sun", 1.0, 9.0, seamless=True), GRID)
