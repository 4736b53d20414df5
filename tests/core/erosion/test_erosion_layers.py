# SPDX-License-Identifier: GPL-3.0-or-later
"""The layers as recipes use them: windows, resolutions, seeds, masks, cancelling."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from terrain_addon.core import Cache, Cancelled, Map, Recipe, evaluate
from terrain_addon.core.erosion.rivers.settings import FluvialSettings
from terrain_addon.core.erosion.rivers.solver import drain
from terrain_addon.core.erosion.surface import fields
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.layers.shape.erosion import erosion
from tests.core.erosion.lands import EXTENT, axis, hills

KINDS = ("erosion", "gullies", "thermal_erosion", "snow", "strata", "coast")
GROUND = {"kind": "fractal_noise", "settings": {"size": 500.0, "height": 200.0, "octaves": 6}}


def recipe(kind, size=(1000.0, 700.0), **settings):
    usual = {"erosion": {"resolution": "128"}, "snow": {"line": 0.0}}
    settings = {**usual.get(kind, {}), **settings}
    layers = [GROUND, {"kind": kind, "settings": settings}]
    return Recipe.from_dict({"schema": 1, "size_x": size[0], "size_y": size[1], "layers": layers})


@pytest.mark.parametrize("kind", KINDS)
def test_windows_of_a_grid_fit_together(kind):
    made = recipe(kind)
    grid = made.grid(150)
    whole = evaluate(made, grid)
    for i, j, columns, rows in ((31, 20, 70, 50), (120, 3, 20, 15)):
        part, there = (
            evaluate(made, grid.window(i, j, columns, rows)),
            np.s_[j : j + rows, i : i + columns],
        )
        assert_array_equal(part.height, whole.height[there])
        for name in LAYERS[kind].produces:
            assert_array_equal(part.fields[name], whole.fields[name][there])


@pytest.mark.parametrize("kind", KINDS)
def test_layers_change_the_land_and_go_through_json(kind):
    made = recipe(kind)
    assert Recipe.from_json(made.to_json()) == made
    before = evaluate(Recipe.from_dict({**made.to_dict(), "layers": [GROUND]}), made.grid(100))
    after = evaluate(made, made.grid(100))
    assert after.height.dtype == np.float32
    assert not np.array_equal(before.height, after.height)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(2, 2), (2, 40), (33, 3)])
def test_small_grids(kind, shape):
    made = recipe(kind)
    assert np.isfinite(evaluate(made, made.grid(shape)).height).all()


def test_preview_and_bake_show_the_same_valleys():
    made = recipe("erosion", size=(1000.0, 1000.0))
    preview = evaluate(made, made.grid(129)).height
    bake = evaluate(made, made.grid(513)).height[::4, ::4]
    assert np.corrcoef(preview.ravel(), bake.ravel())[0, 1] > 0.99


def test_erosion_masks():
    made = recipe("erosion", valley_floor=1.0)
    terrain = evaluate(made, made.grid(200))
    flow, wear, deposition = (
        terrain.fields[name] for name in ("flow", "erosion_depth", "deposition")
    )
    assert 0 <= flow.min() < 0.05
    assert 0.95 < flow.max() <= 1
    assert wear.min() == 0
    assert wear.max() > 10
    assert deposition.min() == 0
    assert deposition.max() > 0.1


def test_the_largest_river_is_that_of_the_land_not_of_what_lies_around():
    """Here a valley runs past the land, beyond its border."""
    terrain = hills(128, 128) + (150 * np.abs(axis(128) / EXTENT + 0.5)[:, None]).astype(np.float32)
    drainage = drain(terrain, EXTENT / 128, FluvialSettings(resolution="128"))
    for size in (EXTENT, EXTENT / 4):
        inside = np.linspace(-size / 2, size / 2, 400)
        largest = fields.largest_flow(drainage, (size, size))
        flow = fields.flow_and_deposition(drainage, inside, inside, largest)["flow"]
        assert 0.98 < flow.max() <= 1


def test_flow_on_land_narrower_than_a_cell():
    made = recipe("erosion", size=(1000.0, 1.0))
    flow = evaluate(made, made.grid(129)).fields["flow"]
    assert 0 <= flow.min() < flow.max() <= 1
    assert np.unique(flow).size > 20


def test_seed_of_recipe_and_layer_count():
    made = recipe("erosion")
    other = Recipe.from_dict({**made.to_dict(), "seed": 5})
    layer = recipe("erosion", seed=5)
    heights = [evaluate(r, r.grid(80)).height for r in (made, other, layer)]
    assert not np.array_equal(heights[0], heights[1])
    assert not np.array_equal(heights[0], heights[2])


@pytest.mark.parametrize("kind", KINDS)
def test_cancelling_raises(kind):
    made = recipe(kind)
    calls = iter(range(10_000))
    with pytest.raises(Cancelled):
        evaluate(made, made.grid(120), cancelled=lambda: next(calls) > 2)


def test_talus_slides_as_far_as_asked():
    made = recipe("thermal_erosion", talus=10.0, distance=40.0)
    terrain = evaluate(made, made.grid(100))
    plain = evaluate(Recipe.from_dict({**made.to_dict(), "layers": [GROUND]}), made.grid(100))
    assert np.median(terrain.fields["slope"]) < np.median(plain.fields["slope"])


def test_snow_mask_is_the_depth():
    made = recipe("snow", line=0.0, depth=3.0)
    terrain = evaluate(made, made.grid(100))
    assert terrain.fields["snow"].min() >= 0
    assert terrain.fields["snow"].max() > 2


@pytest.mark.parametrize(("kind", "name"), [("snow", "snow"), ("erosion", "erosion_depth")])
def test_masks_in_metres_are_as_deep_as_the_layer_acts(kind, name):
    made = recipe(kind).to_dict()
    whole = evaluate(recipe(kind), recipe(kind).grid(80)).fields[name]
    made["layers"][-1] |= {"opacity": 0.5, "masks": {"height": {"low": 20.0, "high": 1e5}}}
    part = evaluate(Recipe.from_dict(made), recipe(kind).grid(80)).fields[name]
    below = evaluate(Recipe.from_dict({**made, "layers": [GROUND]}), recipe(kind).grid(80)).height
    assert whole[below < 0].any()
    assert not part[below < 0].any()
    assert_allclose(part[below > 60], whole[below > 60] / 2, rtol=1e-5)


@pytest.mark.parametrize("setting", ["rock_hardness_variation", "rainfall_variation"])
def test_uneven_rock_and_rain_change_the_valleys(setting):
    even, uneven = recipe("erosion"), recipe("erosion", **{setting: 1.0})
    heights = [evaluate(r, r.grid(100)).height for r in (even, uneven)]
    assert np.isfinite(heights[1]).all()
    assert 0.3 < np.corrcoef(heights[0].ravel(), heights[1].ravel())[0, 1] < 0.999


def test_drainage_is_found_again_but_never_mistaken():
    """Other gullies use the same rivers; another land, sea or seed does not."""
    made = recipe("erosion")
    first = evaluate(made, made.grid(60)).height
    changed = recipe("erosion", gully_depth=0.0, rock_roughness=0.0)
    assert not np.array_equal(evaluate(changed, made.grid(60)).height, first)
    drowned = recipe("erosion", sea=True)
    assert not np.array_equal(evaluate(drowned, made.grid(60)).height, first)
    assert_array_equal(evaluate(made, made.grid(60)).height, first)


@pytest.mark.parametrize(
    ("setting", "value", "made_again"),
    [
        ("strength", 1.5, []),
        ("gully_depth", 0.2, []),
        ("rock_roughness", 0.9, ["roughness"]),
        ("rock_hardness_variation", 0.5, ["variation"]),
        ("seed", 7, ["roughness", "variation", "variation"]),
        ("valley_spacing", 90.0, ["roughness", "variation", "variation"]),
    ],
)
def test_rock_and_rain_are_kept_between_evaluations(setting, value, made_again, monkeypatch):
    """As noise that depends on the grid and a few settings: with the same bits."""
    usual = {"rock_hardness_variation": 0.3, "rainfall_variation": 0.3, "valley_spacing": 80.0}
    calls = []

    def count(module, name):
        function = getattr(module, name)

        def counted(*args, **more):
            calls.append(name)
            return function(*args, **more)

        monkeypatch.setattr(module, name, counted)

    count(erosion, "roughness")
    count(fields, "variation")
    cache, grid = Cache(), recipe("erosion").grid(60)
    evaluate(recipe("erosion", **usual), grid, cache=cache, fields=())
    calls.clear()
    changed = recipe("erosion", **usual | {setting: value})
    height = evaluate(changed, grid, cache=cache, fields=()).height
    assert sorted(calls) == made_again
    assert_array_equal(evaluate(changed, grid).height, height)


def painted(name, values):
    return Map(name, np.asarray(values, np.float32), to_border=False)


@pytest.mark.parametrize(("setting", "sign"), [("hardness_map", 1), ("rain_map", -1)])
def test_painted_rock_and_rain(setting, sign):
    made = recipe("erosion", size=(1000.0, 1000.0), **{setting: "paint"})
    grid = made.grid(128)
    nothing, left = np.zeros((8, 8)), np.zeros((8, 8))
    left[:, :4] = 1.0
    usual = evaluate(dataclasses.replace(made, maps=(painted("paint", nothing),)), grid).height
    changed = evaluate(dataclasses.replace(made, maps=(painted("paint", left),)), grid).height
    assert_allclose(
        usual, evaluate(recipe("erosion", size=(1000.0, 1000.0)), grid).height, atol=1e-3
    )
    change = sign * (changed - usual)
    assert change[:, :48].mean() > 1.0
    assert change[:, :48].mean() > 2 * abs(change[:, 80:].mean())
    with pytest.raises(ValueError, match="no map named 'paint'"):
        evaluate(made, grid)


@pytest.mark.parametrize(("depth", "sharpness"), [(4.0, 0.0), (12.0, 0.0), (8.0, 1.0), (8.0, -1.0)])
def test_gullies_make_no_slits_on_sharp_spurs(depth, sharpness):
    """Down a roof's edge nothing is bent more than gullies on its even sides are, which are as deep
    as they ought to be."""
    side = np.linspace(-200.0, 200.0, 401)
    roof = 220.0 - 0.7 * np.abs(side)[None, :] - 0.4 * side[:, None]
    form = {"depth": depth, "sharpness": sharpness, "guide": 0.1}
    terrain = {"kind": "height_map", "settings": {"source": "roof", "high": 300.0}}
    layers = [terrain, {"kind": "gullies", "settings": form}]
    plain, cut = (
        dataclasses.replace(
            Recipe.from_dict({"schema": 1, "size_x": 400.0, "size_y": 400.0, "layers": some}),
            maps=(Map("roof", (roof / 300.0).astype(np.float32), to_border=True),),
        )
        for some in (layers[:1], layers)
    )
    grid = cut.grid(401)
    change = evaluate(cut, grid).height - evaluate(plain, grid).height
    away = np.abs(grid.x)
    assert change[:, away > 40].std() > 0.2 * depth
    bend = np.abs(np.diff(change, 2, axis=1))
    on_spur, on_sides = bend[:, away[1:-1] < 4], bend[:, away[1:-1] > 40]
    assert on_spur.max() < 0.5 * on_sides.max()
