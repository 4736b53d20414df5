# SPDX-License-Identifier: GPL-3.0-or-later
"""Roads over rivers: where a road leaves the ground, so that it dams no river.

Around each crossing the ground under a road is that between its banks, so the road does not dip to
the water. It leaves the ground over the banks, and on either side as far as it would stand on a
tall fill.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..numerics.arrays import Bools, Doubles, Floats, Indices
from ..numerics.grid import Grid
from ..numerics.progress import Cancel
from ..settings.plain_data import plain_data
from ..shapes import Segments, crossings, nearest, nearest_at
from .courses import Courses

BANK = 1.5
"""Meters from the water to what carries a bridge."""
CLEARANCE = 1.5
"""Least meters from the water up to a road."""
TALL = 5.0
"""Meters of fill from which a bridge goes on beyond the banks."""
LONGEST = 200.0
"""Meters along a road on either side of a river up to which one bridge goes on."""
SHARPEST = 0.3
"""Least sine of the angle at which a road crosses a river: more acute ones count as this."""
STEEP = 3.0
"""Slope of what is filled beside a river."""
FREE = 40.0
"""Meters beside a river within which fills are held back."""
HIGH, WIDE = 3.0, 6.0
"""Meters up from the bed, and from bank to bank, from which a crossing is a bridge, not a
culvert."""
NARROWEST = 1.0
"""Half width of a river in samples: a line of samples that touch stays free."""


@dataclass(frozen=True)
class Channel:
    """A river in plan.

    Attributes
    ----------
    line : ndarray of float64, shape (n, 2)
        Meters.
    half : ndarray of float64, shape (n,)
        Meters from the middle to the banks.
    depth : float
        Meters of water.
    """

    line: Doubles
    half: Doubles
    depth: float


@plain_data
@dataclass(frozen=True)
class Bridges:
    """Roads, and where they are bridges.

    Attributes
    ----------
    roads : Courses
        The roads at their levels.
    ground : ndarray of float64, shape (n,)
        Heights of the ground at their points.
    spans : ndarray of intp, shape (bridges, 2)
        Points of the roads between which each bridge is, both on the ground.
    rivers : ndarray of float64, shape (bridges,)
        Meters from bank to bank along the road, of the widest river below each.
    clear : ndarray of float64, shape (bridges,)
        Meters from the lowest bed up to the road.
    water : ndarray of float64, shape (m, 3)
        x, y and half width of the rivers that are crossed.
    begins : ndarray of intp, shape (channels,)
        First point of each of these rivers.
    """

    roads: Courses
    ground: Doubles
    spans: Indices
    rivers: Doubles
    clear: Doubles
    water: Doubles
    begins: Indices

    @property
    def arrays(self) -> Sequence[Doubles | Indices]:
        """Its arrays."""
        own = (self.ground, self.spans, self.rivers, self.clear, self.water, self.begins)
        return (*self.roads.arrays, *own)

    @classmethod
    def none(cls, roads: Courses, ground: Doubles) -> Bridges:
        """Return roads that cross no river."""
        free = np.empty(0)
        spans, begins = np.empty((0, 2), np.intp), np.empty(0, np.intp)
        return cls(roads, ground, spans, free, free, np.empty((0, 3)), begins)

    @property
    def is_large(self) -> Bools:
        """(bridges,) whether each is a bridge; the others are culverts."""
        return (self.clear >= HIGH) | (self.rivers >= WIDE)

    def deck(self, bridge: int) -> slice:
        """Return the points of the roads on a bridge and one more at both ends: roads on the ground
        are rounded there, and a deck covers their ends."""
        first, last = _widened(self.roads, self.spans[bridge])
        return slice(first, last + 1)

    def carries(self, x: Doubles, y: Doubles, within: float) -> Bools:
        """Return whether points (n,) are nearer than that to the middle of a bridge, in plan."""
        decks = [self.deck(bridge) for bridge in range(len(self.spans))]
        if not decks:
            return np.zeros(len(x), bool)
        points = np.concatenate([np.stack([self.roads.x[d], self.roads.y[d]], 1) for d in decks])
        counts = [deck.stop - deck.start for deck in decks]
        lines = Segments.of(points, np.cumsum([0, *counts])[:-1], np.zeros(len(decks), bool))
        return nearest_at(lines, x, y, within).segment >= 0

    @property
    def on_ground(self) -> Courses:
        """The parts of the roads that lie on the ground."""
        if not len(self.spans):
            return self.roads
        keep, new = np.ones(len(self.ground), bool), np.zeros(len(self.ground), bool)
        new[self.roads.begins] = True
        for first, last in self.spans.tolist():
            keep[first + 1 : last] = False
            new[last] = True
        columns = (self.roads.x, self.roads.y, self.roads.level, self.roads.half)
        return Courses(*(column[keep] for column in columns), begins=np.flatnonzero(new[keep]))

    @cached_property
    def _rivers(self) -> Segments:
        return Segments.of(self.water, self.begins, np.zeros(len(self.begins), bool))

    def is_wet(self, x: float, y: float, margin: float) -> bool:
        """Return whether a place is nearer than a margin to a river that is crossed."""
        reach = float(self.water[:, 2].max()) + margin
        near = nearest_at(self._rivers, np.array([x]), np.array([y]), reach)
        return bool(near.distance[0] < near.value(self.water[:, 2])[0] + margin)

    def kept_free(
        self, height: Floats, below: Floats, grid: Grid, cancelled: Cancel | None
    ) -> Floats:
        """Return heights, (ny, nx) float32, with the rivers as they are ``below`` the roads: what
        is filled rises steeply from their banks."""
        if not len(self.spans):
            return height
        near = nearest(self._rivers, grid, float(self.water[:, 2].max()) + FREE, cancelled)
        bank = np.maximum(near.value(self.water[:, 2]), NARROWEST * max(grid.dx, grid.dy))
        rise = STEEP * np.maximum(near.distance - bank, 0)
        return np.minimum(height, below + rise.astype(np.float32))


def bridged(
    roads: Courses,
    ground: Doubles,
    channels: Sequence[Channel],
    bed_at: Callable[[Doubles, Doubles], Doubles],
    gradient: float,
    profile: Callable[[Doubles], Doubles],
) -> Bridges:
    """Return roads at their levels, with bridges where they cross rivers.

    Parameters
    ----------
    roads : Courses
        Center lines.
    ground : ndarray of float64, shape (n,)
        Heights that the roads follow.
    channels : sequence of Channel
        The rivers.
    bed_at : callable
        Returns the heights of the terrain at points.
    gradient : float
        Largest rise of the roads per meter.
    profile : callable
        Returns levels of the roads near given heights of the ground.
    """
    found = _Crossings.of(roads, channels, bed_at)
    if not len(found.along):
        return Bridges.none(roads.at_level(profile(ground)), ground)
    spans = found.spans(roads, np.zeros(len(ground)))
    for _ in range(2):  # over the banks first, then with what would stand on tall fills
        level = found.raised(roads, profile(_between(ground, roads, spans)), gradient)
        spans = found.spans(roads, level - ground)
    level = found.raised(roads, profile(_between(ground, roads, spans)), gradient)
    number = [
        np.flatnonzero((found.nearest >= first) & (found.nearest <= last)) for first, last in spans
    ]
    width = np.array([2 * found.reach[some].max() - 2 * BANK for some in number])
    clear = np.array([(level[found.nearest[some]] - found.bed[some]).max() for some in number])
    numbers: list[int] = np.unique(found.channel).tolist()
    crossed = [channels[k] for k in numbers]
    counts = np.cumsum([0, *(len(channel.line) for channel in crossed)])
    water = np.concatenate([np.column_stack([river.line, river.half]) for river in crossed])
    return Bridges(
        roads.at_level(level), ground, spans, width, clear, water, counts[:-1].astype(np.intp)
    )


@dataclass(frozen=True)
class _Crossings:
    """Where roads cross rivers, (n,) each: meters along the roads, laid end to end; the road's line
    and its nearest point; the river; meters from there to the ground beyond its banks; heights of
    the bed, and that the road has at least."""

    along: Doubles
    line: Indices
    nearest: Indices
    channel: Indices
    reach: Doubles
    bed: Doubles
    least: Doubles

    @classmethod
    def of(
        cls,
        roads: Courses,
        channels: Sequence[Channel],
        bed_at: Callable[[Doubles, Doubles], Doubles],
    ) -> _Crossings:
        rows = [row for n, channel in enumerate(channels) for row in _met(roads, channel, n)]
        table = np.array(sorted(rows)).reshape(-1, 7)
        along, point, number, reach, x, y, depth = table.T
        nearest, bed = point.astype(np.intp), bed_at(x, y)
        least = bed + depth + CLEARANCE
        line = roads.line[nearest] if len(nearest) else nearest
        return cls(along, line, nearest, number.astype(np.intp), reach, bed, least)

    def raised(self, roads: Courses, level: Doubles, gradient: float) -> Doubles:
        """Return levels at least as high as rivers need, no steeper than the gradient."""
        level = level.copy()
        for along, line, reach, least in zip(
            self.along, self.line, self.reach, self.least, strict=True
        ):
            beyond = np.maximum(np.abs(roads.distance - along) - reach, 0)
            on = roads.line == line
            level[on] = np.maximum(level[on], least - gradient * beyond[on])
        return level

    def spans(self, roads: Courses, fill: Doubles) -> Indices:
        """Return the points, (bridges, 2), between which roads leave the ground: over the banks,
        and beyond while the ``fill`` is tall."""
        free, distance = np.zeros(len(fill), bool), roads.distance
        for along, line, reach, point in zip(
            self.along, self.line, self.reach, self.nearest, strict=True
        ):
            away, on = np.abs(distance - along), roads.line == line
            banks = on & (away <= reach)
            banks[point] = True
            free |= banks | _joined(banks, on & (fill > TALL) & (away <= LONGEST))
        step = np.diff(free.astype(np.int8), prepend=0, append=0)
        inner = np.stack([np.flatnonzero(step == 1), np.flatnonzero(step == -1) - 1], axis=1)
        return _widened(roads, inner)


def _widened(roads: Courses, spans: Indices) -> Indices:
    """Return spans with a point more at both ends, but none beyond the end of a road."""
    outer = np.clip(spans + np.array([-1, 1]), 0, len(roads.x) - 1)
    return np.where(roads.line[outer] == roads.line[spans], outer, spans)


def _met(roads: Courses, channel: Channel, number: int) -> Iterator[tuple[float, ...]]:
    """Yield a row of the table of crossings for each crossing with a river."""
    ends = np.append(roads.begins[1:], len(roads.x))
    distance = roads.distance
    for begin, end in zip(roads.begins.tolist(), ends.tolist(), strict=True):
        line = np.stack([roads.x[begin:end], roads.y[begin:end]], axis=1)
        met = crossings(line, channel.line)
        for place, one, two, share in zip(met.points, met.one, met.two, met.share, strict=True):
            way, river = line[one + 1] - line[one], channel.line[two + 1] - channel.line[two]
            turn = abs(way[0] * river[1] - way[1] * river[0])
            sine = turn / (np.hypot(*way) * np.hypot(*river))
            half = max(channel.half[two], channel.half[two + 1])
            reach = (half + BANK + float(roads.half[begin + one]) * (1 - sine)) / max(
                sine, SHARPEST
            )
            along = distance[begin + one] + share * np.hypot(*way)
            yield along, begin + one + round(share), number, reach, *place, channel.depth


def _between(ground: Doubles, roads: Courses, spans: Indices) -> Doubles:
    """Return the ground along roads, even between the ends of bridges."""
    ground, distance = ground.copy(), roads.distance
    for first, last in spans.tolist():
        some, ends = slice(first, last + 1), [first, last]
        ground[some] = np.interp(distance[some], distance[ends], ground[ends])
    return ground


def _joined(seeds: Bools, inside: Bools) -> Bools:
    """Return the runs of ``inside`` or ``seeds`` that contain a seed."""
    inside = inside | seeds
    run = np.cumsum(np.diff(inside, prepend=False))
    return inside & (np.bincount(run, weights=seeds) > 0)[run]
