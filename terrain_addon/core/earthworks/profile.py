# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels of roads: close to the ground, and nowhere steeper than allowed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Doubles, Indices
from ..numerics.progress import Cancel, poll
from .courses import Courses

ROUNDS = 20
"""Steps toward the ground."""
ALONG = 2.0
"""Points of one line closer along it than this many widths do not meet there."""
MOST_PAIRS = 2**20
"""Points of roads that are compared with each other."""
CLOSE = 1e-9
"""Meters, above which a level has changed."""


def profile(
    courses: Courses, ground: Doubles, gradient: float, smooth: float, cancelled: Cancel | None
) -> Doubles:
    """Return levels (n,) of the points of roads near the ground, with a limited gradient.

    Where roads meet or cross, their levels agree within the gradient over the distance between
    them. The middle between the lowest surface of that gradient above the ground and the highest
    one below it has the least largest cut or fill; from there the levels are moved toward the
    ground, which makes cut and fill less on the whole.

    Parameters
    ----------
    ground : ndarray of float64, shape (n,)
        Heights of the ground along the roads, meters.
    gradient : float
        Largest rise per meter, 0 or more.
    smooth : float
        Meters along the road over which bumps are averaged.
    cancelled : callable or None
        Polled in each round.

    Raises
    ------
    ValueError
        The roads overlap so often that their points cannot be compared.

    Examples
    --------
    >>> from ..shapes import Shape
    >>> path = Shape.of("Path", [[(0, 0), (40, 0)]])
    >>> road = Courses.along(path, 4.0, 20.0, 100.0, 100.0, 10.0)
    >>> profile(road, np.array([0.0, 0.0, 8.0]), 0.1, 0.0, None).round(2)
    array([1.67, 3.  , 5.  ])
    """
    if not len(courses.x):
        return ground.copy()
    limit = _Limit(courses.distance, courses.line, meetings(courses), gradient, cancelled)
    level = limit.middle(ground)
    for _ in range(ROUNDS):
        level = limit.middle((level + ground) / 2)
    reach = smooth / 2
    return limit.middle(_smoothed(_smoothed(level, courses, reach), courses, reach))


@dataclass(frozen=True)
class Meetings:
    """Pairs of points of roads whose surfaces overlap, and their distances in meters."""

    one: Indices
    two: Indices
    distance: Doubles


def meetings(courses: Courses) -> Meetings:
    """Return the points of roads that overlap: of different roads, or of one that returns to
    itself."""
    one, two = _close(courses)
    distance = np.hypot(courses.x[one] - courses.x[two], courses.y[one] - courses.y[two])
    along, line = courses.distance, courses.line
    widths = courses.half[one] + courses.half[two]
    apart = (line[one] != line[two]) | (np.abs(along[one] - along[two]) > ALONG * widths)
    some = apart & (distance <= widths)
    return Meetings(one[some], two[some], distance[some])


def _close(courses: Courses) -> tuple[Indices, Indices]:
    """Return the pairs of points in the same or in adjacent cells, whose side is the widest
    road."""
    side = max(2 * float(courses.half.max()), 1e-3)
    column: Indices = np.floor(courses.x / side).astype(np.intp)
    row: Indices = np.floor(courses.y / side).astype(np.intp)
    across = int(column.max() - column.min()) + 3
    cell: Indices = (row - row.min() + 1) * across + column - column.min() + 1
    order: Indices = np.argsort(cell, kind="stable")
    found: Indices = cell[order]
    ones: list[Indices] = []
    twos: list[Indices] = []
    total = 0
    for shift in (0, 1, across - 1, across, across + 1):
        start: Indices = np.searchsorted(found, found + shift, "left")
        stop: Indices = np.searchsorted(found, found + shift, "right")
        if shift == 0:  # each pair once
            start = np.arange(1, len(found) + 1)
        counts = np.maximum(stop - start, 0)
        total += int(counts.sum())
        if total > MOST_PAIRS:
            raise ValueError("The road runs over itself too often: simplify its curve")
        item = np.repeat(np.arange(len(found)), counts)
        other = np.arange(len(item)) - np.repeat(np.cumsum(counts) - counts - start, counts)
        ones.append(order[item])
        twos.append(order[other])
    return np.concatenate(ones), np.concatenate(twos)


@dataclass(frozen=True)
class _Limit:
    """A largest gradient along roads, and between points where they meet."""

    distance: Doubles
    line: Indices
    meetings: Meetings
    gradient: float
    cancelled: Cancel | None

    def middle(self, level: Doubles) -> Doubles:
        """Return the profile between the envelopes: of all levels of the gradient, that with the
        least largest change."""
        return (self._above(level) - self._above(-level)) / 2

    def _above(self, level: Doubles) -> Doubles:
        """Return the lowest levels of the gradient that are nowhere below ``level``: the largest of
        all ``level[k] - gradient * distance to k``, by running maxima along each line."""
        meet = self.meetings
        close = max(CLOSE, self._rounding(level))
        while True:
            poll(self.cancelled)
            level = self._swept(self._swept(level, 1), -1)
            if not len(meet.one):
                return level
            raised = level.copy()
            drop = self.gradient * meet.distance
            np.maximum.at(raised, meet.one, level[meet.two] - drop)
            np.maximum.at(raised, meet.two, level[meet.one] - drop)
            if (raised - level).max() <= close:
                return level
            level = raised

    def _rounding(self, level: Doubles) -> float:
        """Return meters by which a sweep rounds: more than CLOSE with thousands of lines, whose
        rounding would otherwise count as a change forever."""
        span = np.abs(level).max() + self.gradient * self.distance[-1] + 1
        return 8 * float(np.finfo(np.float64).eps * span * (self.line[-1] + 1))

    def _swept(self, level: Doubles, way: int) -> Doubles:
        """Return the envelope of what lies before each point, in one direction."""
        tilt = way * self.gradient * self.distance
        tilted = (level + tilt)[::way]
        # Each line is lifted above the one before it, so that no line continues in the next.
        lift = self.line[::way] * way * (np.ptp(tilted) + 1)
        swept = np.maximum.accumulate(tilted + lift) - lift
        return swept[::way] - tilt


def _smoothed(level: Doubles, courses: Courses, reach: float) -> Doubles:
    """Return the means of the levels within ``reach`` meters along each line, as far as it goes
    either way."""
    counts = np.diff(np.append(courses.begins, len(level)))
    begin = np.repeat(courses.begins, counts)
    last = begin + np.repeat(counts, counts) - 1
    distance, place = courses.distance, np.arange(len(level))
    step = (distance[last] - distance[begin]) / np.maximum(last - begin, 1)
    most = np.floor(reach / np.maximum(step, 1e-9)).astype(np.intp)
    count = np.minimum(most, np.minimum(place - begin, last - place))
    sums = np.append(0.0, np.cumsum(level - level[0]))
    return (sums[place + count + 1] - sums[place - count]) / (2 * count + 1) + level[0]
