# SPDX-License-Identifier: GPL-3.0-or-later
"""Areas: how often closed lines wind around points."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Doubles, Indices
from ..numerics.grid import Grid
from .segments import Segments

AT_ONCE = 2**21
"""Comparisons of points and segments at once."""


def winding(borders: Segments, grid: Grid) -> NDArray[np.int32]:
    """Return how often closed lines wind counterclockwise around the points of a grid: (ny, nx).

    Points on a border are outside on its right and upper side, and inside on the others. Only
    where a border crosses a row of the grid is anything computed, so the number of rows counts,
    whatever the number of samples.

    Source: the winding number by crossings (Sunday, *Inclusion of a point in a polygon*, 2001).

    Examples
    --------
    >>> from terrain_addon.core.shapes import CLOSED, Shape
    >>> square = Shape.of("Square", [[(-1, -1), (1, -1), (1, 1), (-1, 1)]], CLOSED)
    >>> winding(square.areas, Grid.points(6.0, 3.0, 4, 4))
    array([[0, 0, 0, 0],
           [0, 1, 0, 0],
           [0, 1, 0, 0],
           [0, 0, 0, 0]], dtype=int32)
    """
    x, y = grid.x, grid.y
    low, high, step = _upward(borders)
    first, stop = (np.searchsorted(y, one[:, 1], "left") for one in (low, high))
    counts = np.maximum(stop - first, 0)
    item = np.repeat(np.arange(counts.size), counts)
    row = np.arange(item.size) - np.repeat(np.cumsum(counts) - counts - first, counts)
    crossing = np.searchsorted(x, _crossing(low, high, item, y[row]), "left")
    place = row * (grid.nx + 1) + crossing
    jumps = np.bincount(place, step[item], grid.ny * (grid.nx + 1))
    jumps = jumps.reshape(grid.ny, grid.nx + 1)[:, :-1]
    return np.cumsum(jumps, axis=1).astype(np.int32)


def winding_at(borders: Segments, x: Doubles, y: Doubles) -> NDArray[np.int32]:
    """Count as :func:`winding` does, at points (n,)."""
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    low, high, step = _upward(borders)
    out = np.zeros(x.shape, np.int32)
    for begin in range(0, len(step), many := max(1, AT_ONCE // max(x.size, 1))):
        some = np.arange(begin, min(begin + many, len(step)))
        rows = (low[some, None, 1] <= y) & (y < high[some, None, 1])
        item, point = np.nonzero(rows)
        left = _crossing(low, high, some[item], y[point]) <= x[point]
        out += np.bincount(point, step[some[item]] * left, x.size).astype(np.int32)
    return out


def _upward(borders: Segments) -> tuple[Doubles, Doubles, Doubles]:
    """Order the ends of segments from the lower to the upper one; 1 where they go
    downward.

    Both segments of a border between two faces have the same ends, and so cross at the same place.
    """
    start, end = borders.start, borders.end
    up = end[:, 1] > start[:, 1]
    low, high = (np.where(up[:, None], *pair) for pair in ((start, end), (end, start)))
    return low, high, np.where(up, -1.0, 1.0)


def _crossing(low: Doubles, high: Doubles, item: Indices, y: Doubles) -> Doubles:
    """Return where segments cross heights y."""
    rise = np.maximum(high[:, 1] - low[:, 1], np.finfo(np.float64).tiny)
    return low[item, 0] + (y - low[item, 1]) / rise[item] * (high - low)[item, 0]
