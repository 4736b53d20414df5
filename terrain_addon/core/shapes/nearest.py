# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact distances to polylines, on grids and at points.

The nearest point of a polyline lies within a segment, so the sample is in the strip across it, or
it is a corner, so the sample is in the wedge between the normals of two segments. On a grid, strips
and wedges up to the reach are divided into rows, and only their samples are compared with the
segment: for a smooth line, about one comparison per sample. Which samples these are follows from
coordinates alone, so windows of a grid have the same bits. The strips and wedges of a jagged line
overlap many times over; a coarse search first finds how far each of its segments can be nearest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Doubles, Indices
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, poll
from .regions import PAIRS, Regions, not_zero, samples_in
from .segments import Segments

GENTLE = 0.3
"""Sine of a turn up to which the strip is extended instead of adding a wedge."""
OVERLAP = 1e-3
"""Of strips and wedges, in samples: more than coordinates are rounded by."""
JAGGED = 4
"""Comparisons per sample from which the coarse search takes less time than it saves."""
COARSE = 1024
"""Most cells along a side of the grid of the coarse search."""


@dataclass(frozen=True)
class Nearest:
    """The nearest points of lines, at the points of a grid or at a list of points.

    Attributes
    ----------
    distance : ndarray of float64
        Meters, float64; infinite beyond the reach.
    segment : ndarray of int32
        Number of the nearest segment, the first of several; -1 beyond the reach.
    along : ndarray of float64
        Meters from the start of that segment to the nearest point.
    lines : Segments
        The segments.
    x, y : ndarray of float64
        Coordinates of the samples, which broadcast to their shape.
    """

    distance: Doubles
    segment: NDArray[np.int32]
    along: Doubles
    lines: Segments
    x: Doubles
    y: Doubles

    @property
    def share(self) -> Doubles:
        """Share of the way along the nearest segment, 0 to 1."""
        length = self.lines.length
        inverse = 1 / np.where(length > 0, length, 1)
        return self.along * self._of(inverse)

    def parameter(self) -> Doubles:
        """Return meters from the start of the line to its nearest point; 0 beyond the reach."""
        return self._of(self.lines.along) + self.along

    def value(self, values: Doubles) -> Doubles:
        """Return the values of the points of the lines, interpolated at the nearest points.

        0 beyond the reach.
        """
        first, second = values[self.lines.first], values[self.lines.second]
        return self._of(first) + self.share * self._of(second - first)

    def side(self) -> NDArray[np.int8]:
        """Return 1 on the left of the lines, -1 on the right; 0 on them, before, and beyond the
        reach."""
        return np.sign(self.lean()).astype(np.int8)

    def lean(self) -> Doubles:
        """Return the sine of the angle from the direction of the lines to that of the sample.

        1 on the left of a segment, -1 on its right; 0 on the lines, before, and beyond the reach;
        around a free end it turns from one to the other. At a corner the sum of both tangents
        decides, whose sign is right in two dimensions (Baerentzen and Aanaes, *Signed distance
        computation using the angle weighted pseudonormal*, 2005).
        """
        lines = self.lines
        tangents = np.concatenate([lines.tangent, lines.before, lines.after])
        count, length = len(lines), self._of(lines.length)
        found = np.maximum(self.segment, 0)
        if not count:
            return np.zeros(self.distance.shape)
        tangent = tangents[found]
        tangent += np.where((self.along <= 0)[..., None], tangents[found + count], 0)
        tangent += np.where((self.along >= length)[..., None], tangents[found + 2 * count], 0)
        tip = lines.start[found] + lines.tangent[found] * self.along[..., None]
        turn = tangent[..., 0] * (self.y - tip[..., 1]) - tangent[..., 1] * (self.x - tip[..., 0])
        away = np.where(self.segment >= 0, self.distance, 0.0)
        size = away * np.hypot(tangent[..., 0], tangent[..., 1])
        return np.where(size > 0, turn / np.where(size > 0, size, 1), 0.0)

    def _of(self, values: Doubles) -> Doubles:
        """Return the values of the nearest segments."""
        if not len(values):
            return np.zeros(self.segment.shape)
        return np.where(self.segment >= 0, values[np.maximum(self.segment, 0)], 0.0)


def nearest(lines: Segments, grid: Grid, reach: float, cancelled: Cancel | None = None) -> Nearest:
    """Return the nearest points of lines at the points of a grid, up to ``reach`` meters away.

    Examples
    --------
    >>> import numpy as np
    >>> from terrain_addon.core.shapes import Shape
    >>> line = Shape.of("Line", [[(-10, 0), (10, 0)]]).lines
    >>> found = nearest(line, Grid.points(20.0, 20.0, 3, 3), reach=50.0)
    >>> found.distance
    array([[10., 10., 10.],
           [ 0.,  0.,  0.],
           [10., 10., 10.]])
    >>> found.parameter()[0], found.side()[:, 1]
    (array([ 0., 10., 20.]), array([-1,  0,  1], dtype=int8))
    """
    x, y = grid.x, grid.y
    best = np.full(grid.nx * grid.ny, np.nextafter(reach * reach, np.inf))
    owner = np.full(best.size, -1, np.int32)
    extents = _extents(lines, grid, reach, cancelled)
    overlap = OVERLAP * min(grid.dx, grid.dy)
    for at, square, segments in _compared(lines, grid, extents, overlap, cancelled):
        _keep_least(best, owner, at, square, segments)
    return _found(lines, owner.reshape(grid.shape), x[None], y[:, None])


def nearest_at(lines: Segments, x: Doubles, y: Doubles, reach: float = np.inf) -> Nearest:
    """Find as :func:`nearest` does, at points (n,): each is compared with all segments."""
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    best = np.full(x.shape, np.nextafter(reach * reach, np.inf))
    owner = np.full(x.shape, -1, np.int32)
    step = max(1, PAIRS // max(x.size, 1))
    for begin in range(0, len(lines), step):
        some = np.arange(begin, min(begin + step, len(lines)))
        square = _squares(lines, some[:, None], x[None], y[None])[0]
        first = square.argmin(axis=0)
        least = np.take_along_axis(square, first[None], axis=0)[0]
        better = least < best
        best[better], owner[better] = least[better], some[first[better]]
    return _found(lines, owner, x, y)


def _found(lines: Segments, owner: NDArray[np.int32], x: Doubles, y: Doubles) -> Nearest:
    """Return the result for the nearest segments."""
    distance, along = np.full(owner.shape, np.inf), np.zeros(owner.shape)
    places = np.nonzero(owner >= 0)
    px, py = (np.broadcast_to(one, owner.shape)[places] for one in (x, y))
    square, way = _squares(lines, owner[places], px, py)
    distance[places], along[places] = np.sqrt(square), way
    return Nearest(distance, owner, along, lines, x, y)


def _squares(
    lines: Segments, segments: NDArray[np.integer], x: Doubles, y: Doubles
) -> tuple[Doubles, Doubles]:
    """Return the squares of the distances of points from segments, and meters along these."""
    tx, ty = lines.tangent[:, 0].take(segments), lines.tangent[:, 1].take(segments)
    px = x - lines.start[:, 0].take(segments)
    py = y - lines.start[:, 1].take(segments)
    along = px * tx + py * ty
    way = np.maximum(along, 0)
    np.minimum(way, lines.length.take(segments), out=way)
    px -= way * tx
    py -= way * ty
    return px * px + py * py, way


def _keep_least(
    best: Doubles, owner: NDArray[np.int32], at: Indices, square: Doubles, segments: Indices
) -> None:
    """Put squares and segments where they are less than what is there; of equals, the first."""
    known = best.take(at)
    better = (square < known) | ((square == known) & (segments < owner.take(at)))
    at, square, segments = at[better], square[better], segments[better]
    np.minimum.at(best, at, square)
    won = np.flatnonzero(square == best.take(at))
    at, segments = at[won], segments[won]
    order = np.argsort(-segments, kind="stable")  # the last of several assignments stays
    owner[at[order]] = segments[order]


@dataclass(frozen=True)
class _Strips(Regions):
    """Rectangles along segments: ``reach`` to both sides, and ``more`` beyond the end."""

    lines: Segments
    reach: Doubles
    overlap: float
    more: Doubles

    def spans(self, item: Indices, y: Doubles) -> tuple[Doubles, Doubles]:
        lines, segment = self.lines, self.segment[item]
        tx, ty = lines.tangent[segment].T
        y = y - lines.start[segment, 1]
        by_along, by_across = 1 / not_zero(tx), 1 / not_zero(ty)
        shift = ty * y
        one = (-self.overlap - shift) * by_along
        two = (lines.length[segment] + self.more[item] - shift) * by_along
        shift = tx * y
        reach = self.reach[item]
        three, four = (shift - reach) * by_across, (shift + reach) * by_across
        low = np.maximum(np.minimum(one, two), np.minimum(three, four))
        high = np.minimum(np.maximum(one, two), np.maximum(three, four))
        x = lines.start[segment, 0]
        return low + x, high + x


@dataclass(frozen=True)
class _Wedges(Regions):
    """Parts of discs around corners: ahead of both directions."""

    corner: Doubles
    one: Doubles
    two: Doubles
    reach: Doubles
    overlap: float

    def spans(self, item: Indices, y: Doubles) -> tuple[Doubles, Doubles]:
        corner = self.corner[item]
        y = y - corner[:, 1]
        high = np.sqrt(np.maximum(self.reach[item] ** 2 - y * y, 0))
        low = -high
        for direction in (self.one[item], self.two[item]):
            ahead = not_zero(direction[:, 0])
            limit = (-self.overlap - direction[:, 1] * y) / ahead
            low = np.where(ahead > 0, np.maximum(low, limit), low)
            high = np.where(ahead < 0, np.minimum(high, limit), high)
        return low + corner[:, 0], high + corner[:, 0]


def _extents(lines: Segments, grid: Grid, reach: float, cancelled: Cancel | None) -> Doubles:
    """Return meters up to which segments can be nearest to samples; ``reach`` unless lines are
    jagged.

    A segment that is nearest to a sample is also nearest to every place on the straight way to it.
    So the search goes outward in steps, each to twice the distance of the last, and drops segments
    that are not nearest to any place at the end of a step. It compares at the points of a grid. No
    place is farther than 0.71 of its cells from one, and over that way two distances change by
    1.42 cells at most against each other.
    """
    extents = np.full(len(lines), reach)
    if _comparisons(lines, grid, reach) <= JAGGED * grid.nx * grid.ny:
        return extents
    coarse = _coarse(lines, grid, reach)
    cell = coarse.dx
    least = np.full(coarse.nx * coarse.ny, np.inf)
    ahead = np.ones(len(lines), np.bool_)
    limit = 4 * cell
    while limit < reach and ahead.any():
        within = np.where(ahead, limit, 0)
        for at, square, _ in _compared(lines, coarse, within, cell, cancelled):
            np.minimum.at(least, at, square)
        found = np.zeros(len(lines), np.bool_)
        for at, square, segments in _compared(lines, coarse, within, cell, cancelled):
            away = np.sqrt(square)
            near = (away >= limit - 2 * cell) & (away <= np.sqrt(least[at]) + 1.5 * cell)
            found[segments[near]] = True
        extents[ahead & ~found] = limit
        ahead &= found
        limit *= 2
    return extents


def _comparisons(lines: Segments, grid: Grid, reach: float) -> float:
    """Estimate how many samples the strips and wedges up to a reach have."""
    near = _near(lines, grid, np.full(len(lines), reach))
    width = min(reach, float(np.hypot(grid.x[-1] - grid.x[0], grid.y[-1] - grid.y[0])))
    sine, gentle = _turns(lines, near)
    area = 2 * width * np.minimum(lines.length[near], width) + width**2 * np.where(gentle, sine, 1)
    return area.sum() / (grid.dx * grid.dy)


def _coarse(lines: Segments, grid: Grid, reach: float) -> Grid:
    """Return a grid over the straight ways from samples to their nearest segments."""
    near = _near(lines, grid, np.full(len(lines), reach))
    corners = np.array([[grid.x[0], grid.y[0]], [grid.x[-1], grid.y[-1]]])
    ends = np.concatenate([corners, lines.start[near], lines.end[near]])
    low = np.maximum(ends.min(axis=0), corners[0] - reach)
    size = np.minimum(ends.max(axis=0), corners[1] + reach) - low
    cell = max(grid.dx, grid.dy, size.max() / COARSE)
    nx, ny = (int(np.ceil(one / cell)) + 1 for one in size)
    return Grid(nx, ny, float(low[0]), float(low[1]), cell, cell)


def _compared(
    lines: Segments, grid: Grid, extents: Doubles, overlap: float, cancelled: Cancel | None
) -> Iterator[tuple[Indices, Doubles, Indices]]:
    """Yield samples (row-major), squares of their distances from segments, and these segments."""
    near = _near(lines, grid, extents + overlap)
    near = near[extents[near] > 0]
    if not len(near):
        return
    reach = extents[near] + overlap
    for regions in (_strips(lines, near, reach, overlap), *_wedges(lines, near, reach, overlap)):
        for rows, columns, segments in samples_in(regions, grid):
            poll(cancelled)
            square = _squares(lines, segments, grid.x[columns], grid.y[rows])[0]
            yield rows * grid.nx + columns, square, segments


def _near(lines: Segments, grid: Grid, reach: Doubles) -> Indices:
    """Return the segments within reach of the window."""
    ends = np.stack([lines.start, lines.end])
    low, high = ends.min(axis=0) - reach[:, None], ends.max(axis=0) + reach[:, None]
    x, y = grid.x, grid.y
    inside = (low[:, 0] <= x[-1]) & (high[:, 0] >= x[0])
    inside &= (low[:, 1] <= y[-1]) & (high[:, 1] >= y[0])
    return np.flatnonzero(inside)


def _turns(lines: Segments, which: Indices) -> tuple[Doubles, NDArray[np.bool_]]:
    """Return the sines of the turns at the ends of segments, and whether the strip covers them."""
    one, two = lines.tangent[which], lines.after[which]
    sine = np.abs(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0])
    return sine, (sine <= GENTLE) & ((one * two).sum(axis=1) > 0)


def _strips(lines: Segments, near: Indices, reach: Doubles, overlap: float) -> _Strips:
    some = lines.length[near] > 0
    which, reach = near[some], reach[some]
    sine, gentle = _turns(lines, which)
    more = overlap + np.where(gentle, sine * reach, 0)
    # A row beyond the rectangle has an empty span, so its box may be wide.
    ends = np.stack([lines.start[which, 1], lines.end[which, 1]])
    tangent = np.abs(lines.tangent[which])
    beyond = tangent[:, 0] * reach + tangent[:, 1] * more
    return _Strips(
        which, ends.min(axis=0) - beyond, ends.max(axis=0) + beyond, lines, reach, overlap, more
    )


def _wedges(lines: Segments, near: Indices, reach: Doubles, overlap: float) -> Iterator[_Wedges]:
    sharp = ~_turns(lines, near)[1]
    free = ~lines.before[near].any(axis=1)
    tangent, none = lines.tangent[near], np.zeros((len(near), 2))
    for some, corner, one, two in (
        (sharp, lines.end[near], tangent, -lines.after[near]),
        (free, lines.start[near], -tangent, none),
    ):
        y, far = corner[some, 1], reach[some]
        yield _Wedges(
            near[some], y - far, y + far, corner[some], one[some], two[some], far, overlap
        )
