# SPDX-License-Identifier: GPL-3.0-or-later
"""Batters: slopes at an angle from the edges of earthworks up or down to the terrain.

Each point of a line is the apex of a cone. The lowest of all cones is the highest the ground may be
beside a cut; mirrored, the highest is the lowest beside a fill. On a segment that rises steadily,
the lowest cone at a sample is that of one point, found without search: only the samples of a strip
across the segment, and those around corners, are compared with it, as far as the ground is above
the cones. Other samples cannot change: whatever the window, the bits are the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..numerics.arrays import Bools, Doubles, Floats, Indices
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, poll
from ..settings.params import param
from ..shapes import Boxes, HalfPlanes, Regions, samples_in
from .courses import Courses

SIDE = 16
"""Samples along the side of a block."""
LEVELS = 4
"""Blocks of a level along the side of one of the next."""
SOFT = 0.7
"""Share of the reach from which batters steepen, so that they end at it."""
PAIRS = 2**15
"""Samples compared with segments at once: temporaries stay in the cache."""
GENTLE = 0.3
"""Gap between strips up to which they are widened instead of comparing a square."""
SPARE = 1.5
"""Factor on gaps, which are known to first order."""
MOST_TILT = 10.0
"""Tilt of a strip; on a segment that is steeper, a cone at one of its ends is the lowest."""
ROUNDING = 1e-6
"""Meters by which bounds may be off."""
OVERLAP = 1e-3
"""Of strips, in samples: more than coordinates are rounded by."""


def cut_param() -> float:
    """Return the setting of the angle of cuts, in degrees."""
    return param(
        45.0, "Cut Angle", "Slope of the ground that is cut", unit="deg", min=5.0, max=85.0
    )


def fill_param() -> float:
    """Return the setting of the angle of fills, in degrees: loose ground lies less steeply."""
    return param(
        34.0, "Fill Angle", "Slope of the ground that is filled", unit="deg", min=5.0, max=85.0
    )


@dataclass(frozen=True)
class Batter:
    """A slope beside earthworks.

    Attributes
    ----------
    slope : float
        Rise per meter, above 0.
    reach : float
        Meters beyond the edge at which it ends: it steepens on the last third of the way.
    slack : float
        Meters by which the result may be used for samples nearer to the edge.
    """

    slope: float
    reach: float
    slack: float = 0.0

    @classmethod
    def at(cls, angle: float, reach: float, slack: float = 0.0) -> Batter:
        """Return the batter whose slope is an angle in degrees."""
        return cls(math.tan(math.radians(angle)), reach, slack)

    def rise(self, away: Doubles) -> Doubles:
        """Return meters that the slope rises up to a distance from the edge."""
        away = np.maximum(away, 0)
        return self.slope * (away + self.steeper(away))

    def steeper(self, away: Doubles) -> Doubles:
        """Return meters by which it is longer than the distance from the edge: infinite from the
        reach on."""
        left = self.reach - away
        more = np.maximum(away - SOFT * self.reach, 0)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            return np.where(left > 0, more * more / np.abs(left), np.inf)


def lowest(
    courses: Courses, batter: Batter, grid: Grid, height: Floats, cancelled: Cancel | None = None
) -> Floats:
    """Return the height in meters up to which batters leave the ground, (ny, nx) float32.

    Only where it is lower than the ground, or would be with ``slack``, it has a meaning; elsewhere
    it may be infinite. The mirrored question, ``-lowest(mirrored courses, batter, grid, -height)``,
    answers for fills.

    Parameters
    ----------
    courses : Courses
        Center lines, at the levels of the edges.
    grid : Grid
        The samples.
    height : ndarray of float32, shape (ny, nx)
        The ground there in meters.

    Examples
    --------
    >>> from ..shapes import Shape
    >>> path = Shape.of("Path", [[(0, -100), (0, 100)]])
    >>> road = Courses.along(path, 4.0, 50.0, 100.0, 100.0, 10.0)
    >>> grid = Grid.points(20.0, 20.0, 5, 3)
    >>> lowest(road, Batter(1.0, 50.0, 0.0), grid, np.full((3, 5), 9, np.float32))[1]
    array([ 6.,  1., -4.,  1.,  6.], dtype=float32)
    """
    cones = _Cones.of(courses, batter)
    out = np.full(height.shape, np.inf, np.float32)
    flat = out.reshape(-1)
    x, y = grid.x, grid.y
    for regions in cones.regions(_Reach.of(cones, grid, height), OVERLAP * min(grid.dx, grid.dy)):
        for rows, columns, segments in samples_in(regions, grid, PAIRS):
            poll(cancelled)
            values = cones.at(segments, x[columns], y[rows]).astype(np.float32)
            np.minimum.at(flat, rows * grid.nx + columns, values)
    return out


@dataclass(frozen=True)
class _Reach:
    """How far from segments samples may change: meters to the left and to the right of them, and
    around their ends; (n,) each."""

    left: Doubles
    right: Doubles
    around: Doubles

    @classmethod
    def of(cls, cones: _Cones, grid: Grid, height: Floats) -> _Reach:
        blocks = _Blocks(grid, SIDE, *_candidates(cones, grid, height))
        segment = blocks.segment
        x, y = blocks.x - cones.x[segment], blocks.y - cones.y[segment]
        tx, ty = cones.along_x[segment], cones.along_y[segment]
        across = y * tx - x * ty
        more = np.abs(tx) * blocks.half_y + np.abs(ty) * blocks.half_x
        away = np.hypot(x, y) + np.hypot(blocks.half_x, blocks.half_y) + cones.length[segment]
        left, right, around = np.zeros((3, len(cones.x)))
        np.maximum.at(left, segment, across + more)
        np.maximum.at(right, segment, more - across)
        np.maximum.at(around, segment, away)
        most = cones.half + cones.batter.reach + cones.batter.slack
        return cls(*(np.minimum(one, most) for one in (left, right, around)))


@dataclass(frozen=True)
class _Cones:
    """Lowest cones over segments: (n,) each but ``batter``.

    ``tilt`` is how far along the segment, for each meter across it, the apex of the lowest cone
    lies behind the sample; ``joined`` says whether the next segment begins where this one ends.
    """

    batter: Batter
    x: Doubles
    y: Doubles
    along_x: Doubles
    along_y: Doubles
    length: Doubles
    apex: Doubles
    rise: Doubles
    tilt: Doubles
    half: Doubles
    joined: Bools

    @classmethod
    def of(cls, courses: Courses, batter: Batter) -> _Cones:
        first = courses.first
        apex = courses.level - batter.slope * courses.half
        along_x, along_y = np.diff(courses.x)[first], np.diff(courses.y)[first]
        length = np.hypot(along_x, along_y)
        inverse = 1 / np.where(length > 0, length, 1)
        rise = np.diff(apex)[first] * inverse
        steep = np.sqrt(np.maximum(batter.slope**2 - rise**2, 1e-300))
        return cls(
            batter=batter,
            x=courses.x[first],
            y=courses.y[first],
            along_x=along_x * inverse,
            along_y=along_y * inverse,
            length=length,
            apex=apex[first],
            rise=rise,
            tilt=np.clip(rise / steep, -MOST_TILT, MOST_TILT),
            half=np.maximum(courses.half[first], courses.half[first + 1]),
            joined=np.append(np.diff(first) == 1, False)[: len(first)],
        )

    def at(self, segment: Indices, x: Doubles, y: Doubles) -> Doubles:
        """Return the heights of the cones of segments at samples (n,)."""
        x, y = x - self.x.take(segment), y - self.y.take(segment)
        along_x, along_y = self.along_x.take(segment), self.along_y.take(segment)
        along = x * along_x + y * along_y
        across = np.abs(x * along_y - y * along_x)
        way = along - across * self.tilt.take(segment)
        np.clip(way, 0, self.length.take(segment), out=way)
        along -= way
        away = np.sqrt(along * along + across * across)
        way *= self.rise.take(segment)
        way += self.apex.take(segment)
        way += self.batter.slope * away
        # Beyond the reach of the strip, cones of its ends are no way out.
        across *= self.lean.take(segment)
        np.maximum(away, across, out=away)
        away -= self.half.take(segment)
        if away.max(initial=0) > SOFT * self.batter.reach:
            way += self.batter.slope * self.batter.steeper(away)
        return way

    @cached_property
    def lean(self) -> Doubles:
        """Meters to the apex of the lowest cone for each meter across the segment."""
        return np.sqrt(1 + self.tilt**2)

    def regions(self, reach: _Reach, overlap: float) -> Iterator[Regions]:
        """Yield strips on both sides of segments, and squares around corners and ends."""
        wide = np.where(self._gentle, self._turn, 0)
        before = np.append(0.0, wide)[: len(wide)]
        for side, far in ((1, reach.left), (-1, reach.right)):
            which = np.flatnonzero((far > 0) & (np.abs(self.tilt) < MOST_TILT) & (self.length > 0))
            yield self._strips(which, side, far[which], before[which], wide[which], overlap)
        corner = np.flatnonzero(~self._gentle)
        start = np.flatnonzero(np.append(True, ~self.joined)[: len(wide)])
        for which, share in ((corner, 1.0), (start, 0.0)):
            which = which[reach.around[which] > 0]
            along = self.length[which] * share
            x = self.x[which] + self.along_x[which] * along
            y = self.y[which] + self.along_y[which] * along
            far = reach.around[which]
            yield Boxes(which, y - far, y + far, x - far, x + far)

    @cached_property
    def _turn(self) -> Doubles:
        """How much farther along for each meter across the strips of two segments lie apart, at
        most; infinite where no other segment follows or the way turns back."""
        x, y, tilt = (np.append(one, 0.0)[1:] for one in (self.along_x, self.along_y, self.tilt))
        sine = np.abs(self.along_x * y - self.along_y * x)
        ahead = self.joined & (self.along_x * x + self.along_y * y > 0)
        leaning = 1 + np.maximum(self.tilt**2, tilt**2)
        return np.where(ahead, SPARE * (sine * leaning + np.abs(tilt - self.tilt)), np.inf)

    @property
    def _gentle(self) -> Bools:
        return self._turn <= GENTLE

    def _strips(
        self, which: Indices, side: int, far: Doubles, before: Doubles, after: Doubles,
        overlap: float,
    ) -> HalfPlanes:  # fmt: skip
        """Return strips from segments to one side, leaning by the tilt and wider at both ends."""
        start = np.stack([self.x[which], self.y[which]], axis=1)
        along = np.stack([self.along_x[which], self.along_y[which]], axis=1)
        across = side * np.stack([-along[:, 1], along[:, 0]], axis=1)
        back, ahead = self.tilt[which] - before, self.tilt[which] + after
        length = self.length[which]
        normal = np.stack(
            [-across, across, back[:, None] * across - along, along - ahead[:, None] * across], 1
        )
        limit = (normal * start[:, None]).sum(axis=2) + overlap
        limit[:, 1] += far
        limit[:, 3] += length
        corners = np.stack([0 * far, length, far * back, length + far * ahead], axis=1)
        y = along[:, 1, None] * corners
        y[:, 2:] += (across[:, 1] * far)[:, None]
        y += start[:, 1, None]
        more = overlap * (2 + np.abs(self.tilt[which]) + before + after)
        return HalfPlanes(which, y.min(axis=1) - more, y.max(axis=1) + more, normal, limit)


@dataclass(frozen=True)
class _Blocks:
    """Square blocks of samples, each with a segment: rows and columns of blocks."""

    grid: Grid
    side: int
    row: Indices
    column: Indices
    segment: Indices

    @property
    def half_x(self) -> float:
        """Half the meters from the first to the last sample along X."""
        return self.grid.dx * (self.side - 1) / 2

    @property
    def half_y(self) -> float:
        """As :attr:`half_x`, along Y."""
        return self.grid.dy * (self.side - 1) / 2

    @property
    def x(self) -> Doubles:
        """Centers along X in meters."""
        first = (self.grid.i0 + self.column * self.side).astype(np.float64)
        return self.grid.x0 + self.grid.dx * first + self.half_x

    @property
    def y(self) -> Doubles:
        """Centers along Y in meters."""
        first = (self.grid.j0 + self.row * self.side).astype(np.float64)
        return self.grid.y0 + self.grid.dy * first + self.half_y

    def kept(self, which: Bools) -> _Blocks:
        """Select some of the pairs."""
        row, column, segment = self.row[which], self.column[which], self.segment[which]
        return _Blocks(self.grid, self.side, row, column, segment)

    def finer(self, shape: tuple[int, ...]) -> _Blocks:
        """Return the blocks of the next finer level, which has that shape."""
        more = np.arange(LEVELS)
        size = (len(self.row), LEVELS, LEVELS)
        row = np.broadcast_to(self.row[:, None, None] * LEVELS + more[:, None], size).ravel()
        column = np.broadcast_to(self.column[:, None, None] * LEVELS + more, size).ravel()
        segment = np.repeat(self.segment, LEVELS * LEVELS)
        inside = (row < shape[0]) & (column < shape[1])
        return _Blocks(self.grid, self.side // LEVELS, row, column, segment).kept(inside)


def _candidates(cones: _Cones, grid: Grid, height: Floats) -> tuple[Indices, Indices, Indices]:
    """Return rows and columns of blocks, and the segments whose cones may lower them."""
    highest = [_highest(height, SIDE)]
    while max(highest[-1].shape) > 1:
        highest.append(_highest(highest[-1], LEVELS))
    none = np.zeros(len(cones.x), np.intp)
    side = SIDE * LEVELS ** (len(highest) - 1)
    blocks = _Blocks(grid, side, none, none, np.arange(len(cones.x)))
    blocks = blocks.kept(_may_lower(cones, blocks, highest[-1]))
    for most in reversed(highest[:-1]):
        blocks = blocks.finer(most.shape)
        blocks = blocks.kept(_may_lower(cones, blocks, most))
    return blocks.row, blocks.column, blocks.segment


def _may_lower(cones: _Cones, blocks: _Blocks, highest: Floats) -> Bools:
    """Return whether cones of segments may lower samples of blocks."""
    batter, segment = cones.batter, blocks.segment
    half = cones.length / 2
    apex = cones.apex + np.minimum(cones.rise * cones.length, 0)
    away_x = np.abs(blocks.x - (cones.x + cones.along_x * half)[segment]) - blocks.half_x
    away_y = np.abs(blocks.y - (cones.y + cones.along_y * half)[segment]) - blocks.half_y
    away = np.hypot(np.maximum(away_x, 0), np.maximum(away_y, 0)) - half[segment]
    away = np.maximum(away, 0)
    low = apex[segment] + batter.slope * (away - batter.slack) - ROUNDING
    near = away - cones.half[segment] - batter.slack < batter.reach
    return near & (low < highest[blocks.row, blocks.column])


def _highest(height: Floats, side: int) -> Floats:
    """Return the maxima of blocks with that many samples to a side; those at the ends may be
    smaller."""
    count, width = height.shape
    bands = np.empty((-(-count // side), width), np.float32)
    for n, band in enumerate(bands):
        np.maximum.reduce(height[n * side : (n + 1) * side], axis=0, out=band)
    return np.maximum.reduceat(bands, np.arange(0, width, side, dtype=np.intp), axis=1)
