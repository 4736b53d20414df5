# SPDX-License-Identifier: GPL-3.0-or-later
"""Grids on a terrain that repeats: the points of one period stand for all others."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Floats, Indices
from ..numerics.grid import Grid

EXACT = 1e-6
"""Deviation from a whole number of samples, as a share of a sample, that counts as rounding."""


@dataclass(frozen=True)
class _Axis:
    """Points along one axis: runs of points within the period, as first index and count, and the
    place of each point among them."""

    runs: list[tuple[int, int]]
    places: Indices


def periods(grid: Grid, size_x: float, size_y: float) -> tuple[int, int] | None:
    """Return the number of samples along X and Y after which a terrain of that extent repeats on a
    grid; None if it is no whole number."""
    counts = round(size_x / grid.dx), round(size_y / grid.dy)
    whole = (
        count >= 1 and abs(size / step - count) <= EXACT
        for count, size, step in zip(counts, (size_x, size_y), (grid.dx, grid.dy), strict=True)
    )
    return counts if all(whole) else None


@dataclass(frozen=True)
class Folded:
    """A grid whose points are those of windows within one period."""

    grid: Grid
    across: _Axis
    along: _Axis

    @classmethod
    def of(cls, grid: Grid, size_x: float, size_y: float) -> Folded | None:
        """Return a grid folded into the period from the lower borders on, which excludes the upper
        borders; None where it lies within the period, or samples do not fit into it."""
        counts = periods(grid, size_x, size_y)
        if counts is None:
            return None
        across = _folded(grid.i0, grid.nx, grid.x0, grid.dx, size_x, counts[0])
        along = _folded(grid.j0, grid.ny, grid.y0, grid.dy, size_y, counts[1])
        if across.runs == [(grid.i0, grid.nx)] and along.runs == [(grid.j0, grid.ny)]:
            return None
        return cls(grid, across, along)

    def windows(self) -> list[list[Grid]]:
        """Return the windows to evaluate: rows of them."""
        return [
            [
                self.grid.window(i - self.grid.i0, j - self.grid.j0, nx, ny)
                for i, nx in self.across.runs
            ]
            for j, ny in self.along.runs
        ]

    def joined(self, parts: list[list[Floats]]) -> Floats:
        """Return the points of the grid from those of the windows."""
        whole: Floats = np.concatenate([np.concatenate(row, axis=1) for row in parts])
        rows = whole.take(self.along.places, axis=0)
        return rows.take(self.across.places, axis=1)


def _folded(start: int, count: int, origin: float, step: float, size: float, period: int) -> _Axis:
    first = math.ceil((-size / 2 - origin) / step - EXACT)
    numbers: Indices = np.arange(start, start + count, dtype=np.intp)
    numbers = (numbers - first) % period + first
    found: Indices = np.unique(numbers)
    gaps = np.flatnonzero(np.diff(found) > 1)
    if found.size > period // 2:  # one window, with the points between: a margin is as wide
        gaps = gaps[:0]
    parts: list[Indices] = np.split(found, gaps + 1)
    runs = [(int(part[0]), int(part[-1] - part[0]) + 1) for part in parts]
    begins = np.array([begin for begin, _ in runs], np.intp)
    lengths = np.cumsum([0, *(length for _, length in runs)], dtype=np.intp)
    run = np.searchsorted(begins, numbers, side="right") - 1
    return _Axis(runs, lengths[run] + numbers - begins[run])
