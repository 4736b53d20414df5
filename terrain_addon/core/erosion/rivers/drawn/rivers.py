# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn rivers as lines with the level and width of their beds, and the beds cut into heights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....hydrology.rivers import SPRING
from ....numerics.arrays import Bools, Doubles, Floats
from ....numerics.grid import Grid
from ....numerics.progress import Cancel
from ....settings.plain_data import plain_data
from ....shapes import Nearest, Segments, nearest, nearest_at
from .cells import Bed, RiverBeds
from .course import Course, run_of

FALL = 1e-3
"""Least slope along a bed."""
GENTLE = 0.02
"""Tangent of the slope of valley floors toward the river, and of the lowest banks."""
ROUNDED = 0.5
"""Half height of the rounded edge of a valley, relative to the width of its floor."""
NARROWEST = 0.7
"""Half width of a bed in samples: narrower ones would fall between them."""
BANKS = 2
"""Cells over which banks may reach: the valley of a river is no narrower."""
TRICKLE = 0.1
"""Share of its width that a bed has at the source."""
WIDENING = 0.1
"""Growth of the width per meter at most: a confluence makes no step in it."""
STRETCH = 64
"""Segments that are compared with the points in the rectangle around them at a time."""
THINNED = 4
"""Points of a line for each point of its bed."""
LEVEL = 2
"""Row of the points."""


@plain_data
@dataclass(frozen=True)
class DrawnRivers:
    """The beds of drawn rivers.

    Attributes
    ----------
    points : ndarray of float64, shape (5, n)
        x, y, level of the bed, half width and depth below the banks, all in meters, of the points
        of all rivers, source first, one river after the other.
    ends : ndarray of int64, shape (rivers,)
        Where each river ends among the points.
    forms : ndarray of float64, shape (3, n)
        Tangents of the banks and of the sides of the valley, and meters of level ground beside the
        river, at the same points.
    cell : float
        Meters between the cells of the grid that the levels were found on.
    """

    points: Doubles
    ends: NDArray[np.int64]
    forms: Doubles
    cell: float

    @property
    def arrays(self) -> Sequence[NDArray[Any]]:
        """The arrays that it holds; an `ArrayCache` counts their bytes."""
        return self.points, self.ends, self.forms

    @cached_property
    def segments(self) -> Segments:
        """Its lines in plan."""
        starts = np.concatenate([[0], self.ends[:-1]]).astype(np.intp)[: len(self.ends)]
        return Segments.of(self.points[:2].T.copy(), starts, np.zeros(len(starts), bool))

    @classmethod
    def of(
        cls,
        courses: Sequence[Course],
        beds: RiverBeds,
        areas: Sequence[Doubles],
        levels: Sequence[Doubles],
        cell: float,
    ) -> DrawnRivers:
        """Return the beds along the lines of courses, at most as high as a surface.

        Parameters
        ----------
        courses : sequence of Course
            Lines of dense points, by the numbers of the beds.
        beds : Beds
            Their cells on a grid.
        areas : sequence of ndarray of float64
            Drainage area at the cells of each bed.
        levels : sequence of ndarray of float64
            Heights in meters at the points of the line of each bed.
        cell : float
            Meters between the cells.
        """
        flows = {id(bed): area for bed, area in zip(beds.beds, areas, strict=True)}
        points = [
            _points(
                courses[bed.number], bed, area, float(flows[id(beds.mouth_of(bed))].max()), level
            )
            for bed, area, level in zip(beds.beds, areas, levels, strict=True)
        ]
        forms = [
            np.tile(np.array([[form.bank], [form.side], [form.floor]]), one.shape[1])
            for one, form in zip(
                points, (courses[bed.number].form for bed in beds.beds), strict=True
            )
        ]
        joins = [
            None if bed.joins is None else (bed.joins[0], _nearest(points[bed.joins[0]], own))
            for bed, own in zip(beds.beds, points, strict=True)
        ]
        falls = [FALL * run_of(river[:2].T) for river in points]
        made = graded([river[LEVEL] for river in points], falls, joins, [None] * len(points))
        for one, level in zip(points, made, strict=True):
            one[LEVEL] = level
        return cls(
            np.concatenate([np.empty((5, 0)), *points], axis=1),
            np.cumsum([river.shape[1] for river in points], dtype=np.int64),
            np.concatenate([np.empty((3, 0)), *forms], axis=1),
            cell,
        )

    def apart(self, x: Doubles, y: Doubles) -> Bools:
        """Return (n,) whether points lie apart from the lines: by `BANKS` cells or more."""
        reach, apart = BANKS * self.cell, np.ones(x.shape, bool)
        for first, end in zip(np.append(0, self.ends[:-1]), self.ends, strict=True):
            for start in range(first, end - 1, STRETCH):
                line = self.points[:2, start : min(start + STRETCH + 1, end)]
                (left, low), (right, high) = line.min(axis=1) - reach, line.max(axis=1) + reach
                near = np.flatnonzero((x > left) & (x < right) & (y > low) & (y < high) & apart)
                part = Segments.of(line.T.copy(), np.zeros(1, np.intp), np.zeros(1, bool))
                apart[near] = nearest_at(part, x[near], y[near], reach).segment < 0
        return apart

    def cut_into(
        self,
        height: Floats,
        grid: Grid,
        spurs: Floats | None = None,
        cancelled: Cancel | None = None,
    ) -> Floats:
        """Return the heights with the beds: level across, falling all along, with banks on both
        sides.

        Parameters
        ----------
        height : ndarray of float32, shape (ny, nx)
            Meters on the points of ``grid``.
        spurs : ndarray of float32, shape (ny, nx), optional
            Meters by which the sides of the valleys recede from the river, down to which the
            terrain is cut; only beds and banks are cut if None.

        Returns
        -------
        ndarray of float32, shape (ny, nx)
            A new array. A sample depends on the rivers, its own place and height, and the spacing
            of the grid, so windows fit together.
        """
        if not len(self.ends):
            return height.copy()
        out = height.copy() if spurs is None else self._valleys(height, grid, spurs, cancelled)
        _, _, level, half, depth = self.points
        step = max(grid.dx, grid.dy)
        half = np.maximum(half, NARROWEST * step)
        wide = max(float(half.max()), 3 * step, BANKS * self.cell)
        found = nearest(self.segments, grid, float(half.max()) + wide, cancelled)
        known = found.segment >= 0
        away, at = found.distance[known], _at(found, known)
        bed, wide_bed, deep, bank = map(at, (level, half, depth, self.forms[0]))
        beyond = np.maximum(away - wide_bed, 0)
        # A bank that steepens without limit meets the land at any height.
        most = np.maximum(wide_bed, max(2 * step, BANKS * self.cell))
        top = bed + bank * beyond / np.maximum(1 - beyond / most, 1e-9)
        made = _lower(out[known], top, np.minimum(0.5 * (top - bed), 2 * deep + 0.5 * step))
        # Hollows that are finer than the level was found on are filled, and the sea is not.
        shallow = (beyond < wide_bed + 2 * step) & (bed - made < 2 * deep + wide_bed)
        out[known] = np.where(shallow, np.maximum(made, bed + GENTLE * beyond), made)
        return out

    def _valleys(
        self, height: Floats, grid: Grid, spurs: Floats, cancelled: Cancel | None
    ) -> Floats:
        """Return heights cut down to the valleys of the rivers, one after another."""
        out = height.copy()
        starts = np.append(0, self.ends[:-1])
        for first, end in zip(starts.tolist(), self.ends.tolist(), strict=True):
            _, _, level, half, depth = self.points[:, first:end]
            bank, side, floor = self.forms[:, first]
            line = Segments.of(
                self.points[:2, first:end].T.copy(), np.zeros(1, np.intp), np.zeros(1, bool)
            )
            foot = depth / bank + floor + 1e-9
            relief = max(float(height.max() - level.min()), 0.0) + ROUNDED * float(foot.max())
            reach = float((half + foot).max()) + max(float(spurs.max()), 0.0) + relief / side
            found = nearest(line, grid, reach, cancelled)
            known = found.segment >= 0
            at = _at(found, known)
            bed, deep, ends = at(level), at(depth), at(foot)
            beyond = np.maximum(found.distance[known] - at(half), 0)
            flank = beyond - ends - spurs[known] * np.minimum(beyond / ends, 1)
            shore = np.minimum(bank * beyond, deep + GENTLE * beyond)
            top = bed + shore + side * np.maximum(flank, 0)
            out[known] = _lower(out[known], top, np.minimum(0.5 * (top - bed), ROUNDED * ends))
        return out


def _lower(ground: Floats, top: Doubles, edge: Doubles) -> Doubles:
    """Return the lower of ground and top, with an edge that is rounded over so many meters of
    height."""
    edge = edge + 1e-9
    near = np.maximum(edge - np.abs(top - ground), 0)
    return np.minimum(top, ground) - near * near / (4 * edge)


def _points(course: Course, bed: Bed, area: Doubles, most: float, level: Doubles) -> Doubles:
    """Return (5, n) the points of one river; ``most`` is the drainage area at the mouth."""
    line, form = course.line, course.form
    run = run_of(line)
    width = (
        form.width
        * course.radius
        * np.sqrt(np.clip(run / max(SPRING * form.width, 1e-6), TRICKLE**2, 1))
    )
    if form.by_flow:
        flow = np.interp(np.arange(len(line)), bed.place, area)
        width *= np.sqrt(np.minimum(flow / most, 1))
    # Wider parts downstream widen a river for so far upstream.
    width -= WIDENING * run
    width = np.maximum.accumulate(width[::-1])[::-1] + WIDENING * run
    depth = form.depth * width / max(form.width, 1e-9)
    made = np.stack([*line.T, level - depth, width / 2, depth])
    # The lowest of the levels between points that are kept.
    kept = np.unique(np.append(np.arange(0, len(line), THINNED), len(line) - 1))
    made[LEVEL] = np.minimum.accumulate(made[LEVEL])
    return made[:, kept]


def _nearest(points: Doubles, other: Doubles) -> int:
    """Return the number of the point of a river that is nearest to the end of another."""
    return int(np.hypot(*(points[:2] - other[:2, -1:])).argmin())


def _at(found: Nearest, known: Bools) -> Callable[[Doubles], Doubles]:
    """Return an interpolator of values of the points of the lines at the nearest points of known
    samples."""
    segment, share = found.segment[known], found.share[known]
    first, second = found.lines.first[segment], found.lines.second[segment]
    return lambda values: values[first] + share * (values[second] - values[first])


def graded(
    levels: Sequence[Doubles],
    falls: Sequence[Doubles],
    joins: Sequence[tuple[int, int] | None],
    mouths: Sequence[float | None],
) -> list[Doubles]:
    """Return the highest beds up to some levels that fall all along, and by no less than given.

    What a river needs is cut into the one that it joins. Rivers that others join come first.

    Parameters
    ----------
    levels : sequence of ndarray of float64
        (n,) highest levels of each river, source first.
    falls : sequence of ndarray of float64
        (n,) least fall from the source to each point.
    joins : sequence of tuple of int or None
        Number of the river that each one joins, and the position on it.
    mouths : sequence of float or None
        Levels at which rivers end, below which nothing is cut; None where they are free.
    """
    made = [level.copy() for level in levels]
    for level, fall, join in reversed(list(zip(made, falls, joins, strict=True))):
        level[:] = np.minimum.accumulate(level + fall) - fall
        if join is not None:
            below = made[join[0]]
            below[join[1]] = min(below[join[1]], level[-1])
    for level, fall, join, mouth in zip(made, falls, joins, mouths, strict=True):
        end = mouth if join is None else float(made[join[0]][join[1]])
        if end is not None:
            level[-1] = end
            np.maximum(level, end + (fall[-1] - fall), out=level)
    return made
