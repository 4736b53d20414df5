# SPDX-License-Identifier: GPL-3.0-or-later
"""Smooth curves through points that never overshoot."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import Floats

Points = tuple[tuple[float, float], ...]
MOST_POINTS = 32
LEAST_STEP = 1e-4
"""Of x between two points."""
DIGITS = 6


def curve_points(text: str) -> Points:
    """Return the points of a curve from text such as ``"0 0, 0.4 0.7, 1 1"``, sorted by x.

    An empty text has no points.

    Raises
    ------
    ValueError
        It is no list of at least two pairs of numbers from 0 to 1 with different x.
    """
    if not text.strip():
        return ()
    try:
        pairs = [tuple(map(float, pair.split())) for pair in text.split(",")]
    except ValueError:
        pairs = []
    points = tuple(sorted((pair[0], pair[1]) for pair in pairs if len(pair) == 2))
    if len(points) < 2 or len(points) != len(pairs):
        raise ValueError(f"curve: expected points such as 0 0, 0.4 0.7, 1 1, not {text[:60]!r}")
    if not all(0 <= number <= 1 for point in points for number in point):
        raise ValueError("curve: points must lie between 0 and 1")
    if len(points) > MOST_POINTS:
        raise ValueError(f"curve: at most {MOST_POINTS} points, not {len(points)}")
    if any(b[0] - a[0] < LEAST_STEP for a, b in itertools.pairwise(points)):
        raise ValueError(f"curve: points must be at least {LEAST_STEP} apart along x")
    return points


def curve_text(points: Sequence[tuple[float, float]]) -> str:
    """Return the text of a curve, which :func:`curve_points` reads.

    Examples
    --------
    >>> curve_text([(0.0, 0.0), (0.4, 0.75), (1.0, 1.0)])
    '0 0, 0.4 0.75, 1 1'
    """
    return ", ".join(" ".join(f"{round(n, DIGITS):g}" for n in point) for point in points)


@dataclass(frozen=True)
class Curve:
    """A monotone piecewise cubic through points; level before the first and after the last.

    Between two points it stays between their heights. The slope at a point is the harmonic mean of
    those beside it, weighted by their lengths, and 0 at a peak, in a dip and at the ends of a level
    part (Fritsch and Butland, *A Method for Constructing Local Monotone Piecewise Cubic
    Interpolants*, 1984). At the ends it is that of the straight line.

    Examples
    --------
    >>> curve = Curve.through(((0.0, 0.0), (0.5, 0.5), (1.0, 1.0)))
    >>> curve(np.array([-1.0, 0.25, 0.75, 2.0], np.float32)).tolist()
    [0.0, 0.25, 0.75, 1.0]
    """

    starts: Floats
    """x of the first point of each part but the first."""
    parts: Floats
    """(5, n) x of its first point, then the coefficients of its cubic, the constant first."""
    first: np.float32
    last: np.float32

    @classmethod
    def through(cls, points: Points) -> Curve:
        """Make the curve of at least two points, sorted by x."""
        x, y = np.array(points, np.float64).T
        h = np.diff(x)
        slopes = np.diff(y) / h
        m = np.concatenate([slopes[:1], np.zeros(len(x) - 2), slopes[-1:]])
        before, after = slopes[:-1], slopes[1:]
        w1, w2 = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
        same = before * after > 0
        weighted = w1[same] / before[same] + w2[same] / after[same]
        m[1:-1][same] = (w1 + w2)[same] / weighted
        square = (3 * slopes - 2 * m[:-1] - m[1:]) / h
        cube = (m[:-1] + m[1:] - 2 * slopes) / (h * h)
        parts = np.stack([x[:-1], y[:-1], m[:-1], square, cube]).astype(np.float32)
        ends = np.array([x[0], x[-1]], np.float32)
        return cls(x[1:-1].astype(np.float32), parts, ends[0], ends[1])

    def __call__(self, values: Floats) -> Floats:
        """Return the heights of the curve, float32: each depends on its own value only."""
        within = np.clip(values, self.first, self.last)
        part = np.searchsorted(self.starts, within, side="right")
        start, constant, slope, square, cube = (row[part] for row in self.parts)
        t = within - start
        return constant + t * (slope + t * (square + t * cube))
