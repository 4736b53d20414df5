# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers as they were drawn, before a grid is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....numerics.arrays import Doubles, Indices
from ....shapes import OPEN, Shape

SNAP = 0.4
"""Valley spacings from another river within which a river that ends joins it."""
MOST_POINTS = 4000
"""Points of a line; longer ones are thinned."""


@dataclass(frozen=True)
class Form:
    """The form of a drawn river.

    Attributes
    ----------
    width : float
        Meters, where the river is widest and the radius of the line is 1.
    by_flow : bool
        Whether the width grows with the square root of the discharge.
    depth : float
        Meters from the banks to a bed of that width.
    bank, side : float
        Tangents of the steepest banks, and of the sides of the valley.
    floor : float
        Meters of level ground on either side of the river.
    inflow : float
        Drainage area that enters at the source, in squares of the valley spacing.
    """

    width: float
    by_flow: bool
    depth: float
    bank: float
    side: float
    floor: float
    inflow: float


@dataclass(frozen=True)
class Course:
    """A drawn river.

    Attributes
    ----------
    line : ndarray of float64, shape (n, 2)
        x and y in meters, n >= 2, source first.
    radius : ndarray of float64, shape (n,)
        Factor on the width.
    form : Form
        Its form.
    """

    line: Doubles
    radius: Doubles
    form: Form

    @classmethod
    def all_of(cls, shape: Shape, form: Form, *, reverse: bool = False) -> tuple[Course, ...]:
        """Return the rivers along the open lines of a shape that are longer than a point.

        Examples
        --------
        >>> shape = Shape.of("Rivers", [[(0, 0), (30, 40)], [(5, 5)]])
        >>> form = Form(8.0, True, 1.0, 0.35, 0.5, 0.0, 4.0)
        >>> [course.line.tolist() for course in Course.all_of(shape, form)]
        [[[0.0, 0.0], [30.0, 40.0]]]
        """
        found: list[Course] = []
        parts = np.split(shape.points, shape.starts[1:]) if len(shape.starts) else []
        for points, kind in zip(parts, shape.kinds, strict=True):
            moves = np.append(True, (np.diff(points[:, :2], axis=0) != 0).any(axis=1))
            points = points[moves][:: -1 if reverse else 1]
            if kind == OPEN and len(points) > 1:
                every = np.linspace(0, len(points) - 1, min(len(points), MOST_POINTS))
                points = points[np.rint(every).astype(np.intp)]
                found.append(cls(points[:, :2].copy(), points[:, 3].copy(), form))
        return tuple(found)

    @property
    def along(self) -> Doubles:
        """(n,) meters from the source."""
        return run_of(self.line)

    @property
    def half_width(self) -> Doubles:
        """(n,) meters from the middle to the banks, where the river is widest."""
        return self.form.width / 2 * self.radius

    def dense(self, step: float) -> Course:
        """Return the same line by points at even distances of ``step`` at most."""
        along = self.along
        length = float(along[-1])
        places = np.linspace(0.0, length, max(math.ceil(length / step), 2) + 1)
        columns = (self.line[:, 0], self.line[:, 1], self.radius)
        x, y, radius = (np.interp(places, along, column) for column in columns)
        return replace(self, line=np.stack([x, y], axis=1), radius=radius)

    def led_to(self, points: Doubles) -> Course:
        """Return the course with more points, (n, 2), at its end."""
        radius = np.append(self.radius, np.full(len(points), self.radius[-1]))
        return replace(self, line=np.concatenate([self.line, points]), radius=radius)

    def part(self, places: Indices) -> Course:
        """Return the course through some of its points, by their numbers."""
        return replace(self, line=self.line[places], radius=self.radius[places])


def run_of(line: Doubles) -> Doubles:
    """Return (n,) distances along a line of points, (n, 2)."""
    return np.append(0.0, np.cumsum(np.hypot(*np.diff(line, axis=0).T)))


def in_order(courses: Sequence[Course], snap: float) -> list[Course]:
    """Return the courses, those that others flow into first; ``snap`` is the largest gap in meters.

    Where lines cross, the one that comes first continues.
    """
    waiting, done = list(courses), list[Course]()
    while waiting:
        free = (
            one
            for one in waiting
            if not any(_ends_on(one, other, snap) for other in waiting if other is not one)
        )
        chosen = next(free, waiting[0])
        waiting = [one for one in waiting if one is not chosen]
        done.append(chosen)
    return done


def _ends_on(course: Course, other: Course, snap: float) -> bool:
    """Return whether a course ends on another one, before that one's own end."""
    near, _ = nearest_on(other.dense(snap / 4).line, course.line[-1])
    return near <= snap < np.hypot(*(other.line[-1] - course.line[-1]))


def nearest_on(line: Doubles, point: Doubles) -> tuple[float, int]:
    """Return the distance of a point from the nearest point of a dense line, and its number."""
    away = np.hypot(*(line - point).T)
    number = int(away.argmin())
    return float(away[number]), number
