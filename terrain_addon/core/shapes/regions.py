# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex regions of the plane, divided into the samples of a grid.

Which samples lie in a region follows from coordinates alone, so windows of a grid agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Doubles, Indices
from ..numerics.grid import Grid

PAIRS = 2**18
"""Samples compared at once: temporaries stay in the cache."""
TINY = 1e-200
"""Stands for 0 where it would be divided by."""


@dataclass(frozen=True)
class Regions:
    """Convex regions of the plane, each with the segment that its samples are compared with.

    ``low`` and ``high`` are y; ``spans`` returns the x between which a region lies at y.
    """

    segment: Indices
    low: Doubles
    high: Doubles

    def spans(self, item: Indices, y: Doubles) -> tuple[Doubles, Doubles]:
        raise NotImplementedError


@dataclass(frozen=True)
class Boxes(Regions):
    """Rectangles between ``left`` and ``right``."""

    left: Doubles
    right: Doubles

    def spans(self, item: Indices, y: Doubles) -> tuple[Doubles, Doubles]:
        return self.left[item], self.right[item]


@dataclass(frozen=True)
class HalfPlanes(Regions):
    """Polygons: where all of ``normal . (x, y) <= limit``; (n, planes, 2) and (n, planes)."""

    normal: Doubles
    limit: Doubles

    def spans(self, item: Indices, y: Doubles) -> tuple[Doubles, Doubles]:
        low, high = np.full(len(item), -np.inf), np.full(len(item), np.inf)
        for n in range(self.limit.shape[1]):
            x = self.normal[:, n, 0].take(item)
            rest = self.limit[:, n].take(item) - self.normal[:, n, 1].take(item) * y
            bound = np.where(x != 0, rest / not_zero(x), np.where(rest < 0, -np.inf, np.inf))
            low = np.where(x < 0, np.maximum(low, bound), low)
            high = np.where(x < 0, high, np.minimum(high, bound))
        return low, high


def not_zero(values: Doubles) -> Doubles:
    """Return the values, with a tiny number in place of 0."""
    return np.where(np.abs(values) < TINY, TINY, values)


def samples_in(
    regions: Regions, grid: Grid, pairs: int = PAIRS
) -> Iterator[tuple[Indices, Indices, Indices]]:
    """Yield rows and columns of the samples in regions, and their segments, ``pairs`` at a time."""
    first, count = _between(regions.low, regions.high, grid.y0, grid.dy, grid.j0, grid.ny)
    for part in _portions(count, pairs):
        item, row = _expanded(count[part])
        item += part.start
        row += first[item]
        y = grid.y0 + grid.dy * (grid.j0 + row).astype(np.float64)
        low, high = regions.spans(item, y)
        start, width = _between(low, high, grid.x0, grid.dx, grid.i0, grid.nx)
        some = np.flatnonzero(width)
        row, start, width = row[some], start[some], width[some]
        segment = regions.segment[item[some]]
        for span in _portions(width, pairs):
            which, column = _expanded(width[span])
            which += span.start
            column += start[which]
            yield row[which], column, segment[which]


def _between(
    low: Doubles, high: Doubles, origin: float, step: float, offset: int, count: int
) -> tuple[Indices, Indices]:
    """Return the first sample of a window from ``low`` to ``high``, and how many there are."""
    first = np.clip(np.ceil((low - origin) / step) - offset, 0, count)
    stop = np.clip(np.floor((high - origin) / step) - offset + 1, 0, count)
    return first.astype(np.intp), np.maximum(stop - first, 0).astype(np.intp)


def _portions(counts: Indices, pairs: int) -> Iterator[slice]:
    """Yield the slices of items with about ``pairs`` samples each."""
    sums = np.cumsum(counts)
    start = 0
    while start < counts.size:
        done = sums[start - 1] if start else 0
        stop = max(int(np.searchsorted(sums, done + pairs, side="right")), start + 1)
        yield slice(start, stop)
        start = stop


def _expanded(counts: Indices) -> tuple[Indices, Indices]:
    """Return the item that each of all samples belongs to, and its number within that item."""
    item = np.repeat(np.arange(counts.size), counts)
    return item, np.arange(item.size) - np.repeat(np.cumsum(counts) - counts, counts)
