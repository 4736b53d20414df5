# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines without the points that hardly change them."""

from __future__ import annotations

import numpy as np

from ..numerics.arrays import Doubles, Indices


def thinned(points: Doubles, starts: Indices, tolerance: float) -> Indices:
    """Return indices of the points of lines that remain when those within a tolerance are left out.

    Both ends of each line remain. All other points lie within ``tolerance`` of the line through
    those that remain, in all columns of ``points`` (n, columns).

    Source: David Douglas and Thomas Peucker, *Algorithms for the reduction of the number of points
    required to represent a digitized line or its caricature*, 1973; all parts of a line at once.

    Examples
    --------
    >>> line = np.float64([[0, 0], [1, 0.01], [2, 0], [3, 5]])
    >>> thinned(line, np.array([0]), 0.1).tolist()
    [0, 2, 3]
    """
    count = len(points)
    kept = np.zeros(count, bool)
    kept[starts] = True
    kept[np.append(starts[1:], count)[: len(starts)] - 1] = True
    left = np.flatnonzero(~kept)
    while left.size:
        known = np.flatnonzero(kept)
        part = np.searchsorted(known, left)
        away = _distances(points, left, known[part - 1], known[part])
        begins = np.flatnonzero(np.append(True, part[1:] != part[:-1]))
        counts = np.diff(np.append(begins, left.size))
        farthest = np.repeat(np.maximum.reduceat(away, begins), counts)
        worst = np.flatnonzero((away == farthest) & (away > tolerance))
        _, first = np.unique(part[worst], return_index=True)
        kept[left[worst[first]]] = True
        left = left[(farthest > tolerance) & ~kept[left]]
    return np.flatnonzero(kept)


def _distances(points: Doubles, which: Indices, start: Indices, end: Indices) -> Doubles:
    """Return the distances of points from the segments between others."""
    from_start, step = points[which] - points[start], points[end] - points[start]
    square = np.maximum((step * step).sum(axis=1), np.finfo(np.float64).tiny)
    share = np.clip((from_start * step).sum(axis=1) / square, 0, 1)
    return np.sqrt(((from_start - share[:, None] * step) ** 2).sum(axis=1))
