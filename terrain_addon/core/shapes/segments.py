# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of points as segments in plan."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..numerics.arrays import Bools, Doubles, Indices


@dataclass(frozen=True)
class Segments:
    """Straight segments of polylines in plan, in the order of the lines.

    Repeated points are left out. A line whose points all coincide in plan is one segment without
    length.

    Attributes
    ----------
    start, end : ndarray of float64, shape (n, 2)
        Meters.
    tangent : ndarray of float64, shape (n, 2)
        Unit vectors; (0, 0) where there is no length.
    length : ndarray of float64, shape (n,)
        Meters.
    before, after : ndarray of float64, shape (n, 2)
        Tangents of the neighbors in the line; (0, 0) at a free end.
    first, second : ndarray of intp, shape (n,)
        Indices of the points at both ends.
    along : ndarray of float64, shape (n,)
        Meters from the start of the line.
    """

    start: Doubles
    end: Doubles
    tangent: Doubles
    length: Doubles
    before: Doubles
    after: Doubles
    first: Indices
    second: Indices
    along: Doubles

    @classmethod
    def of(cls, points: Doubles, starts: Indices, closed: Bools) -> Segments:
        """Return the segments of lines: ``points`` (n, 2 or more), the first point of each line,
        and whether its last point is joined to its first."""
        count = len(points)
        none = np.empty(0, np.intp)
        if not len(starts):
            return cls._between(points[:, :2], none, none, none, closed)
        stops = np.append(starts[1:], count)
        second = np.arange(1, count + 1)
        second[stops - 1] = np.where(closed, starts, stops - 1)
        line = np.repeat(np.arange(len(starts)), stops - starts)
        plan = points[:, :2]
        long = (plan != plan[second]).any(axis=1)
        dots = starts[np.bincount(line, long, len(starts)) == 0]
        first = np.sort(np.concatenate([np.flatnonzero(long), dots]))
        second[dots] = dots
        return cls._between(plan, first, second[first], line[first], closed)

    @classmethod
    def _between(
        cls, plan: Doubles, first: Indices, second: Indices, line: Indices, closed: Bools
    ) -> Segments:
        start = plan[first]
        end = plan[second]
        step = end - start
        length = np.hypot(step[:, 0], step[:, 1])
        tangent = step / np.where(length > 0, length, 1)[:, None]
        # The neighbors in a line: at its ends, those across the gap of a closed one.
        count = len(first)
        place = np.arange(count)
        new = np.append(True, line[1:] != line[:-1])[:count]
        begins = np.flatnonzero(new)
        ends = np.append(begins[1:], count)[: len(begins)] - 1
        before, after = place - 1, place + 1
        before[begins], after[ends] = ends, begins
        free = ~closed[line[begins]] if count else np.empty(0, bool)
        into, out = tangent[before], tangent[after]
        into[begins[free]] = out[ends[free]] = 0
        run = np.cumsum(length) - length
        along = run - np.repeat(run[begins], ends - begins + 1)
        return cls(start, end, tangent, length, into, out, first, second, along)

    def linked(self) -> Segments:
        """Return the same segments, each with the one that alone begins where it alone ends as its
        neighbor.

        Edges of faces come one by one. A search for nearest points takes much less time at a corner
        than at two free ends.
        """
        ends = np.concatenate([self.start, self.end]) + 0.0
        _, number = np.unique(ends[:, 0] + 1j * ends[:, 1], return_inverse=True)
        begins, stops = np.split(number.reshape(-1), 2)
        count = int(number.max(initial=-1)) + 1
        alone = (np.bincount(begins, minlength=count) == 1) & (
            np.bincount(stops, minlength=count) == 1
        )
        following = np.zeros(count, np.intp)
        following[begins] = np.arange(len(self))
        here = np.flatnonzero(alone[stops])
        after = following[stops[here]]
        made = replace(self, before=self.before.copy(), after=self.after.copy())
        made.after[here], made.before[after] = self.tangent[after], self.tangent[here]
        return made

    def __len__(self) -> int:
        return len(self.length)
