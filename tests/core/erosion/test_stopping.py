# SPDX-License-Identifier: GPL-3.0-or-later
"""Long steps ask often whether to stop, and stop wherever they ask."""

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from terrain_addon.core import (
    Bake,
    Cache,
    Cancelled,
    HeightMask,
    Layer,
    Recipe,
    Water,
    bake,
    evaluate,
    hydrology,
    noise,
)
from terrain_addon.core.analysis import realism
from terrain_addon.core.analysis.realism import relief, smoothing, streams
from terrain_addon.core.analysis.realism.drainage import DrainageMeasures
from terrain_addon.core.erosion.rivers import solver
from terrain_addon.core.erosion.snow import Snowfall, snow_depth
from terrain_addon.core.erosion.surface import fields, surface
from terrain_addon.core.erosion.surface.settings import SurfaceSettings
from terrain_addon.core.erosion.thermal import slide
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.layers.blend import blended
from terrain_addon.core.numerics import blocks
from terrain_addon.core.output import inland_water, water_meshes as waters
from terrain_addon.core.output.images.baking import keep_terrain
from terrain_addon.core.output.kept_terrain import WINDOW

POINTS = 65_536
"""Points of a grid that may be worked on between two questions: some milliseconds."""


class Stop:
    """Counts how often it is asked, and says stop the given time."""

    def __init__(self, at=0):
        self.at, self.asked = at, 0

    def __call__(self):
        self.asked += 1
        return self.asked == self.at


def rough(side):
    x = np.arange(side) / side * 4
    return noise.sample_grid("perlin", x, x, seed=3, fractal="fbm", octaves=8) * 100


def settings(**values):
    return SurfaceSettings.from_dict(values, "settings")


def terrain(seed=1):
    layers = (
        Layer.of(LAYERS["fractal_noise"](size=500.0, height=200.0)),
        Layer.of(LAYERS["erosion"](resolution="128")),
    )
    water = Water(show=False, rivers=True, lakes=True, min_lake_depth=0.0, min_lake_size=0.0)
    return Recipe(seed=seed, layers=layers, water=water)


def stages(side):
    """Everything that takes long, as functions of ``cancelled``."""
    height, spacing = rough(side), 1000 / side
    tree = hydrology.route(height)
    area = hydrology.drainage_area(tree, spacing)
    streams = area > 100 * spacing**2
    made = solver.drain(rough(128), 1000 / 128, settings(resolution="128"))
    x = (np.arange(side) + 0.5) * spacing - 500
    return {
        "route": lambda stop: hydrology.route(height, cancelled=stop),
        "area": lambda stop: hydrology.drainage_area(tree, spacing, stop),
        "spill": lambda stop: hydrology.spill_levels(height, tree, stop),
        "lakes": lambda stop: hydrology.find_lakes(height, tree, spacing, cancelled=stop),
        "rivers": lambda stop: hydrology.find_rivers(
            height, tree.directions, area, spacing, min_area=500.0, cancelled=stop
        ),
        "order": lambda stop: hydrology.stream_order(tree, streams, stop),
        "length up": lambda stop: hydrology.upstream_length(tree, spacing, stop),
        "length down": lambda stop: hydrology.downstream_length(tree, spacing, stop),
        "above rivers": lambda stop: hydrology.height_above_rivers(height, tree, streams, stop),
        "watersheds": lambda stop: hydrology.watersheds(tree, stop),
        "fields": lambda stop: fields.flow_and_deposition(
            made, x, x, fields.largest_flow(made, (1000.0, 1000.0), stop), stop
        ),
        "soft area": lambda stop: hydrology.multiple_flow_area(
            height, tree, spacing, cancelled=stop
        ),
        "surface": lambda stop: surface.sample_surface(
            made, x, x, settings(rivers=2.0, min_catchment_area=0.5), cancelled=stop
        ),
        "talus": lambda stop: slide(height, (spacing, spacing), 30.0, 20, cancelled=stop),
        "snow": lambda stop: snow_depth(
            height, (spacing, spacing), Snowfall(5.0, 0.0, 50.0, 30.0, 20), cancelled=stop
        ),
    }


LOOKS_AT_ALL = {
    "route": 8,
    "lakes": 5,
    "order": 2,
    "length up": 2,
    "length down": 2,
    "watersheds": 1,
    "soft area": 2,
}
"""How often each looks values up for every cell of the grid, or for as many."""
STAGES = (
    *LOOKS_AT_ALL,
    "rivers",
    "area",
    "spill",
    "above rivers",
    "fields",
    "surface",
    "talus",
    "snow",
)


@pytest.mark.parametrize("stage", STAGES)
def test_more_work_asks_more_often(stage):
    asked = {}
    for side in (128, 512):
        stop = Stop()
        stages(side)[stage](stop)
        asked[side] = stop.asked
    assert asked[512] >= 512 * 512 / POINTS
    assert asked[512] > asked[128]


@pytest.mark.parametrize("stage", LOOKS_AT_ALL)
def test_values_are_looked_up_in_pieces(stage, monkeypatch):
    """Nothing goes through all cells at once: smaller pieces make as many more questions."""
    asked = []
    side, cells = 192, 4096
    for most in (side * side, cells):
        monkeypatch.setattr(blocks, "PIECE", most)
        stop = Stop()
        stages(side)[stage](stop)
        asked.append(stop.asked)
    assert asked[1] - asked[0] >= LOOKS_AT_ALL[stage] * (side * side // cells - 1)


def bends(height, stop):
    relief.moments(relief.laplacian(height, smoothing.BINOMIAL, stop), 100.0, stop)


def around_streams(height, stop):
    order = hydrology.stream_order(hydrology.route(height), height < np.quantile(height, 0.1))
    around = streams.Streams(height, height, order, None)
    around.cancelled = stop
    around.crest_slopes()
    around.bank_slopes()
    around.valley_widths()


@pytest.mark.parametrize(
    ("questions", "measured"),
    [
        (6, relief.hypsometric_integral),
        (2, relief.slope_ratio),
        (12, bends),
        (4, lambda terrain, stop: smoothing.smoothed(terrain, smoothing.gaussian(1.5), stop)),
        (8, lambda terrain, stop: streams.local_relief(terrain, 32, stop)),
        (8, lambda terrain, stop: streams.nearest(terrain > np.median(terrain), cancelled=stop)),
        (20, around_streams),
        (5, lambda terrain, stop: realism.ridge_valley_share(terrain, 1.0, stop)),
    ],
    ids=["heights", "slopes", "bends", "smooth", "relief", "nearest", "streams", "landforms"],
)
def test_a_land_is_measured_in_bands(questions, measured):
    """Four bands, or one piece, for each time that all of it is gone through."""
    stop = Stop()
    measured(rough(512), stop)
    assert stop.asked >= questions


@pytest.mark.parametrize(
    ("name", "more"), [("share_below_spill", 4), ("concavity", 6), ("hack_exponent", 6)]
)
def test_drainage_is_measured_in_bands(name, more):
    """Four bands and two pieces beside what is asked at every step along the rivers."""
    terrain, stop = rough(512), Stop()
    drained = DrainageMeasures(terrain, 1.0, stop)
    levels, before = len(drained.tree.levels) - 2, stop.asked
    getattr(drained, name)()
    assert stop.asked - before >= levels + more


def test_a_finer_drainage_asks_more_often():
    asked = []
    for resolution in ("128", "512"):
        stop = Stop()
        fine = settings(resolution=resolution)
        solver.drain(rough(256), 4.0, fine, cancelled=stop)
        asked.append(stop.asked)
    assert asked[1] > asked[0] > 100


@pytest.mark.parametrize(
    ("kind", "octaves", "more"),
    [("gullies", "octaves", {}), ("erosion", "gully_octaves", {"valley_spacing": 50.0})],
)
def test_each_octave_of_gullies_is_asked_about(kind, octaves, more):
    """A band that pays in several threads takes longer than an answer may."""
    asked = []
    for count in (1, 5):
        kinds = LAYERS["fractal_noise"](), LAYERS[kind](**{octaves: count}, **more)
        recipe = Recipe(size_x=100.0, size_y=100.0, layers=tuple(map(Layer.of, kinds)))
        stop = Stop()
        evaluate(recipe, recipe.pixel_grid(128), cancelled=stop)
        asked.append(stop.asked)
    assert asked[1] - asked[0] == 4


def test_rivers_are_placed_one_by_one():
    x, stop, asked = np.arange(256, dtype=np.float64) * 4.0, Stop(), []

    def reported(share):
        asked.append((share, stop.asked))

    found = hydrology.surface_water(
        rough(256), x, x, min_area=400.0, progress=reported, cancelled=stop
    )
    start = max(count for share, count in asked if share <= 0.8)
    end = min(count for share, count in asked if share > 0.8)
    assert end - start >= len(found.rivers) > 100


def test_the_spectrum_is_made_in_small_steps():
    stop = Stop()
    realism.spectral_slope(rough(1024), stop)
    # The rows twice, the columns once, of which half are needed.
    assert stop.asked >= 2.5 * 1024 * 1024 / POINTS


def arrays(made):
    """All that a stage made, one after the other."""
    if isinstance(made, dict):
        made = list(made.values())
    if dataclasses.is_dataclass(made):
        made = [getattr(made, one.name) for one in dataclasses.fields(made)]
    return [part for one in made for part in arrays(one)] if isinstance(made, list) else [made]


@pytest.mark.parametrize("stage", STAGES)
def test_stages_stop_wherever_they_ask_and_leave_their_input(stage):
    work = stages(96)[stage]
    stop = Stop()
    expected = work(stop)
    for at in np.unique(np.linspace(1, stop.asked, 12).astype(int)).tolist():
        early = Stop(at)
        with pytest.raises(Cancelled):
            work(early)
        assert early.asked == at, "nothing is asked, and so done, after the stop"
    for one, other in zip(arrays(work(None)), arrays(expected), strict=True):
        assert_array_equal(one, other)


def test_what_layers_make_is_joined_in_small_steps():
    height, weight = rough(1024), np.full((1024, 1024), 0.5, np.float32)
    steps = height.size / POINTS
    joined, weighed = Stop(), Stop()
    blended(height, height, "add", 0.5, weight, joined)
    context: Any = SimpleNamespace(height=height, cancelled=weighed)
    HeightMask(high=10.0, fade=5.0).weight(context)
    assert min(joined.asked, weighed.asked) >= steps
    recipe = Recipe(layers=(Layer.of(LAYERS["smooth"](radius=20.0)),))
    stop = Stop()
    evaluate(recipe, recipe.pixel_grid(1024), cancelled=stop)
    assert stop.asked >= 3 * steps


def test_a_pass_of_snow_takes_several_questions():
    stop, ground = Stop(), np.zeros((128, 8192), np.float32)
    snow_depth(ground, (1.0, 1.0), Snowfall(1.0, -10.0, 1.0, 30.0, 5), cancelled=stop)
    assert stop.asked >= 5 * ground.size / POINTS


def test_an_image_is_finished_in_small_steps():
    recipe = Recipe(layers=())
    grid = recipe.pixel_grid(1024)
    made, enlarged = Stop(), Stop()
    bake(recipe, grid, Bake(), terrain=keep_terrain(recipe, grid, [Bake()]), cancelled=made)
    assert made.asked >= 2 * 1024 * 1024 / WINDOW
    bake(recipe, grid, Bake(pixel_step=2), cancelled=enlarged)
    assert enlarged.asked >= 512


def test_lakes_become_planes_in_small_steps():
    height = rough(1024)
    recipe = Recipe(water=Water(show=False, rivers=False, lakes=True, min_lake_size=0.0))
    grid = recipe.pixel_grid(1024)
    found = hydrology.find_lakes(height, hydrology.route(height), grid.dx)
    stop = Stop()
    planes = waters._planes(found, grid, stop)
    assert len(planes.faces) > 1000
    assert stop.asked >= 2 * height.size / POINTS


def test_measures_of_realism_can_be_stopped_within():
    asked = {}
    for side in (128, 512):
        stop = Stop()
        realism.measure(rough(side), 1.0, cancelled=stop)
        asked[side] = stop.asked
    assert asked[512] > asked[128] > 100


@pytest.mark.slow
def test_an_erosion_that_was_stopped_leaves_nothing_half_done():
    recipe = terrain(seed=77)
    grid = recipe.pixel_grid(96)
    stop = Stop()
    expected = evaluate(recipe, grid, cancelled=stop).height
    for at in np.unique(np.linspace(1, stop.asked, 9).astype(int)).tolist():
        cache = Cache()
        with pytest.raises(Cancelled):
            evaluate(recipe, grid, cancelled=Stop(at), cache=cache)
        assert_array_equal(evaluate(recipe, grid, cache=cache).height, expected)


def test_inland_water_stops_and_tells_how_far_it_is():
    recipe = terrain()
    grid = recipe.pixel_grid(128)
    height = evaluate(recipe, grid).height
    reported = []
    stop = Stop()
    water = inland_water(recipe, height, grid, progress=reported.append, cancelled=stop)
    assert reported == sorted(reported)
    assert reported[-1] == 1
    assert len(reported) > 4
    assert len(water.rivers.faces) and len(water.lakes.faces)
    for at in np.unique(np.linspace(1, stop.asked, 9).astype(int)).tolist():
        with pytest.raises(Cancelled):
            inland_water(recipe, height, grid, cancelled=Stop(at))
    none = dataclasses.replace(recipe, water=dataclasses.replace(recipe.water, rivers=False))
    again = inland_water(none, height, grid)
    assert_array_equal(again.lakes.points, water.lakes.points)
