# SPDX-License-Identifier: GPL-3.0-or-later
"""Center lines of roads as points at even distances."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Bools, Doubles, Indices
from ..settings.plain_data import plain_data
from ..shapes import Shape

MOST = 2**16
"""Steps of all roads together: longer ones get longer steps."""
GAP = 1.0
"""Meters between two lines where all are laid end to end."""


@plain_data
@dataclass(frozen=True)
class Courses:
    """Center lines of roads: points at even distances along each.

    Attributes
    ----------
    x, y : ndarray of float64, shape (n,)
        Meters.
    level : ndarray of float64, shape (n,)
        Height of the road in meters.
    half : ndarray of float64, shape (n,)
        Meters from the center to the edge.
    begins : ndarray of intp, shape (lines,)
        Index of the first point of each line, ascending from 0.
    """

    x: Doubles
    y: Doubles
    level: Doubles
    half: Doubles
    begins: Indices

    @classmethod
    def along(
        cls, shape: Shape, half: float, step: float, size_x: float, size_y: float, margin: float
    ) -> Courses:
        """Return the lines of a shape, with the heights of its points as levels.

        Parameters
        ----------
        half : float
            Meters from the center to the edge, multiplied by the radius of the points.
        step : float
            Largest distance of two points in meters; larger where lines are very long.
        size_x, size_y, margin : float
            Extent of the terrain, and how far beyond it lines are of use.

        Examples
        --------
        >>> path = Shape.of("Path", [[(0, 0, 0), (40, 0, 10)]])
        >>> road = Courses.along(path, 4.0, 20.0, 100.0, 100.0, 10.0)
        >>> road.x, road.level
        (array([ 0., 20., 40.]), array([ 0.,  5., 10.]))
        """
        low, high, new = _clipped(shape, size_x / 2 + margin, size_y / 2 + margin)
        if not len(low):
            none = np.empty(0)
            return cls(none, none, none, none, np.empty(0, np.intp))
        length = np.hypot(*(high - low)[:, :2].T)
        run = np.cumsum(length)
        step = max(step, run[-1] / MOST)
        first = np.flatnonzero(new)
        line = np.cumsum(new) - 1
        begin = run - length + GAP * line
        end = begin + length
        whole = np.add.reduceat(length, first)
        counts: Indices = np.maximum(np.ceil(whole / step), 1).astype(np.intp) + 1
        begins: Indices = np.cumsum(counts) - counts
        number: Indices = np.arange(int(counts.sum())) - np.repeat(begins, counts)
        share = number / np.repeat(counts - 1, counts)
        last = np.append(first[1:], len(low)) - 1
        at: Doubles = np.repeat(begin[first], counts) + share * np.repeat(whole, counts)
        at = np.minimum(at, np.repeat(end[last], counts))
        knots = np.stack([begin, end], axis=1).ravel()
        values = np.stack([low, high], axis=1).reshape(-1, 4)
        x, y, z, radius = (np.interp(at, knots, column) for column in values.T)
        return cls(x, y, z, half * radius, begins)

    @property
    def arrays(self) -> Sequence[Doubles | Indices]:
        """Its arrays."""
        return (self.x, self.y, self.level, self.half, self.begins)

    def at_level(self, level: Doubles) -> Courses:
        """Return the same lines with other heights."""
        return dataclasses.replace(self, level=level)

    @property
    def first(self) -> Indices:
        """(segments,) index of the point where each segment begins; it ends at the next one."""
        if not len(self.x):
            return np.empty(0, np.intp)
        inner = np.ones(len(self.x), bool)
        inner[np.append(self.begins[1:], len(self.x)) - 1] = False
        return np.flatnonzero(inner)

    @property
    def line(self) -> Indices:
        """(n,) number of the line of each point."""
        counts = np.diff(np.append(self.begins, len(self.x)))
        return np.repeat(np.arange(len(self.begins)), counts)

    @property
    def distance(self) -> Doubles:
        """(n,) meters along the lines, laid end to end."""
        if not len(self.x):
            return np.empty(0)
        step = np.hypot(np.diff(self.x), np.diff(self.y))
        step[self.begins[1:] - 1] = GAP
        return np.append(0.0, np.cumsum(step))

    @property
    def gradients(self) -> Doubles:
        """(segments,) rise of each segment per meter; 0 where it has no length."""
        first = self.first
        distance = self.distance
        length = distance[first + 1] - distance[first]
        rise = self.level[first + 1] - self.level[first]
        return np.where(length > 0, rise / np.where(length > 0, length, 1), 0)


def _clipped(shape: Shape, half_x: float, half_y: float) -> tuple[Doubles, Doubles, Bools]:
    """Return the segments of a shape within a rectangle around 0: points (n, 4) where they begin
    and end, and whether each begins a new line.

    Source: Liang and Barsky, *A new concept and method for line clipping* (1984).
    """
    lines, points = shape.lines, shape.line_points
    low, high = points[lines.first], points[lines.second]
    start, step = lines.start, lines.end - lines.start
    limit = np.array([half_x, half_y])
    with np.errstate(divide="ignore", invalid="ignore"):
        one, two = (-limit - start) / step, (limit - start) / step
    flat = step == 0
    inside = np.abs(start) <= limit
    enter = np.where(flat, np.where(inside, 0, 2), np.minimum(one, two)).max(axis=1, initial=0)
    leave = np.where(flat, 1, np.maximum(one, two)).min(axis=1, initial=1)
    kept = np.flatnonzero((enter < leave) & (lines.length > 0))
    enter, leave = enter[kept, None], leave[kept, None]
    low, step = low[kept], (high - low)[kept]
    high = np.where(leave < 1, low + leave * step, high[kept])
    low = low + enter * step
    new = np.ones(len(kept), bool)
    new[1:] = (low[1:, :2] != high[:-1, :2]).any(axis=1)
    return low, high, new
