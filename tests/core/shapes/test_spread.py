# SPDX-License-Identifier: GPL-3.0-or-later
"""Values spread around lines, and lines without points that hardly change them."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Grid
from terrain_addon.core.shapes import Spread, thinned
from tests.core.shapes.test_shapes import POINTS, brute, winding_line


@given(st.lists(POINTS, min_size=1, max_size=3), st.floats(0.01, 200))
def test_a_thinned_line_stays_within_the_tolerance(lines, tolerance):
    starts = np.cumsum([0, *map(len, lines)])[:-1]
    every = np.array([point for line in lines for point in line], np.float64)
    kept = thinned(every, starts, tolerance)
    ends = np.append(starts[1:], len(every)) - 1
    assert set(starts) | set(ends) <= set(kept) and (np.diff(kept) > 0).all()
    for start, end in zip(starts, ends, strict=True):
        x, y = every[start : end + 1].T
        here = kept[(kept >= start) & (kept <= end)]
        assert brute([every[here]], False, x, y).max() <= tolerance + 1e-9


def test_points_on_a_straight_line_go():
    line = np.outer(np.linspace(0, 1, 1001), [300.0, 400.0, 30.0])
    assert thinned(line, np.array([0]), 1e-6).tolist() == [0, 1000]
    assert thinned(np.empty((0, 3)), np.empty(0, np.intp), 1.0).size == 0


def test_spread_values_are_weighted_means():
    """Against sums over a fine line in float64, at the nodes and between them."""
    line = winding_line(300)
    values = np.column_stack([np.linspace(0, 1, 301), np.sin(np.linspace(0, 9, 301))])
    spread = Spread.of(line, values, 200.0)
    grid = Grid.points(900.0, 500.0, 37, 21)
    found = spread.on(grid)
    x, y = np.meshgrid(grid.x, grid.y)
    square = (x[..., None] - line[:, 0]) ** 2 + (y[..., None] - line[:, 1]) ** 2
    weights = 1 / (square + spread.spacing**2) ** 2
    weights *= np.gradient(np.append(0, np.cumsum(np.hypot(*np.diff(line, axis=0).T))))
    for n in (0, 1):
        plain = (weights * values[:, n]).sum(axis=2) / weights.sum(axis=2)
        np.testing.assert_allclose(found[n], plain, atol=0.03)
        assert np.sqrt(np.mean((found[n] - plain) ** 2)) < 0.006


def test_windows_of_spread_values_have_the_same_bits():
    spread = Spread.of(winding_line(60), np.linspace(0, 5, 61)[:, None], 100.0)
    grid = Grid.points(900.0, 500.0, 97, 61)
    whole = spread.on(grid)
    np.testing.assert_array_equal(spread.on(grid.window(20, 30, 40, 9)), whole[:, 30:39, 20:60])


@pytest.mark.parametrize("line", [[(3.0, 4.0)], [(3.0, 4.0), (3.0, 4.0)]])
def test_a_single_place_has_its_value_everywhere(line):
    spread = Spread.of(np.array(line), np.full((len(line), 1), 7.0), 50.0)
    np.testing.assert_allclose(spread.on(Grid.points(80.0, 80.0, 5, 5)), 7, atol=1e-5)
