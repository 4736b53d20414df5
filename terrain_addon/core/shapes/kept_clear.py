# SPDX-License-Identifier: GPL-3.0-or-later
"""Where nothing else may stand: along lines and in areas."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Bools, Doubles, Indices
from ..numerics.grid import Grid
from .areas import winding, winding_at
from .regions import TINY, Boxes, samples_in
from .segments import Segments
from .shape import Shape

CELL = 8.0
"""Side in meters of the cells whose points are compared with the same segments."""


@dataclass(frozen=True)
class KeptClear:
    """Ground along the lines of a shape and in its areas that is kept clear.

    Attributes
    ----------
    shape : Shape
        Lines and areas.
    half : float or None
        Meters to either side of open and closed lines, times the radius of their points; None where
        areas are meant.
    margin : float
        Meters around areas.

    Examples
    --------
    >>> road = KeptClear(Shape.of("Road", [[(0, 0), (100, 0)]]), half=4.0)
    >>> road.holds(np.array([50.0, 50.0]), np.array([3.0, 5.0]))
    array([ True, False])
    """

    shape: Shape
    half: float | None = None
    margin: float = 0.0

    def holds(self, x: Doubles, y: Doubles) -> Bools:
        """Return which points (n,) in meters are kept clear."""
        if self.half is not None:
            points = self.shape.line_points
            return _beside(self.shape.lines, self.half * points[:, 3], x, y)[1]
        borders, areas = self.shape.borders, self.shape.areas
        margins = np.full(borders.second.max(initial=-1) + 1, self.margin)
        near, found = _beside(borders, margins, x, y)
        # Away from the borders, all points of a cell are inside, or none.
        cells, rows, columns = _cells(x, y)
        inside = winding(areas, cells)[rows, columns] != 0
        inside[near] = winding_at(areas, x[near], y[near]) != 0
        return found | inside


def _cells(x: Doubles, y: Doubles) -> tuple[Grid, Indices, Indices]:
    """Return the middles of cells around points, and the row and column of each point's cell."""
    columns, rows = (np.floor(one / CELL).astype(np.intp) for one in (x, y))
    i0, j0 = int(columns.min(initial=0)), int(rows.min(initial=0))
    nx, ny = int(columns.max(initial=0)) - i0 + 1, int(rows.max(initial=0)) - j0 + 1
    return Grid(nx, ny, CELL / 2, CELL / 2, CELL, CELL, i0, j0), rows - j0, columns - i0


def _beside(lines: Segments, radius: Doubles, x: Doubles, y: Doubles) -> tuple[Bools, Bools]:
    """Return which points lie in a cell that a line may reach, and which points a line reaches.

    ``radius`` holds how far lines reach, in meters, at the points that their indices refer to.
    """
    near, reached = np.zeros(len(x), bool), np.zeros(len(x), bool)
    if not len(lines) or not len(x):
        return near, reached
    cells, rows, columns = _cells(x, y)
    place = rows * cells.nx + columns
    order = np.argsort(place, kind="stable")
    counts = np.bincount(place, minlength=cells.nx * cells.ny)
    first = np.cumsum(counts) - counts
    for row, column, segment in samples_in(_boxes(lines, radius), cells):
        cell = row * cells.nx + column
        count = counts[cell]
        pair = np.repeat(np.arange(len(cell)), count)
        number = np.arange(len(pair)) - np.repeat(np.cumsum(count) - count, count)
        point = order[first[cell[pair]] + number]
        near[point] = True
        which = segment[pair]
        from_start = np.stack([x[point], y[point]], axis=1) - lines.start[which]
        along = (from_start * lines.tangent[which]).sum(axis=1)
        along = np.clip(along, 0, lines.length[which])
        away = np.hypot(*(from_start - along[:, None] * lines.tangent[which]).T)
        start, end = radius[lines.first[which]], radius[lines.second[which]]
        share = along / np.maximum(lines.length[which], TINY)
        reached[point[away <= start + share * (end - start)]] = True
    return near, reached


def _boxes(lines: Segments, radius: Doubles) -> Boxes:
    """Return rectangles that hold the middles of all cells which segments may reach."""
    reach = np.maximum(radius[lines.first], radius[lines.second])[:, None] + CELL / 2
    low = np.minimum(lines.start, lines.end) - reach
    high = np.maximum(lines.start, lines.end) + reach
    return Boxes(np.arange(len(lines)), low[:, 1], high[:, 1], low[:, 0], high[:, 0])
