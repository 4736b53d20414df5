# SPDX-License-Identifier: GPL-3.0-or-later
"""Where lines cross others, or themselves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Doubles, Indices
from .shape import CLOSED, FACE, FRAME, Shape

PAIRS = 2**20
"""Segments compared at once."""


@dataclass(frozen=True)
class Crossings:
    """Where two lines cross, in order of the segments of the first.

    Attributes
    ----------
    points : ndarray of float64, shape (n, 2)
        x and y of each crossing.
    one, two : ndarray of intp, shape (n,)
        Numbers of the segments of the lines that cross there.
    share : ndarray of float64, shape (n,)
        Share of the segment of the first line that lies before the crossing, from 0 to 1.
    """

    points: Doubles
    one: Indices
    two: Indices
    share: Doubles


def crossings(one: Doubles, two: Doubles) -> Crossings:
    """Return where two lines of points, (n, 2) each, cross; no point of a line counts twice.

    Examples
    --------
    >>> crossings(np.array([[0.0, 0], [10, 0]]), np.array([[4.0, -1], [4, 1], [6, -1]])).points
    array([[4., 0.],
           [5., 0.]])
    """
    start, along = one[:-1], np.diff(one, axis=0)
    begin, across = two[:-1], np.diff(two, axis=0)
    size = max(PAIRS // max(len(across), 1), 1)
    found = [(np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0))]
    for first in range(0, len(start), size):
        p, r = start[first : first + size, None], along[first : first + size, None]
        gap, turn = begin - p, _cross(r, across)
        with np.errstate(divide="ignore", invalid="ignore"):
            t, u = _cross(gap, across) / turn, _cross(gap, r) / turn
        j, k = np.nonzero((t >= 0) & (t < 1) & (u >= 0) & (u < 1))
        found.append((first + j, k, t[j, k]))
    segment, other, share = (np.concatenate(part) for part in zip(*found, strict=True))
    return Crossings(start[segment] + share[:, None] * along[segment], segment, other, share)


def crosses_itself(shape: Shape) -> bool:
    """Return whether a line of a shape crosses itself; faces and frames do not.

    Examples
    --------
    >>> crosses_itself(Shape.of("Eight", [[(0, 0), (9, 9), (9, 0), (0, 9)]]))
    True
    >>> crosses_itself(Shape.of("Square", [[(0, 0), (9, 0), (9, 9), (0, 9)]], CLOSED))
    False
    """
    parts = np.split(shape.points[:, :2], shape.starts[1:]) if len(shape.starts) else []
    for points, kind in zip(parts, shape.kinds.tolist(), strict=True):
        if kind in (FACE, FRAME):
            continue
        line = np.concatenate([points, points[:1]]) if kind == CLOSED else points
        line = line[np.append(True, (np.diff(line, axis=0) != 0).any(axis=1))]
        found, last = crossings(line, line), len(line) - 2
        apart = np.abs(found.one - found.two)
        # Neighbors share a point, and so do the ends of a closed line.
        closed = (line[0] == line[-1]).all() if len(line) else False
        if (apart > 1)[(apart < last) | (not closed)].any():
            return True
    return False


def _cross(one: Doubles, two: Doubles) -> Doubles:
    return one[..., 0] * two[..., 1] - one[..., 1] * two[..., 0]
