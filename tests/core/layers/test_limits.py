# SPDX-License-Identifier: GPL-3.0-or-later
"""What layers reach for is limited, whatever the settings and the terrain's size."""

import numpy as np
import pytest

from terrain_addon.core import Layer, Recipe, evaluate
from terrain_addon.core.erosion.strata import Strata
from terrain_addon.core.evaluation import memory
from terrain_addon.core.layers import LAYERS

NOISE = Layer.of(LAYERS["fractal_noise"]())
REACHING = {"smooth": "radius", "thermal_erosion": "distance", "snow": "distance"}


@pytest.fixture
def sizes(monkeypatch):
    """Numbers of points that terrains were made with."""
    seen = []
    monkeypatch.setattr(memory, "check_terrain", lambda asked, made, left: seen.append(made))
    return seen


@pytest.mark.parametrize("key", REACHING)
@pytest.mark.parametrize(
    ("size_x", "size_y", "resolution"),
    [
        (1.0, 1.0, 129),
        (5.0, 5.0, 129),
        (1000.0, 1000.0, 129),
        (300.0, 78.0, (17, 33)),
        (1e7, 1e-3, 129),
        (1e-3, 1e7, (33, 33)),
    ],
)
def test_no_setting_multiplies_the_points(sizes, key, size_x, size_y, resolution):
    shaper = LAYERS[key](**{REACHING[key]: 1e5})
    recipe = Recipe(size_x=size_x, size_y=size_y, layers=(NOISE, Layer.of(shaper)))
    grid = recipe.grid(resolution)
    terrain = evaluate(recipe, grid)
    assert np.isfinite(terrain.height).all()
    [(nx, ny)] = sizes
    assert nx <= max(2 * grid.nx, grid.nx + 34) and ny <= max(2 * grid.ny, grid.ny + 34)


def test_a_stack_has_one_margin(sizes):
    shaper = Layer.of(LAYERS["smooth"](radius=1e5))
    recipe = Recipe(layers=(NOISE, *[shaper] * 20))
    evaluate(recipe, recipe.grid(33))
    assert max(sizes) <= (67, 67)


@pytest.mark.parametrize("key", REACHING)
@pytest.mark.parametrize("value", [90.0, 1e5])
def test_windows_agree_to_the_bit_beyond_the_limit(key, value):
    shapers = [Layer.of(LAYERS[k](**{REACHING[k]: value})) for k in ("smooth", key)]
    recipe = Recipe(size_x=100.0, size_y=80.0, layers=(NOISE, *shapers))
    grid = recipe.grid(81)
    whole = evaluate(recipe, grid).height
    for i, j, nx, ny in ((0, 0, 9, 9), (30, 41, 20, 24), (80, 64, 1, 1), (-1, -1, 4, 67)):
        part = evaluate(recipe, grid.window(i, j, nx, ny)).height
        inner = part[max(-j, 0) :, max(-i, 0) :][: 65 - max(j, 0)]
        j, i = max(j, 0), max(i, 0)
        np.testing.assert_array_equal(inner, whole[j : j + len(inner), i : i + inner.shape[1]])


def test_a_radius_beyond_the_extent_is_the_extent():
    def smoothed(radius):
        layers = (NOISE, Layer.of(LAYERS["smooth"](radius=radius)))
        return evaluate(Recipe(layers=layers), Recipe().grid(65)).height

    np.testing.assert_array_equal(smoothed(1e5), smoothed(1001.0))
    assert np.ptp(smoothed(1e5)) < np.ptp(smoothed(300.0))


def test_land_that_does_not_fit_into_memory_is_refused(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 10**9)
    recipe = Recipe(layers=(NOISE, Layer.of(LAYERS["smooth"]())))
    with pytest.raises(ValueError, match="200001 x 200001 points and the margin .* would fit"):
        evaluate(recipe, recipe.grid(200_001))


def test_layers_of_rock_without_number():
    recipe = Recipe(size_x=1e7, size_y=1e7, layers=(
        NOISE, Layer.of(LAYERS["strata"](thickness=0.01, dip=80.0))))  # fmt: skip
    terrain = evaluate(recipe, recipe.grid(33)).height
    below = evaluate(Recipe(size_x=1e7, size_y=1e7, layers=(NOISE,)), recipe.grid(33)).height
    np.testing.assert_allclose(terrain, below, atol=0.02)


def test_layers_of_rock_are_the_same_however_many_the_terrain_spans():
    strata = Strata(thickness=2.0, sharpness=3.0, seed=4)
    few = np.linspace(-300, 300, 500, dtype=np.float32)[None]
    many = np.append(few, [[1e30, -1e30]], axis=1).astype(np.float32)
    got = strata.ledges(many, np.zeros_like(many))
    np.testing.assert_array_equal(got[:, :-2], strata.ledges(few, np.zeros_like(few)))
    np.testing.assert_array_equal(got[:, -2:], many[:, -2:])
