# SPDX-License-Identifier: GPL-3.0-or-later
"""Dunes against what is measured of real ones: their slopes, and how they lie to the wind."""

import numpy as np
import pytest

from terrain_addon.core import Layer, Recipe, evaluate
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.numerics.grid import Grid

HEIGHTS = {"transverse": 16, "barchan": 16, "linear": 26, "star": 50, "parabolic": 14}
"""Meters, at 200 m from dune to dune."""
SIDE, COUNT = 1400.0, 351


def made(grid, **settings):
    layer = LAYERS["dunes"](size=200.0, **settings)
    recipe = Recipe(seed=2, size_x=SIDE, size_y=SIDE, layers=(Layer.of(layer),))
    return evaluate(recipe, grid).height


@pytest.fixture(scope="module", params=HEIGHTS)
def dunes(request):
    """Type, heights, and their gradients along the wind and across it."""
    grid = Grid.points(SIDE, SIDE, COUNT, COUNT)
    height = made(grid, type=request.param, height=HEIGHTS[request.param], slip_angle=32.0)
    across, along = np.gradient(height.astype(float), grid.dx)
    return request.param, height, along, across


def test_slip_faces_are_as_steep_as_sand_is(dunes):
    """30 to 34 degrees, Bagnold (1941); some points more, where dunes meet."""
    kind, _, along, across = dunes
    slope = np.degrees(np.arctan(np.hypot(along, across)))
    assert 27 < np.percentile(slope, 99.5) < 35
    assert slope.max() < 39
    assert np.percentile(slope, 50) < (25 if kind == "star" else 20)


def test_faces_lie_to_the_wind_as_those_of_their_kind(dunes):
    """Noses and crescents face down the wind, linear dunes both sides, stars all sides (McKee
    1979)."""
    kind, _, along, across = dunes
    steep = np.hypot(along, across) > np.tan(np.radians(24))
    down, left = along[steep], across[steep]
    if kind == "linear":
        assert np.mean(np.abs(left) > np.abs(down)) > 0.9
        assert 0.3 < np.mean(left > 0) < 0.7
    elif kind == "star":
        eighths = np.floor(np.arctan2(left, down) / (2 * np.pi) * 8).astype(int) % 8
        assert np.bincount(eighths, minlength=8).min() > 0.06 * steep.sum()
    else:
        assert np.mean(down < 0) > 0.85


def test_only_dunes_of_much_sand_leave_no_bare_ground(dunes):
    kind, height, _, _ = dunes
    bare = np.mean(height < 0.01 * HEIGHTS[kind])
    assert bare > 0.4 if kind in ("barchan", "parabolic") else bare < 0.3


@pytest.mark.parametrize("kind", HEIGHTS)
def test_windows_have_the_same_bits(kind):
    grid = Grid.points(SIDE, SIDE, 71, 64)
    settings = {"type": kind, "warp_amount": 30.0, "rotation": 20.0}
    whole = made(grid, **settings)
    for i, j, nx, ny in ((0, 0, 30, 20), (40, 31, 31, 23), (50, 50, 1, 1)):
        part = made(grid.window(i, j, nx, ny), **settings)
        np.testing.assert_array_equal(part, whole[j : j + ny, i : i + nx])


@pytest.mark.parametrize("kind", ["barchan", "star", "parabolic"])
def test_dunes_too_high_for_their_distance_keep_their_slopes(kind):
    grid = Grid.points(SIDE, SIDE, COUNT, COUNT)
    height = made(grid, type=kind, height=150.0, slip_angle=32.0).astype(float)
    assert np.degrees(np.arctan(np.hypot(*np.gradient(height, grid.dx)))).max() < 46


def test_crests_of_stars_are_round_enough_for_a_mesh():
    """Sharp crests across the edges of a mesh become rows of teeth.

    A sharp crest turns within one sample, whatever their distance.
    """
    turns = []
    for count in (257, 1025):
        grid = Grid.points(SIDE / 2, SIDE / 2, count, count)
        height = made(grid, type="star", height=50, slip_angle=32.0).astype(float)
        turns.append(np.quantile(np.abs(np.diff(height, 2, axis=1)), 0.999) / grid.dx)
    assert turns[1] < 0.6 * turns[0]
