# SPDX-License-Identifier: GPL-3.0-or-later
"""Wide octaves of turned and bent noise: interpolated, against the noise itself."""

import dataclasses
import tracemalloc
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Grid, Layer, Recipe, evaluate, noise
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.layers.generate import _interpolated
from terrain_addon.core.layers.generate._interpolated import (
    Area,
    Interpolated,
    covered,
    wide_octaves,
)
from terrain_addon.core.layers.generate.patterns import _placing
from terrain_addon.core.layers.generate.patterns._placing import Bends, Placing
from terrain_addon.core.layers.seamless import CellSize
from terrain_addon.core.numerics.axis import RegularAxis

FractalNoise = LAYERS["fractal_noise"]
SMOOTH = [key for key, basis in noise.BASES.items() if basis.spline_points]
STEEPEST = 8.0
"""The most that any smooth basis rises over a cell."""


def made(kind, grid, **recipe):
    recipe = Recipe(layers=(Layer.of(kind),), **recipe)
    return evaluate(recipe, grid).height


def point_by_point(kind, grid, **recipe):
    """The same without any lattice."""
    with mock.patch.object(_interpolated, "FEWEST", np.inf):
        return made(kind, grid, **recipe)


def dense(step, count, first=-300):
    """Some meters of a terrain, close together."""
    return Grid(count, count, 0.0, 0.0, step, step, first, first + 37)


def cells(size):
    return CellSize(size, size, None)


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("key", SMOOTH)
@given(seed=st.integers(0, 10**6), angle=st.floats(0, 90), z=st.floats(0, 5))
def test_every_smooth_basis_follows_its_splines(key, dimensions, seed, angle, z):
    points = noise.BASES[key].spline_points.get(dimensions)
    if points is None:
        pytest.skip("has jumps in space")
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))

    def sample(x, y):
        x, y = x.values, y.values[:, None]
        u, v = cos * x + sin * y, cos * y - sin * x
        return [noise.sample(key, u, v, z if dimensions == 3 else None, seed=seed)]

    axis = RegularAxis.counted(-3.3, 0.019, 0, 350)
    got = Interpolated(Area.of(axis, axis), (1 / points, 1 / points), sample).at(axis, axis)[0]
    assert np.abs(got - sample(axis, axis)[0]).max() < 1e-3


@given(
    seed=st.integers(0, 10**6), octaves=st.integers(1, 4), rotation=st.sampled_from([0, 33, 90]),
    size=st.floats(50, 900), amount=st.floats(1, 500), step=st.floats(0.1, 2),
)  # fmt: skip
def test_places_are_those_of_the_warp(seed, octaves, rotation, size, amount, step):
    grid = dense(step, 200)
    x, y = grid.across, grid.along
    placing = Placing(Area.of(x, y), rotation, Bends(amount, cells(size), octaves, seed))
    got = np.stack(placing.places(x, y))
    cos, sin = np.cos(np.radians(rotation)), np.sin(np.radians(rotation))
    u, v = cos * grid.x + sin * grid.y[:, None], cos * grid.y[:, None] - sin * grid.x
    expected = noise.warp(
        "opensimplex2", u, v, seed=seed, amplitude=amount, frequency=1 / size,
        fractal="independent", octaves=octaves,
    )  # fmt: skip
    assert np.abs(got - np.stack(expected)).max() < 5e-4 * amount


@pytest.mark.parametrize("key", SMOOTH)
@given(
    seed=st.integers(0, 10**6), octaves=st.integers(1, 5), rotation=st.sampled_from([0, 33, 90]),
    size=st.floats(300, 900), lacunarity=st.sampled_from([0.5, 1.7, 2.0, 3.0]),
    amount=st.sampled_from([0.0, 5.0, 80.0]), octave_seeds=st.sampled_from(noise.OCTAVE_SEEDS),
    keep_fine=st.booleans(),
)  # fmt: skip
def test_land_is_within_two_thousandths_of_the_noise(
    key, seed, octaves, rotation, size, lacunarity, amount, octave_seeds, keep_fine
):
    kind = FractalNoise(
        basis=key, seed=seed, octaves=octaves, rotation=rotation if amount else 33.0, size=size,
        lacunarity=lacunarity, height=1.0, warp_amount=amount, warp_size=400.0, keep_fine=keep_fine,
        octave_seeds=octave_seeds,
    )  # fmt: skip
    grid = dense(0.5, 150)
    got, expected = made(kind, grid), point_by_point(kind, grid)
    # Octaves are as steep as each other, or as their amplitudes where they do not become finer.
    steepest = STEEPEST / size * sum((0.5 * max(lacunarity, 1)) ** k for k in range(octaves))
    assert np.abs(got - expected).max() < 2e-3 + 5e-4 * amount * steepest
    assert (got != expected).any()


@pytest.mark.parametrize("seamless", [False, True])
@pytest.mark.parametrize("warp", [0.0, 60.0])
@pytest.mark.parametrize("rotation", [0.0, 27.0, 90.0])
@pytest.mark.parametrize("key", ["perlin", "opensimplex2"])
def test_windows_have_the_same_bits(key, rotation, warp, seamless):
    kind = FractalNoise(
        basis=key, rotation=rotation, warp_amount=warp, seamless=seamless, octaves=5, size=1900.0,
        warp_size=1800.0, offset_x=77.7,
    )  # fmt: skip
    grid = Recipe(size_x=2000.0, size_y=2000.0).grid(601)
    whole = made(kind, grid, size_x=2000.0, size_y=2000.0)
    for i, j, nx, ny in ((0, 0, 30, 20), (290, 31, 60, 203), (590, 5, 1, 95), (50, 599, 1, 1)):
        part = made(kind, grid.window(i, j, nx, ny), size_x=2000.0, size_y=2000.0)
        np.testing.assert_array_equal(part, whole[j : j + ny, i : i + nx])


@pytest.mark.parametrize("key", ["dunes", "waves", "plates"])
def test_windows_of_patterns_have_the_same_bits(key):
    kind = LAYERS[key](warp_amount=40.0, warp_size=900.0)
    grid = dense(1.0, 300)
    whole = made(kind, grid)
    for i, j, nx, ny in ((0, 0, 30, 20), (290, 31, 10, 203), (50, 299, 1, 1)):
        part = made(kind, grid.window(i, j, nx, ny))
        np.testing.assert_array_equal(part, whole[j : j + ny, i : i + nx])


@pytest.mark.parametrize("fractal", ["fbm", "ridged"])
@pytest.mark.parametrize("warp", [0.0, 60.0])
@pytest.mark.parametrize("rotation", [0.0, 90.0])
def test_seamless_borders_meet_on_the_lattice_too(rotation, warp, fractal):
    """By far closer than the splines are to the noise: the lattices of a plain sum, and of the
    bends of others, repeat as well."""
    kind = FractalNoise(
        basis="opensimplex2s", fractal=fractal, seamless=True, size=330.0, rotation=rotation,
        warp_amount=warp, warp_octaves=6, height=1.0, octaves=3, offset_x=17.3,
    )  # fmt: skip
    size = {"size_x": 650.0, "size_y": 450.0}
    grid = Recipe(**size).grid(651)
    height, expected = made(kind, grid, **size), point_by_point(kind, grid, **size)
    np.testing.assert_allclose(height[:, 0], height[:, -1], atol=4e-6)
    np.testing.assert_allclose(height[0], height[-1], atol=4e-6)
    assert np.abs(height - expected).max() < 2e-3 + 5e-4 * warp * 3 * STEEPEST / 325


def test_octaves_are_wide_as_long_as_the_lattice_saves_samples():

    def count(dx=1.0, dy=1.0, lacunarity=2.0, points=(10.0,) * 8):
        return wide_octaves((dx, dy), cells(100.0), lacunarity, points)

    assert count() == (3, (2.5, 2.5))  # of 10, 5, 2.5 and 1.25 samples
    assert count(points=[9.2] * 8) == (3, (2.5, 2.5))  # a whole number of points
    assert count(0.1, 1.0) == count(1.0, 0.1) == (3, (2.5, 2.5))  # the wider spacing tells
    assert count(2.0, 2.0) == (2, (5.0, 5.0))
    assert count(4.0, 4.0)[0] == count(4.0, 1.0)[0] == 0  # one octave of 2.5 is not worth it
    assert count(points=[10.0]) == (1, (10.0, 10.0))
    assert count(points=[])[0] == 0
    assert count(points=[40.0, 10.0, 10.0]) == (3, (2.5, 2.5))  # the most that any of them needs
    assert count(points=[50.0, 10.0, 10.0])[0] == 0
    assert count(lacunarity=0.5) == (8, (10.0, 10.0))  # coarser, so the first one tells
    assert count(lacunarity=1.0, points=[10.0] * 32) == (32, (10.0, 10.0))


@given(
    seed=st.integers(0, 10**6), octaves=st.integers(1, 3), size=st.floats(100, 5000),
    warp_size=st.floats(30, 1000), share=st.floats(0.02, 1.0), warp_octaves=st.integers(1, 8),
    key=st.sampled_from(["perlin", "opensimplex2s"]),
)  # fmt: skip
def test_fine_bends_of_wide_octaves_are_seen(
    seed, octaves, size, warp_size, share, warp_octaves, key
):
    """An octave as smooth as can be has all the fine forms of its warp."""
    amount = share * warp_size
    kind = FractalNoise(
        basis=key, seed=seed, octaves=octaves, size=size, height=1.0,
        warp_amount=amount, warp_size=warp_size, warp_octaves=warp_octaves,
    )  # fmt: skip
    grid = dense(0.8, 150)
    got, expected = made(kind, grid), point_by_point(kind, grid)
    assert np.abs(got - expected).max() < 2e-3 + 5e-4 * amount * STEEPEST / size * octaves


def test_areas_go_from_end_to_end_whichever_way_axes_run():
    axis = RegularAxis.counted(10.0, 0.25, -4, 9)
    area = Area.of(axis, -axis)
    assert area == Area((9.0, 11.0), (-11.0, -9.0), (0.25, 0.25))
    assert covered(area, (3.0, 2.0)) == Area((-3.0, 23.0), (-23.0, 3.0), (3.0, 2.0))


def peak_of(kind, grid):
    """Bytes that a terrain takes while it is made."""
    made(kind, grid)
    tracemalloc.start()
    made(kind, grid)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize("key", ["fractal_noise", "dunes"])
@pytest.mark.parametrize("size", [1e4, 1e7])
def test_cells_far_larger_than_the_terrain_take_no_memory(key, size):
    """The lattice goes far beyond the terrain then, and bends fine against its points are to be
    made at those alone."""
    octaves = {"octaves": 1} if key == "fractal_noise" else {}
    kind = LAYERS[key](size=size, warp_amount=10.0, warp_size=40.0, warp_octaves=12, **octaves)
    assert peak_of(kind, dense(0.01, 50)) < 30e6


@pytest.mark.parametrize("key", ["dunes", "cracks"])
def test_bends_of_patterns_ask_whether_to_stop(key):
    """The lattice of a large terrain takes longer than the time between two squares."""
    grid, asked = dense(0.5, 60), []
    kind = LAYERS[key](warp_size=4000.0)

    def count(kind):
        asked.clear()
        recipe = Recipe(layers=(Layer.of(kind),))
        evaluate(recipe, grid, cancelled=lambda: bool(asked.append(1)))
        return len(asked)

    assert count(dataclasses.replace(kind, warp_amount=50.0)) > count(kind)


@pytest.mark.parametrize("weighting", [0.0, 0.5])
@pytest.mark.parametrize("fractal", ["fbm", "ridged", "hybrid_multifractal", "swiss"])
def test_other_sums_are_made_point_by_point(fractal, weighting):
    """Only their bends may be interpolated."""
    kind = FractalNoise(
        fractal=fractal, rotation=20.0, height=1.0, octaves=9, weighted_strength=weighting
    )
    grid = dense(0.5, 40)
    cos, sin = np.cos(np.radians(20)), np.sin(np.radians(20))
    u, v = cos * grid.x + sin * grid.y[:, None], cos * grid.y[:, None] - sin * grid.x
    expected = noise.sample(
        "perlin", u / 400, v / 400, fractal=fractal, octaves=9, weighted_strength=weighting
    )
    plain = fractal == "fbm" and not weighting
    np.testing.assert_allclose(made(kind, grid), expected, atol=2e-3 if plain else 2e-5)


def test_a_wide_warp_asks_whether_to_stop():
    grid, asked = dense(0.5, 200), []
    bends = Bends(50.0, cells(400.0), 3, 1)
    Placing(Area.of(grid.across, grid.along), 30.0, bends, cancelled=lambda: bool(asked.append(1)))
    assert asked


def test_share_of_octaves_adds_up():
    bends = Bends(1.0, cells(1.0), 5, 0)
    assert bends.share(0, 5) == pytest.approx(1)
    assert bends.share(0, 2) + bends.share(2, 5) == pytest.approx(1)
    assert dataclasses.replace(bends, octaves=1).share(0, 1) == 1
    assert bends.stretch > 1 == dataclasses.replace(bends, amount=0.0).stretch
    assert _placing.WARP in noise.WARPS
