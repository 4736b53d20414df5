# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines and areas cut at a rectangle around 0."""

from __future__ import annotations

import numpy as np

from ..numerics.arrays import Doubles


def clipped_lines(points: Doubles, half_x: float, half_y: float) -> list[Doubles]:
    """Return the parts of a line (n, 2) within a rectangle, each with its ends on the border.

    Source: Liang and Barsky, *A new concept and method for line clipping*, 1984; all segments at
    once.

    Examples
    --------
    >>> [part.tolist() for part in clipped_lines(np.float64([[-9, 0], [9, 0], [0, 3]]), 5.0, 5.0)]
    [[[-5.0, 0.0], [5.0, 0.0]], [[5.0, 1.3333333333333333], [0.0, 3.0]]]
    """
    start, step = points[:-1], np.diff(points, axis=0)
    half = np.array([half_x, half_y])
    with np.errstate(divide="ignore", invalid="ignore"):
        one, two = (-half - start) / step, (half - start) / step
    still = step == 0
    inside = np.abs(start) <= half
    enter = np.where(still, np.where(inside, 0, 2), np.minimum(one, two)).max(axis=1, initial=0)
    leave = np.where(still, 1, np.maximum(one, two)).min(axis=1, initial=1)
    lines: list[list[Doubles]] = []
    before = -2
    for place in np.flatnonzero((enter < leave) & (step != 0).any(axis=1)).tolist():
        if before != place - 1 or enter[place] > 0:
            lines.append([np.clip(start[place] + enter[place] * step[place], -half, half)])
        end = start[place] + leave[place] * step[place] if leave[place] < 1 else points[place + 1]
        lines[-1].append(np.clip(end, -half, half))
        before = place if leave[place] == 1 else -2
    return [np.array(line) for line in lines]


def clipped_ring(points: Doubles, half_x: float, half_y: float) -> Doubles:
    """Return the part of a closed line (n, 2) within a rectangle; without points if there is none.

    Of a border that leaves and comes back, parts are joined along the border of the rectangle.

    Source: Sutherland and Hodgman, *Reentrant polygon clipping*, 1974; all edges at once.

    Examples
    --------
    >>> clipped_ring(np.float64([[0, 0], [9, 0], [9, 9], [0, 9]]), 5.0, 5.0).tolist()
    [[0.0, 0.0], [5.0, 0.0], [5.0, 5.0], [0.0, 5.0]]
    """
    for axis, sign, limit in ((0, 1, half_x), (0, -1, half_x), (1, 1, half_y), (1, -1, half_y)):
        if not len(points):
            break
        beyond = sign * points[:, axis] - limit
        following, further = np.roll(points, -1, axis=0), np.roll(beyond, -1)
        inside, crosses = beyond <= 0, (beyond <= 0) != (further <= 0)
        share = beyond / np.where(crosses, beyond - further, 1)
        at = points + share[:, None] * (following - points)
        at[:, axis] = sign * limit
        both = np.stack([points, at], axis=1)
        points = both[np.stack([inside, crosses], axis=1)]
    if len(points):
        points = points[(points != np.roll(points, 1, axis=0)).any(axis=1)]
    return points if len(points) > 2 else np.empty((0, 2))
