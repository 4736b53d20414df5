# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn rivers as lines on all grids of an erosion.

A grid is seen bent on the next finer one, and the last one in the finished terrain, so a line lies
elsewhere on each. Going backward needs no inversion: what is seen at a place after the bend was at
the place plus its displacement before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ....hydrology import route
from ....hydrology.d8 import NONE, flat_offsets
from ....numerics.arrays import Bools, Doubles, Floats, Indices
from ....numerics.grid import Grid
from .cells import RiverBeds, Tracer
from .course import SNAP, Course, in_order, nearest_on
from .rivers import FALL

STEP = 0.25
"""Distance of a line's points, in cells of the finest grid."""
APART = 5
"""Cells between a river and the source of what goes on beyond it: enough for a bank."""
SMOOTHING = 4
"""Passes that remove the grid's corners from the way of a river beyond the end of its line."""


@dataclass(frozen=True)
class FloodPlain:
    """The terrain over which rivers that end inland are led on.

    Attributes
    ----------
    height : ndarray of float32, shape (H, W)
    outlets : ndarray of bool, shape (H, W)
    grid : Grid
        Its cells in meters.
    banks : int, default 1
        Cells on either side of a river through which no other way leads.
    still : ndarray of float32, shape (H, W), optional
        Levels of lakes and of the sea, in which rivers end; infinite on dry land.
    """

    height: Floats
    outlets: Bools
    grid: Grid
    banks: int = 1
    still: Floats | None = None

    def to_still_water(self, way: Sequence[int], cells: Indices, course: Course) -> Sequence[int]:
        """Return a way of cells up to the first lake that is lower than the bed of a course, which
        lies in some cells: a higher one would flow back along it.

        A lake at the end of the course may be as high as the lowest ground along it.
        """
        if self.still is None:
            return way
        flat = self.still.ravel()
        lowest = np.where(np.isfinite(flat), flat, self.height.ravel())[cells].min()
        fall = FALL * course.along[-1] + course.form.depth * course.radius.max()
        levels = flat[list(way)]
        levels[1:] += fall
        ends = np.flatnonzero(levels <= lowest)
        return way[: int(ends[0]) + 1] if ends.size else way


@dataclass(frozen=True)
class Line:
    """A river's whole way, from the source to an outlet or to another river.

    Attributes
    ----------
    course : Course
        Points a quarter of a cell of the finest grid apart, in meters.
    joins : bool
        Whether it ends at another river.
    """

    course: Course
    joins: bool


def whole_ways(
    courses: Sequence[Course], grid: Grid, outlets: Bools, below: FloodPlain, unit: float, pad: int
) -> list[Line]:
    """Return lines without loops that end where they meet another river or an outlet.

    One that ends on land joins another river near by, or goes on as a flood would run over the
    terrain ``below``. Water cannot part: beyond another river that it
    crosses, a line is a river of its own, whose source is beside that one.

    Parameters
    ----------
    courses : sequence of Course
        Rivers as they were drawn.
    grid : Grid
        Cells of the finest grid in meters.
    outlets : ndarray of bool, shape (H, W)
        Cells where water leaves.
    unit : float
        Meters, the valley spacing.
    pad : int
        Cells around the terrain, which rivers that end at its border cross.
    """
    tracer, made, drawn = Tracer(outlets), list[Line](), list[int]()
    ordered = in_order(courses, SNAP * unit)
    waiting = deque(enumerate(_across_padding(one, grid, pad) for one in ordered))
    while waiting:
        number, dense = waiting.popleft()
        dense = dense.dense(STEP * grid.dx)
        for other in (line.course for line in made):
            if nearest_on(other.line, dense.line[0])[0] < grid.dx:  # it begins in a river
                dense = _beyond(dense, 0, other, APART * grid.dx)
        if len(dense.line) < 2:
            continue
        found = tracer.trace(places_on(grid, dense.line))
        if len(found.cells) < 2:
            continue
        kept, crosses = dense.part(np.flatnonzero(found.kept)), found.ended
        if not found.ended and not _at_border(found.cells[-1], tracer.shape):
            more = _way_to(made, kept, unit)
            if more is None:
                more = _way_over(below, kept, made)
            if len(more):
                kept = kept.led_to(more).dense(STEP * grid.dx)
                found = tracer.trace(places_on(grid, kept.line))
                kept = kept.part(np.flatnonzero(found.kept))
        bed = tracer.lay(places_on(grid, kept.line), len(made), joining=True)
        if bed is not None:
            if bed.joins is not None:
                other = made[bed.joins[0]].course
                if crosses and drawn[bed.joins[0]] != number:
                    beyond = _beyond(dense, found.points[-1], other, APART * grid.dx)
                    if beyond.along[-1] > SNAP * unit:
                        waiting.appendleft((number, beyond))
                kept = _ended_on(kept, other)
            made.append(Line(kept.dense(STEP * grid.dx), bed.joins is not None))
            drawn.append(number)
    return made


def places_on(grid: Grid, line: Doubles) -> Doubles:
    """Return (n, 2) rows and columns of points in meters."""
    rows, columns = (line[:, 1] - grid.y[0]) / grid.dy, (line[:, 0] - grid.x[0]) / grid.dx
    return np.stack([rows, columns], axis=1)


def _across_padding(course: Course, grid: Grid, pad: int) -> Course:
    """Return the course, straight on through the padding where it ends at the border of the
    terrain."""
    end = course.line[-1]
    way = end - course.dense(grid.dx).line[-3]
    way /= max(np.hypot(*way), 1e-9)
    row, column = places_on(grid, (end + 2 * grid.dx * way)[None])[0]
    inside = pad < row < grid.ny - 1 - pad and pad < column < grid.nx - 1 - pad
    return course if inside else course.led_to((end + (3 * pad + 4) * grid.dx * way)[None])


def _at_border(cell: int, shape: tuple[int, ...]) -> bool:
    row, column = divmod(cell, shape[1])
    return row in (0, shape[0] - 1) or column in (0, shape[1] - 1)


def _way_to(made: Sequence[Line], course: Course, unit: float) -> Doubles | None:
    """Return the point of another river that a course ends close to."""
    found = [nearest_on(line.course.line, course.line[-1]) for line in made]
    if not found:
        return None
    (away, point), number = min((one, k) for k, one in enumerate(found))
    return made[number].course.line[point][None] if away < SNAP * unit else None


def _beyond(course: Course, point: int, other: Course, apart: float) -> Course:
    """Return the rest of a course from where it is ``apart`` meters from another, which it meets at
    one of its points."""
    rest = range(point, len(course.line))
    free = (one for one in rest if nearest_on(other.line, course.line[one])[0] > apart)
    return course.part(np.arange(next(free, len(course.line) - 1), len(course.line)))


def _ended_on(course: Course, other: Course) -> Course:
    """Return the course, with its end on another one's line."""
    _, point = nearest_on(other.line, course.line[-1])
    return course.led_to(other.line[point][None])


def _way_over(below: FloodPlain, course: Course, made: Sequence[Line]) -> Doubles:
    """Return points, (n, 2), of the way of a flood from the end of a course to an outlet, a river
    or still water.

    The course itself stands as a wall, with banks: no way leads back over it, nor along it where
    there is another.
    """
    grid, shape = below.grid, below.height.shape

    def cells(line: Doubles) -> Indices:
        j, i = np.rint(places_on(grid, line)).astype(np.intp).T
        known = (j >= 0) & (j < shape[0]) & (i >= 0) & (i < shape[1])
        return (j * shape[1] + i)[known]

    own, goal = cells(course.line), below.outlets.copy()
    cell = int(own[-1])
    wall = np.zeros(shape, bool)
    wall.reshape(-1)[own] = True
    # A way could pass between two cells of a diagonal step.
    wall.reshape(-1)[own[:-1] // shape[1] * shape[1] + own[1:] % shape[1]] = True
    bank = wall
    for _ in range(below.banks):
        bank = np.pad(bank, 1)
        bank = bank[:-2] | bank[1:-1] | bank[2:]
        bank = bank[:, :-2] | bank[:, 1:-1] | bank[:, 2:]
    wall.reshape(-1)[cell] = False
    height = float(np.ptp(below.height)) + 1
    walls = below.height + np.float32(height) * bank + np.float32(3 * height) * wall
    for line in made:
        goal.reshape(-1)[cells(line.course.line)] = True
    codes, offsets = route(walls, goal).directions.ravel(), flat_offsets(shape[1])
    way = [cell]
    while codes[cell] != NONE:
        cell = int(cell + offsets[codes[cell]])
        way.append(cell)
    j, i = np.divmod(np.array(below.to_still_water(way, own, course)), shape[1])
    points = np.stack([grid.x[i], grid.y[j]], axis=1)
    points[0] = course.line[-1]
    for _ in range(SMOOTHING):
        points[1:-1] = (points[:-2] + 2 * points[1:-1] + points[2:]) / 4
    return points[1:]


def on_all_grids(
    lines: Sequence[Line],
    grid: Grid,
    counts: Sequence[int],
    bend: Callable[[int, Doubles], Doubles],
) -> list[list[Doubles]]:
    """Return (n, 2) rows and columns of all lines on each grid as it is eroded, coarsest grid
    first.

    Parameters
    ----------
    grid : Grid
        Cells of the finest grid in meters.
    counts : sequence of int
        Numbers of the grids.
    bend : callable
        Returns the places before the bend of a grid, by its number; one more than the last for that
        of the finished terrain.
    """
    found: list[list[Doubles]] = []
    places = [places_on(grid, line.course.line) for line in lines]
    for number in reversed(counts):
        places = [bend(number + 1, place) for place in places]
        if number + 1 < len(counts):
            places = [(place - 0.5) / 2 for place in places]
        found.insert(0, places)
    return found


def beds_along(lines: Sequence[Line], places: Sequence[Doubles], outlets: Bools) -> RiverBeds:
    """Return the cells of all rivers on one grid, given the places of their lines on it."""
    tracer = Tracer(outlets)
    for number, (line, at) in enumerate(zip(lines, places, strict=True)):
        tracer.lay(at, number, joining=line.joins)
    return tracer.laid()
