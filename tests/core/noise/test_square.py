# SPDX-License-Identifier: GPL-3.0-or-later
"""Evenly spaced axes, grids of square cells and their diagonals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from terrain_addon.core import Grid, noise
from terrain_addon.core.noise.simplex.diagonals import MARGIN, MOST, MULTIPLE, Diagonals, Upright
from terrain_addon.core.numerics.axis import square_grid
from terrain_addon.core.numerics.work_arrays import Scratch


@given(width=st.integers(1, 400), height=st.integers(1, 400))
@example(1, 2048)
@example(1024, 1)
@example(2048, 1024)
def test_diagonals_bring_every_sample_to_its_place(width: int, height: int) -> None:
    """Of every sample its numbers s = X + Y and t = X - Y arrive where they belong."""
    block, scratch = Diagonals(width, height), Scratch()
    images = [Upright(block, scratch, name) for name in ("s", "t")]
    for image in images:
        image.image.fill(np.nan)
    for tile in block.tiles():
        assert tile.shape[0] % 2 == 0
        room = tile.room("room", 2, scratch)
        room.fill(np.nan)  # the margins are of no use
        rows = block.s[tile.rows]
        samples = tile.samples(room)
        assert samples.shape[1:] == (rows.size, block.t[0, tile.columns].size)
        samples[0] = rows[:, None]
        samples[1] = block.t[rows % 2][:, tile.columns]
        for image, part in zip(images, room, strict=True):
            image.put(tile, part)
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    assert np.array_equal(images[0].image, x + y)
    assert np.array_equal(images[1].image, x - y)


def test_margins_of_tiles_take_what_juts_out() -> None:
    assert MARGIN > MOST // 2
    assert MARGIN % MULTIPLE == 0


def test_even_axes_are_numbers_to_numpy() -> None:
    axis = noise.RegularAxis.counted(10.0, 0.25, -4, 9)
    assert np.array_equal(np.asarray(axis), 9 + np.arange(9) / 4)
    changed = -(axis - 1.5)[2:7] / 2
    assert np.array_equal(changed.values, -(7.5 + np.arange(2, 7) / 4) / 2)
    assert (changed.start, changed.step, changed.first) == (-4.25, -0.125, -2)
    counted = noise.sample_grid("value", axis, changed)
    assert np.array_equal(counted, noise.sample_grid("value", [*axis.values], changed.values))


def test_even_axes_have_no_gaps() -> None:
    axis = noise.RegularAxis.counted(3.0, 0.125, 5, 100)
    assert [*axis[2:4]] == [3.875, 4.0]
    assert [*(axis[2:4] + 1)] == [4.875, 5.0]
    assert len(axis[7:7]) == 0
    for step in (2, -1):
        with pytest.raises(ValueError, match="without a step"):
            axis[::step]


@pytest.mark.parametrize("basis", ["opensimplex2", "opensimplex2s"])
def test_windows_far_from_where_counting_starts_are_as_precise(basis: str) -> None:
    x = noise.RegularAxis.counted(-1e9, 1 / 8, 8 * 10**9, 40)
    grid = noise.sample_grid(basis, x, x)
    near = noise.sample(basis, np.arange(40) / 8, np.arange(40)[:, None] / 8)
    np.testing.assert_allclose(grid, near, rtol=0, atol=1e-6)


def test_windows_of_a_grid_count_from_one_origin() -> None:
    grid = Grid.points(2000.0, 1000.0, 201, 101)
    window = grid.window(7, 90, 11, 5)
    assert np.array_equal(window.across.values, grid.x[7:18])
    assert np.array_equal(window.along.values, grid.y[90:95])
    assert (window.across.start, window.across.step) == (grid.across.start, grid.across.step)
    assert (window.across.first, window.along.first) == (7, 90)


def test_what_is_a_grid_of_square_cells() -> None:
    x = np.arange(400) * 0.1
    found = square_grid(x - 3, 5 - x[:307], 8.0)
    assert found is not None
    assert found.step == pytest.approx(0.1)
    assert found.first == (0, -306)
    assert found.flipped == (False, True)
    assert square_grid(x, x * (1 + 1e-9), 8.0) is None
    assert square_grid(x, np.concatenate([x, [20.0]]), 8.0) is None
    assert square_grid(np.zeros(400), np.zeros(400), 8.0) is None
    one = noise.RegularAxis.counted(0.0, 0.1, 3, 1)
    assert square_grid(one, one, 8.0) is not None
    assert square_grid(one, one[:0], 8.0) is None
    assert square_grid(one, [0.0], 8.0) is None
