# SPDX-License-Identifier: GPL-3.0-or-later
"""Forms on a terrain that repeats: others than those that repeat by themselves are blended with
their own continuation along the border."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator

import numpy as np

from ..numerics.arrays import Doubles, Floats
from ..numerics.grid import Grid

BAND = 1 / 16
"""Width of the band on either side of the border in which forms are blended, as a share of the
terrain's extent."""

Made = Callable[[Grid, slice, slice], Floats]
"""Fields, (..., ny, nx) float32, at the points of a grid, which are some rows and columns of
another one, moved by whole extents."""


def crossfaded(make: Made, grid: Grid, size_x: float, size_y: float) -> Floats:
    """Return a field that repeats after the extent of a terrain, without a step or a crease.

    Near the border it is a weighted mean of the field there and of the field beyond the opposite
    border; at the border itself both have the same weight. Elsewhere it is the field.

    Parameters
    ----------
    make : callable
        Returns the fields on a grid, which may lie beyond the border.
    grid : Grid
        Points on the terrain or around it.
    size_x, size_y : float
        Extent of the terrain in meters.

    Returns
    -------
    ndarray of float32, shape (..., ny, nx)

    Examples
    --------
    >>> grid = Grid.points(100.0, 100.0, 33, 33)
    >>> tilted = lambda grid, rows, columns: np.tile(grid.x, (grid.ny, 1)).astype(np.float32)
    >>> made = crossfaded(tilted, grid, 100.0, 100.0)
    >>> float(made[0, 0]), float(made[0, -1]), float(made[0, 24])
    (0.0, 0.0, 25.0)
    """
    out: Floats | None = None
    for rows, down, dy in _parts(grid.y, size_y):
        for columns, across, dx in _parts(grid.x, size_x):
            part = grid.window(
                columns.start, rows.start, columns.stop - columns.start, rows.stop - rows.start
            )
            moved = dataclasses.replace(part, x0=grid.x0 + dx, y0=grid.y0 + dy)
            made = make(moved, rows, columns)
            if out is None:
                out = np.zeros((*made.shape[:-2], *grid.shape), np.float32)
            out[..., rows, columns] += down[:, None] * across * made
    assert out is not None, "each point lies in a part"
    return out


def _parts(axis: Doubles, size: float) -> Iterator[tuple[slice, Floats, float]]:
    """Yield parts of an axis, their weights, and by how many meters they are moved.

    Each part lies within one extent of the terrain and the bands around it. The weights of the
    parts add up to 1.
    """
    half, band = size / 2, BAND * size
    first, last = (math.floor(float(end) / size + 0.5) for end in (axis[0] - band, axis[-1] + band))
    for number in range(first, last + 1):
        moved = axis - number * size
        t = np.clip((half - np.abs(moved)) / band, -1, 1)  # 0 at the border
        weight = (0.5 + t * (1.5 - 0.5 * t * t) / 2).astype(np.float32)
        near = np.flatnonzero(weight)
        if near.size:
            part = slice(int(near[0]), int(near[-1]) + 1)
            yield part, weight[part], -number * size
