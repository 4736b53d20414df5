# SPDX-License-Identifier: GPL-3.0-or-later
"""Times are booked for the layer that takes them, on whatever grid."""

import time

from terrain_addon.core import Cache, Erosion, FractalNoise, Layer, Recipe, Smooth, evaluate
from terrain_addon.core.evaluation import LayerTimes

RECIPE = Recipe(layers=(FractalNoise(octaves=6), Smooth(), Erosion()))


def test_layers_below_erosion_are_charged_where_erosion_evaluates_them():
    times = LayerTimes()
    begun = time.thread_time()
    evaluate(RECIPE, RECIPE.grid(65), times=times)
    spent = time.thread_time() - begun
    assert set(times.here) == {2}
    assert set(times.elsewhere) == {0, 1}
    seconds = [*times.here.values(), *times.elsewhere.values()]
    assert all(one >= 0 for one in seconds)
    assert sum(seconds) <= spent


def test_cached_layers_are_not_charged():
    cache, times = Cache(), LayerTimes()
    evaluate(RECIPE, RECIPE.grid(65), cache=cache)
    evaluate(RECIPE, RECIPE.grid(65), cache=cache, times=times)
    assert not times.here
    assert not times.elsewhere


def test_layers_on_the_grid_are_charged_there():
    recipe = Recipe(layers=(FractalNoise(), Layer.of(Smooth())))
    times = LayerTimes()
    evaluate(recipe, recipe.grid(65), times=times)
    assert set(times.here) == {0, 1}
    assert not times.elsewhere
