# SPDX-License-Identifier: GPL-3.0-or-later
"""Braids of steep rivers, and fans of a given slope."""

import dataclasses
import functools
import itertools

import numpy as np
import pytest

from terrain_addon.core import Layer, Recipe, Water, evaluate, solve
from terrain_addon.core.erosion.rivers.drainage import Drainage
from terrain_addon.core.erosion.surface.braids import UNIT, braided
from terrain_addon.core.erosion.surface.channels import carve
from terrain_addon.core.erosion.surface.fields import finer_forms
from terrain_addon.core.evaluation.cache import Cache
from terrain_addon.core.evaluation.preview import Shown, coarse_preview
from terrain_addon.core.hydrology import RiverLine, route, spill_levels
from terrain_addon.core.hydrology.d8 import NONE, OFFSETS
from terrain_addon.core.layers.shape.erosion.erosion import Erosion
from terrain_addon.core.numerics.grid import Grid
from terrain_addon.core.output.braided_water import sheet

CELL, WIDTH, LENGTH = 20.0, 30.0, 6000.0


def plain(slope):
    """A plain that falls along X, and the river in its middle."""
    shape = 61, round(LENGTH / CELL) + 1
    x = CELL * np.arange(float(shape[1]))
    y = CELL * np.arange(-30.0, 31.0)
    height = np.broadcast_to(-slope * x, shape).astype(np.float32)
    zero = np.zeros(shape, np.float32)
    codes = np.full(shape, NONE, np.uint8)
    place = {"spacing": CELL, "x0": 0.0, "y0": float(y[0]), "unit": 400.0, "sea": None}
    drainage = Drainage(height, codes, zero, zero, zero, None, **place)
    ones = np.ones(x.size)
    return drainage, RiverLine(x, 0 * x, -slope * x, WIDTH * ones, 1e6 * ones, ones)


@functools.cache
def bed():
    """Depth below the belt and its samples' x and y, in its full part."""
    drainage, river = plain(0.01)
    threads, ground = braided([river], drainage, 1.0, 3)
    x, y = np.arange(1000.0, 5000.0, 4.0), np.arange(-400.0, 400.0, 4.0)
    flat = ground.sample(ground.height, x, y)
    return flat - carve(flat, x, y, (4.0, 4.0), threads), x, y


def channels():
    """Channels of each cross-section."""
    wet = bed()[0] > 0.4
    return (np.diff(wet.astype(int), axis=0) > 0).sum(axis=0) + wet[0]


def test_two_to_five_threads_lie_beside_each_other():
    count = channels()
    assert 2 <= count.mean() <= 5
    assert np.quantile(count, 0.95) <= 5


def test_the_belt_is_several_times_as_wide_as_one_channel():
    wet = bed()[0] > 0.4
    wide = 4.0 * (len(wet) - wet.argmax(axis=0) - wet[::-1].argmax(axis=0))
    assert 3 * WIDTH < np.median(wide) < 7 * WIDTH


def test_bars_are_half_a_meter_to_two_meters_high():
    depth = bed()[0]
    assert 0.5 < np.median(depth[depth > 0.4]) < 2.0


def test_threads_stay_together_for_four_to_five_widths_and_part_again():
    """Hundey and Ashmore (2009): 4 to 5 widths from where two threads meet to where they part; here
    of pairs beside each other, in widths of what they join to."""
    drainage, river = plain(0.01)
    lengths = []
    for seed in range(6):
        threads = braided([river], drainage, 1.0, seed)[0]
        order = [threads[1], threads[0], *threads[2:]]
        step = threads[0].x[1] - threads[0].x[0]
        for one, other in itertools.pairwise(order):
            count = min(one.x.size, other.x.size)
            start = one.x.size - count
            first = np.stack([one.x[start:], one.y[start:]])
            second = np.stack([other.x[-count:], other.y[-count:]])
            width = (one.width[start:] + other.width[-count:]) / 2
            near = np.hypot(*(first - second)) < 0.8 * width
            edges = np.flatnonzero(np.diff(np.concatenate([[0], near.astype(int), [0]])))
            for begin, end in zip(edges[::2], edges[1::2], strict=True):
                if begin > 0 and end < count and 1000 < first[0, begin] < 5000:
                    lengths.append((end - begin) * step / width[begin:end].mean())
    assert len(lengths) > 20
    assert 3.5 < np.median(lengths) < 5.5
    assert 2 * np.median(lengths) < UNIT  # they part for longer


@pytest.mark.parametrize(("slope", "braids"), [(0.0005, False), (0.01, True), (0.15, False)])
def test_rivers_braid_above_the_slope_of_leopold_and_wolman(slope, braids):
    """0.012 Q^-0.44 is 0.002 for a river of 30 m; cascades have no bars."""
    drainage, river = plain(slope)
    threads, ground = braided([river], drainage, 1.0)
    assert (len(threads) > 1) is braids
    assert (ground is drainage) is not braids


def test_a_tributary_ends_on_the_river_that_has_split():
    drainage, river = plain(0.01)
    y = np.linspace(-500.0, 0.0, 26)
    ones = np.ones(y.size)
    side = RiverLine(np.full(y.size, river.x[150]), y, 0 * y, ones, 1e4 * ones, ones)
    threads = braided([river, side], drainage, 1.0, 3)[0]
    away = np.hypot(threads[0].x - threads[1].x[-1], threads[0].y - threads[1].y[-1])
    assert away.min() < CELL / 4
    assert abs(threads[1].y[-1]) > 1  # it had to move


def front(**settings):
    """A mountain front above a plain, with fans."""
    return Recipe.from_dict(
        {
            "schema": 1,
            "size_x": 8000.0,
            "size_y": 8000.0,
            "layers": [
                {
                    "kind": "ramp",
                    "settings": {
                        "height": 900.0,
                        "size": 1200.0,
                        "center_x": 1600.0,
                        "smoothness": 0.1,
                    },
                },
                {"kind": "fractal_noise", "settings": {"size": 2000.0, "height": 200.0}},
                {
                    "kind": "erosion",
                    "settings": {"valley_spacing": 700.0, "fans": 0.0, "resolution": "128"},
                },
                {
                    "kind": "ramp",
                    "blend": "max",
                    "settings": {
                        "height": 100.0,
                        "size": 8000.0,
                        "center_x": -6000.0,
                        "endless": True,
                    },
                },
                {
                    "kind": "erosion",
                    "settings": {
                        "type": "keep",
                        "strength": 0.0,
                        "valley_spacing": 1200.0,
                        "gully_depth": 0.0,
                        "rock_roughness": 0.0,
                        "fan_slope": 4.0,
                        "fans": 1.0,
                        "rivers": 1.0,
                        "min_catchment_area": 0.5,
                        "braids": 1.0,
                        "resolution": "256",
                        **settings,
                    },
                },
            ],
        }
    )


def test_water_stands_in_the_arms_and_not_on_the_bars():
    """Displayed rivers were one line before, and the other arms dry."""
    drainage, river = plain(0.01)
    threads, ground = braided([river], drainage, 1.0, 3)
    x, y = np.arange(500.0, 5500.0, 8.0), np.arange(-600.0, 600.0, 8.0)
    flat = ground.sample(ground.height, x, y)
    height = carve(flat, x, y, (8.0, 8.0), threads)
    settings = Erosion(braids=1.0, rivers=1.0)
    water = Water(rivers=True, river_width=1.0)
    recipe = Recipe(layers=(Layer(settings=settings),), water=water)
    river = dataclasses.replace(threads[0], width=np.full(threads[0].x.size, WIDTH))
    inside = river.parts((river.x > x[0]) & (river.x < x[-1]))
    grid = Grid(x.size, y.size, float(x[0]), float(y[0]), 8.0, 8.0)
    found = sheet(recipe, inside, height, grid)
    level = np.full(height.shape, -np.inf)
    level[found.row, found.column] = found.level
    wet, depth = (level > height)[:, 60:-60], (flat - height)[:, 60:-60]
    assert wet[depth > 0.6].mean() > 0.75
    assert wet[depth < 0.1].mean() < 0.02
    dry = dataclasses.replace(recipe, layers=(Layer(settings=Erosion(rivers=1.0)),))
    assert sheet(dry, inside, height, grid) is None


def without_braids(recipe):
    eroding = recipe.layers[-1]
    settings = dataclasses.replace(eroding.settings, braids=0.0)
    layers = (*recipe.layers[:-1], dataclasses.replace(eroding, settings=settings))
    return dataclasses.replace(recipe, layers=layers)


def test_a_seamless_terrain_leaves_braids_out():
    """It does as if the setting were 0; others have them, in previews too."""
    shown = {}
    for seamless in (False, True):
        recipe = dataclasses.replace(front(resolution="128"), seamless=seamless)
        pair = [evaluate(one, recipe.grid(65)).height for one in (recipe, without_braids(recipe))]
        shown[seamless] = (pair[0] != pair[1]).any()
    assert shown == {False: True, True: False}


@pytest.mark.slow
def test_a_preview_of_braids_shows_their_belts():
    """It is nearer to the result than the terrain without them."""
    recipe = front()
    before = without_braids(recipe)
    cache, grid = Cache(), recipe.grid(321)
    last = Shown(before, evaluate(before, grid, cache=cache))
    preview = coarse_preview(recipe, recipe.grid(161), last, cache)
    result = evaluate(recipe, grid, cache=cache).height
    change, missed = result - last.terrain.height, result - preview.height
    assert np.square(missed).mean() < 0.4 * np.square(change).mean()


@pytest.mark.slow
def test_rivers_run_over_fans_and_not_through_them():
    """Rivers cut trenches of 26 m before, through what dams a valley. Gravel fills it now."""
    recipe = front()
    grid = recipe.grid(161)
    cut = evaluate(recipe, grid).height - evaluate(front(rivers=0.0), grid).height
    assert np.quantile(cut, 0.002) > -15


def test_gravel_fills_the_valleys_behind_fans_of_a_given_slope():
    """Hollows deeper than 10 m covered 1.7 % of this terrain before, on valley floors."""
    recipe = front(fan_slope=6.0, rivers=0.0, braids=0.0)
    ground = evaluate(recipe, recipe.grid(257)).height
    depth = spill_levels(ground, route(ground)) - ground
    assert (depth[20:-20, 20:-20] > 10).mean() < 0.006


def test_gravel_hides_the_finer_forms_below_it():
    """They showed through fans as lumps of ground that lies 100 m deeper."""
    drainage, _ = plain(0.01)
    thickness = np.zeros_like(drainage.height)
    thickness[:, 200:] = 100.0
    drainage = dataclasses.replace(drainage, deposition=thickness)
    x, y = np.arange(500.0, 5500.0, 8.0), np.arange(-200.0, 200.0, 8.0)
    rough = np.broadcast_to(-0.01 * x + 5.0, (y.size, x.size)).astype(np.float32)
    before = drainage.height / np.float32(drainage.unit)
    forms = finer_forms(drainage, before, rough, x, y, buried=True)
    bare, deep = x < CELL * 195, x > CELL * 205
    np.testing.assert_allclose(forms[:, bare], 5.0, atol=1e-3)
    np.testing.assert_array_equal(forms[:, deep], 0.0)


def test_the_mirror_image_beyond_the_border_dams_no_valley():
    """It filled valleys that lead out of the terrain, by up to 295 m."""
    drainage, _ = plain(0.01)
    ends = 240
    mirrored = drainage.height.copy()
    mirrored[:, ends:] = mirrored[:, ends - 1 : 2 * ends - mirrored.shape[1] - 1 : -1]
    codes = np.full_like(drainage.directions, OFFSETS.index((0, 1)))
    codes[:, -1] = NONE
    drainage = dataclasses.replace(drainage, height=mirrored, directions=codes, x0=-120.5 * CELL)
    full = drainage.with_lakes(size=(ends * CELL, 60 * CELL)).height
    inside = np.s_[:, : ends - 1]
    np.testing.assert_array_equal(full[inside], mirrored[inside])
    assert (drainage.with_lakes().height[inside] > full[inside]).any()


@functools.cache
def solved(**settings):
    recipe = front(**settings)
    return recipe, solve(recipe)


@pytest.mark.slow
def test_windows_with_braids_have_the_bits_of_the_whole():
    recipe, solution = solved()
    grid = recipe.grid(161)
    whole = evaluate(recipe, grid, solution=solution).height
    part = evaluate(recipe, grid.window(30, 40, 50, 33), solution=solution).height
    np.testing.assert_array_equal(part, whole[40:73, 30:80])
    assert (evaluate(without_braids(recipe), grid).height != whole).any()


def test_fans_are_concave_cones_of_one_to_six_degrees():
    """Bowman (2019): most fans slope by 1 to 6 degrees, less toward the toe."""
    with_fans, without = (
        evaluate(recipe, recipe.grid(161)).height
        for recipe in (front(rivers=0.0), front(rivers=0.0, fans=0.0))
    )
    rise = with_fans - without
    gy, gx = np.gradient(with_fans, 50.0)
    slope = np.degrees(np.arctan(np.hypot(gx, gy)))
    high = float(rise.max())
    assert high > 20
    on_fans = rise > 0.1 * high
    assert np.quantile(slope[on_fans], 0.1) > 1 and np.quantile(slope[on_fans], 0.75) < 6
    upper, lower = rise > 0.5 * high, (rise < 0.25 * high) & on_fans
    assert np.median(slope[upper]) > np.median(slope[lower])
