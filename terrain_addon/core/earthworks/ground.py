# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights of the terrain at points, from a grid that does not depend on the one asked for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..numerics.arrays import Doubles, Floats
from ..numerics.grid import Grid
from ..numerics.resample import bilinear_exact

TILE = 128
"""Samples along the side of a part of the grid: only those with points are evaluated."""


def fixed_grid(size_x: float, size_y: float, spacing: float) -> Grid:
    """Return the points from border to border of a terrain, about ``spacing`` meters apart, 2 or
    more each way."""
    nx, ny = (max(int(np.ceil(size / spacing)), 1) + 1 for size in (size_x, size_y))
    return Grid.points(size_x, size_y, nx, ny)


def ground_at(
    heights_below: Callable[[Grid], Floats], grid: Grid, x: Doubles, y: Doubles
) -> Doubles:
    """Return the heights of the terrain at points (n,), bilinear between the points of ``grid``.

    Points beyond the grid have the heights of its border. ``heights_below`` evaluates windows.

    Examples
    --------
    >>> ramp = lambda grid: np.broadcast_to(np.float32(grid.x), grid.shape)
    >>> ground_at(ramp, fixed_grid(100.0, 100.0, 10.0), np.array([0.0, 12.5, 80.0]), np.zeros(3))
    array([ 0. , 12.5, 50. ])
    """
    column = np.clip((x - grid.x0) / grid.dx, 0, grid.nx - 1)
    row = np.clip((y - grid.y0) / grid.dy, 0, grid.ny - 1)
    i, j = (np.floor(one).astype(np.intp) for one in (column, row))
    across = grid.nx // TILE + 1
    tile = j // TILE * across + i // TILE
    order = np.argsort(tile, kind="stable")
    out = np.empty(len(x))
    for some in np.split(order, np.flatnonzero(np.diff(tile[order])) + 1):
        if not len(some):
            continue
        left, low = i[some].min(), j[some].min()
        nx, ny = (
            min(int(one[some].max()) + 2, count) - int(least)
            for one, least, count in ((i, left, grid.nx), (j, low, grid.ny))
        )
        heights = heights_below(grid.window(int(left), int(low), nx, ny))
        out[some] = bilinear_exact(heights, row[some] - low, column[some] - left)
    return out
