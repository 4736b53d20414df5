# SPDX-License-Identifier: GPL-3.0-or-later
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Grid

COUNTS = st.integers(2, 60)


@given(COUNTS, COUNTS)
def test_points_reach_from_border_to_border(nx, ny):
    grid = Grid.points(1000.0, 300.0, nx, ny)
    assert grid.shape == (ny, nx)
    np.testing.assert_allclose(grid.x, np.linspace(-500, 500, nx), atol=1e-9)
    np.testing.assert_allclose(grid.y, np.linspace(-150, 150, ny), atol=1e-9)


@given(COUNTS, COUNTS)
def test_pixels_are_centres(nx, ny):
    grid = Grid.pixels(1000.0, 300.0, nx, ny)
    np.testing.assert_allclose(grid.x, (np.arange(nx) + 0.5) / nx * 1000 - 500, atol=1e-9)
    np.testing.assert_allclose(grid.y, (np.arange(ny) + 0.5) / ny * 300 - 150, atol=1e-9)


@given(st.integers(0, 20), st.integers(0, 20), COUNTS, COUNTS, st.integers(0, 5))
def test_windows_and_margins_keep_the_bits_of_coordinates(i, j, nx, ny, margin):
    whole = Grid.points(777.7, 333.3, 100, 90)
    window = whole.window(i, j, nx, ny).padded(margin)
    padded = whole.padded(margin)
    np.testing.assert_array_equal(window.x, padded.x[i : i + nx + 2 * margin])
    np.testing.assert_array_equal(window.y, padded.y[j : j + ny + 2 * margin])


@pytest.mark.parametrize(("step", "shape"), [(1, (50, 70)), (2, (25, 35)), (8, (7, 9))])
def test_every_nth_sample(step, shape):
    grid = Grid.pixels(700.0, 500.0, 70, 50)
    some = grid.every(step)
    assert some.shape == shape
    np.testing.assert_array_equal(some.x, grid.x[::step])
    np.testing.assert_array_equal(some.y, grid.y[::step])


def test_one_sample_lies_in_the_middle():
    assert list(Grid.points(10.0, 10.0, 1, 1).x) == [0.0]


def test_impossible_grids():
    with pytest.raises(ValueError, match="at least one point"):
        Grid.points(1.0, 1.0, 0, 5)
    with pytest.raises(ValueError, match="spacing must be above zero"):
        Grid(2, 2, 0.0, 0.0, 0.0, 1.0)
    half: Any = 1.5
    with pytest.raises(ValueError, match="whole numbers of points, not 1.5 x 2"):
        Grid(half, 2, 0.0, 0.0, 1.0, 1.0)
    for wrong in (float("nan"), float("inf")):
        for place in range(4):
            numbers: list[Any] = [1.0] * 4
            numbers[place] = wrong
            with pytest.raises(ValueError, match="must be finite numbers, not .*(nan|inf)"):
                Grid(2, 2, *numbers)
    two: Any = np.int64(2)
    assert Grid(two, 2, 0.0, 0.0, 1.0, 1.0).shape == (2, 2)


def test_margins_end_beyond_the_border_in_the_same_place_for_every_window():
    grid = Grid.points(300.0, 100.0, 301, 101)
    assert grid.with_margin(7, 300.0, 100.0) == grid.padded(7)
    wide = grid.with_margin(10**9, 300.0, 100.0)
    assert (wide.i0, wide.j0, wide.nx, wide.ny) == (-150, -50, 601, 201)
    for window in (grid.window(290, 3, 11, 5), grid.window(-4, 0, 9, 101)):
        assert window.with_margin(10**9, 300.0, 100.0) == wide


def test_a_grid_beyond_the_limit_gets_no_longer_a_margin():
    grid = Grid.points(300.0, 100.0, 301, 101).window(-400, -10, 900, 20)
    wide = grid.with_margin(10**9, 300.0, 100.0)
    assert (wide.i0, wide.nx) == (-400 - 150, 900 + 2 * 150)
    assert (wide.j0, wide.ny) == (-50, 201)


@given(st.floats(1e-3, 1e7), st.integers(2, 300), st.integers(0, 10**12))
def test_no_margin_multiplies_the_points(size, count, margin):
    for grid in (Grid.points(size, size, count, count), Grid.pixels(size, size, count, count)):
        wide = grid.with_margin(margin, size, size)
        assert wide.nx <= max(2 * count + 2, count + 34)
        assert wide.nx == min(wide.nx, count + 2 * margin)
        assert wide.x[grid.i0 - wide.i0] == grid.x[0]
