# SPDX-License-Identifier: GPL-3.0-or-later
"""Areas of a shape, each of which has one level: those that overlap are one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..numerics.arrays import Bools, Doubles, Indices
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, poll
from ..settings.plain_data import plain_data
from ..shapes import CLOSED, FACE, FRAME, Shape, nearest, winding

SIDE = 33
"""Samples to a side of the rectangle that two areas share: they overlap where one is in both."""
MOST_PAIRS = 2**13
"""Pairs of areas that are compared by samples; of more, the rectangles around them decide."""
MOST_STEPS = 2**13
"""Points along one side of a border."""
CORNERS = 64
"""Of the polygon that stands for a disc."""


def closed(shape: Shape, radius: float) -> Shape:
    """Return the areas of a shape: lines of three points or more are closed, and all other points
    and empties are discs, of ``radius`` meters times their radius or scale.

    Examples
    --------
    >>> float(closed(Shape.of("Spot", [[(10, 0, 5, 2)]]), 30.0).points[:, 0].max())
    70.0
    """
    if np.isin(shape.kinds, (CLOSED, FACE)).all():
        return shape
    angles = np.arange(CORNERS) * (2 * math.pi / CORNERS)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    lines: list[Doubles] = []
    kinds: list[int] = []
    parts = np.split(shape.points, shape.starts[1:])
    for kind, points in zip(shape.kinds.tolist(), parts, strict=True):
        if kind == FACE or (kind != FRAME and len(points) > 2):
            lines.append(points)
            kinds.append(FACE if kind == FACE else CLOSED)
            continue
        if kind == FRAME:
            discs = [(points[0], points[1:3, :2] - points[0, :2])]
        else:
            discs = [(point, np.eye(2) * point[3]) for point in points]
        for center, axes in discs:
            ring = np.tile(center, (CORNERS, 1))
            ring[:, :2] += radius * circle @ axes
            lines.append(ring)
            kinds.append(CLOSED)
    starts = np.cumsum([0, *map(len, lines)])[:-1]
    return Shape(shape.name, np.concatenate(lines), starts, np.array(kinds, np.uint8))


@dataclass(frozen=True)
class Areas:
    """The areas of a shape.

    Attributes
    ----------
    shape : Shape
        Closed lines and faces; other lines have no area.
    number : ndarray of intp, shape (lines,)
        Number of the area of each line, from 0, and -1 of those without.
    """

    shape: Shape
    number: Indices

    @classmethod
    def of(cls, shape: Shape, margin: float, cancelled: Cancel | None = None) -> Areas:
        """Find the areas of a shape. Areas that overlap, each widened by ``margin`` meters, are
        one."""
        solid = np.isin(shape.kinds, (CLOSED, FACE))
        number = np.full(len(solid), -1, np.intp)
        number[solid] = _islands(shape, solid)
        found = cls(shape, number)
        one, two = _overlaps(found, margin, cancelled)
        number[solid] = _components(one, two, len(found))[number[solid]]
        number[solid] = np.unique(number[solid], return_inverse=True)[1].reshape(-1)
        return cls(shape, number)

    def __len__(self) -> int:
        return int(self.number.max(initial=-1)) + 1

    @cached_property
    def lines(self) -> Sequence[Indices]:
        """The lines of each area."""
        order = np.argsort(self.number, kind="stable")
        order = order[self.number[order] >= 0]
        return np.split(order, np.flatnonzero(np.diff(self.number[order])) + 1)

    def points(self, area: int) -> tuple[Doubles, Bools]:
        """Return the points (n, 4) of an area, and whether each is that of a face."""
        lines = self.lines[area]
        kinds = np.repeat(self.shape.kinds[lines], self._counts[lines])
        return self.shape.points[self._places(lines)], kinds == FACE

    def own_level(self, area: int) -> float:
        """Return the height of the lowest point of its faces, or the mean of those of its lines."""
        points, faces = self.points(area)
        return float(points[faces, 2].min() if faces.any() else points[:, 2].mean())

    def samples(self, area: int, side: int) -> tuple[Doubles, Doubles]:
        """Return points inside an area, of a grid around it; those of its border if there are
        none."""
        left, low, right, high = self.boxes[area]
        width, depth = max(right - left, 1e-6), max(high - low, 1e-6)
        grid = Grid(side, side, left, low, width / (side - 1), depth / (side - 1))
        rows, columns = np.nonzero(self.beyond(area, grid, 0.0) < 0)
        if not len(rows):
            points = self.points(area)[0]
            return points[:, 0], points[:, 1]
        return grid.x[columns], grid.y[rows]

    def along_border(self, area: int, step: float) -> tuple[Doubles, Doubles]:
        """Return the points along the border of an area, at most about ``step`` meters apart."""
        x: list[Doubles] = []
        y: list[Doubles] = []
        for part in self._parts(area):
            lines = part.borders
            counts = np.clip(np.ceil(lines.length / step), 1, MOST_STEPS).astype(np.intp)
            which = np.repeat(np.arange(len(lines)), counts)
            share = (np.arange(len(which)) - (np.cumsum(counts) - counts)[which]) / counts[which]
            place = lines.start[which] + share[:, None] * (lines.end - lines.start)[which]
            x.append(place[:, 0])
            y.append(place[:, 1])
        return np.concatenate(x), np.concatenate(y)

    @cached_property
    def boxes(self) -> Doubles:
        """(areas, 4) left, low, right and high end of each."""
        plans = (self.points(area)[0][:, :2] for area in range(len(self)))
        boxes = [np.concatenate([plan.min(axis=0), plan.max(axis=0)]) for plan in plans]
        return np.array(boxes).reshape(-1, 4)

    def windows(self, grid: Grid, reach: float) -> Iterator[tuple[int, Grid, tuple[slice, slice]]]:
        """Yield areas, each with the part of a grid up to ``reach`` meters away from it, if any."""
        for area in range(len(self)):
            left, low, right, high = self.boxes[area]
            rows = slice(*np.searchsorted(grid.y, (low - reach, high + reach)).tolist())
            columns = slice(*np.searchsorted(grid.x, (left - reach, right + reach)).tolist())
            nx, ny = columns.stop - columns.start, rows.stop - rows.start
            if nx and ny:
                part = grid.window(columns.start, rows.start, nx, ny)
                yield area, part, (rows, columns)

    def beyond(
        self, area: int, grid: Grid, reach: float, cancelled: Cancel | None = None
    ) -> Doubles:
        """Return meters from the border of an area outward, (ny, nx), negative inside; infinite
        where the border is farther away than ``reach``."""
        out = np.full(grid.shape, np.inf)
        for part in self._parts(area):
            away = nearest(part.borders, grid, reach, cancelled).distance
            away[winding(part.areas, grid) != 0] *= -1
            np.minimum(out, away, out=out)
        return out

    def _parts(self, area: int) -> Iterator[Shape]:
        """Yield all faces of an area, and each of its lines."""
        lines = self.lines[area]
        faces = self.shape.kinds[lines] == FACE
        for some in (lines[faces], *lines[~faces, None]):
            if len(some):
                counts = self._counts[some]
                starts = np.cumsum(counts) - counts
                points = self.shape.points[self._places(some)]
                yield Shape(self.shape.name, points, starts, self.shape.kinds[some])

    @cached_property
    def _counts(self) -> Indices:
        return np.diff(np.append(self.shape.starts, len(self.shape.points)))

    def _places(self, lines: Indices) -> Indices:
        """Return indices of the points of lines."""
        counts = self._counts[lines]
        first = np.repeat(self.shape.starts[lines] - np.cumsum(counts) + counts, counts)
        return first + np.arange(len(first))


@plain_data
@dataclass(frozen=True)
class LevelAreas:
    """What is known of the areas of a shape: ``number`` as in :class:`Areas`, and the ``level`` of
    each in meters."""

    number: Indices
    level: Doubles

    @property
    def arrays(self) -> Sequence[Doubles | Indices]:
        """Its arrays."""
        return (self.number, self.level)


def _islands(shape: Shape, solid: Bools) -> Indices:
    """Return the numbers of lines such that those with a common point in plan have the same one."""
    counts = np.diff(np.append(shape.starts, len(shape.points)))
    line = np.repeat(np.cumsum(solid) - 1, counts)
    used = np.repeat(solid, counts)
    line, plan = line[used], shape.points[used, :2] + 0.0
    if not len(line):
        return np.empty(0, np.intp)
    # Complex numbers sort by X, then Y: much faster than rows.
    _, corner = np.unique(plan[:, 0] + 1j * plan[:, 1], return_inverse=True)
    corner = corner.reshape(-1)
    count = int(solid.sum())
    found = _components(line, corner + count, count + int(corner.max()) + 1)[:count]
    return np.unique(found, return_inverse=True)[1].reshape(-1)


def _components(one: Indices, two: Indices, count: int) -> Indices:
    """Return (count,) the least item that each is linked to by pairs.

    Source: hooking and pointer jumping (Shiloach and Vishkin, *An O(log n) parallel connectivity
    algorithm*, 1982).
    """
    parent = np.arange(count)
    while True:
        low, high = np.minimum(parent[one], parent[two]), np.maximum(parent[one], parent[two])
        if (low == high).all():
            return parent
        np.minimum.at(parent, high, low)
        while (parent != parent[parent]).any():
            parent = parent[parent]


def _overlaps(areas: Areas, margin: float, cancelled: Cancel | None) -> tuple[Indices, Indices]:
    """Return the pairs of areas that overlap, each widened by a margin."""
    one, two, corners = _near(areas.boxes + margin * np.array([-1, -1, 1, 1]))
    if len(one) > MOST_PAIRS:
        return one, two
    both = np.zeros(len(one), bool)
    for pair in range(len(one)):
        poll(cancelled)
        left, low, right, high = corners[pair]
        width, depth = max(right - left, 1e-6), max(high - low, 1e-6)
        grid = Grid(SIDE, SIDE, left, low, width / (SIDE - 1), depth / (SIDE - 1))
        within = [areas.beyond(int(area[pair]), grid, margin) <= margin for area in (one, two)]
        both[pair] = (within[0] & within[1]).any()
    return one[both], two[both]


def _near(boxes: Doubles) -> tuple[Indices, Indices, Doubles]:
    """Return the pairs of rectangles that overlap, and what they share."""
    order = np.argsort(boxes[:, 0], kind="stable")
    left = boxes[order, 0]
    ones, twos = [np.empty(0, np.intp)], [np.empty(0, np.intp)]
    for place, box in enumerate(order.tolist()):
        stop = int(np.searchsorted(left, float(boxes[box, 2]), "right"))
        others = order[place + 1 : stop]
        others = others[(boxes[others, 1] <= boxes[box, 3]) & (boxes[others, 3] >= boxes[box, 1])]
        ones.append(np.full(len(others), box))
        twos.append(others)
    one, two = np.concatenate(ones), np.concatenate(twos)
    shared = np.maximum(boxes[one], boxes[two])
    shared[:, 2:] = np.minimum(boxes[one, 2:], boxes[two, 2:])
    return one, two, shared
