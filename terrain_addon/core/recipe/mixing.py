# SPDX-License-Identifier: GPL-3.0-or-later
"""Mixtures of what belongs to the regions of a palette, such as colors, by height and slope."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..numerics.arrays import Doubles, Floats, Indices

TABLE = 16384  # steps of the table of smooth ramps
LEAST_SPAN = 1e-4  # of starts or slopes: float32 cannot resolve narrower ramps


class Ramps(NamedTuple):
    """Mixtures of regions by height, as a table.

    ``table`` makes it from what is mixed, such as a color or weights, of each region from its start
    up; ``places`` returns its rows at measured heights. Several tables have the same places.
    """

    table: Callable[[Floats], Floats]
    places: Callable[[Floats], Indices]


class Vectors(NamedTuple):
    """What belongs to the colors of a palette and is mixed, such as weights, each (n,) float32.

    ``ground`` is that of the regions by height, ``rock`` that of slopes, ``over`` that of the
    regions by fields, ``areas`` those of the palettes of groups.
    """

    ground: Sequence[Floats]
    rock: Floats
    over: Sequence[Floats]
    areas: Sequence[Vectors] = ()


class Coat(NamedTuple):
    """What covers the ground: a row of numbers of each region by height, (regions, n) float32, that
    of rock, (n,) float32, and what mixes into the rows of some points, in place, what lies on top.
    ``areas`` holds ground and rock of the palettes of groups.
    """

    ground: Floats
    rock: Floats
    top: Callable[[slice, Floats], None]
    areas: Sequence[tuple[Floats, Floats]] = ()


def smooth_ramps(starts: Doubles, blend: float) -> Ramps:
    """Make ramps across each border, over a share of half of the regions on both sides."""
    widths = np.diff(starts)
    above = np.append(widths[1:], widths[-1:])
    lows = starts[1:] - blend * widths / 2
    highs = starts[1:] + blend * above / 2
    knots = np.stack([lows, highs], 1).reshape(-1)
    if blend == 0 or knots.size == 0 or knots[-1] - knots[0] < LEAST_SPAN:
        return threshold_ramps(starts, 0.0, 0.0)
    # A lookup in a fine table is six times as fast as interpolating each channel at each point,
    # and its steps lie far below those of a screen.
    steps = np.linspace(float(knots[0]), float(knots[-1]), TABLE)
    scale = (TABLE - 1) / (knots[-1] - knots[0])

    def table(rows: Floats) -> Floats:
        values = np.repeat(rows, 2, axis=0)[1:-1]
        found = np.empty((TABLE, rows.shape[1]), np.float32)
        for channel in range(rows.shape[1]):
            found[:, channel] = np.interp(steps, knots, values[:, channel])
        return found

    def places(value: Floats) -> Indices:
        place = (value - np.float32(knots[0])) * np.float32(scale)
        place += np.float32(0.5)
        np.clip(place, np.float32(0), np.float32(TABLE - 1), out=place)
        return place.astype(np.intp)

    return Ramps(table, places)


def threshold_ramps(starts: Doubles, threshold: float, factor: float) -> Ramps:
    """Make hard steps; within the threshold below the next start, the next row is mixed in."""
    # Float32 borders: a height of exactly a region's start belongs to that region.
    borders = starts[1:].astype(np.float32)
    near = np.maximum(starts[1:] - threshold, starts[:-1]).astype(np.float32)
    edges = np.stack([near, borders], 1).reshape(-1)

    def table(rows: Floats) -> Floats:
        following: Floats = np.append(rows[1:], rows[-1:], axis=0)
        change: Floats = following - rows
        change *= np.float32(factor)
        return np.stack([rows, rows + change], 1).reshape(-1, rows.shape[1])

    def places(value: Floats) -> Indices:
        return np.searchsorted(edges, value, side="right")

    return Ramps(table, places)


class Above(NamedTuple):
    """Points whose value is above a start, usually a minority, and the weight of each."""

    points: Indices
    weight: Floats

    @classmethod
    def of(cls, value: Floats, start: float, fade: float) -> Above:
        """Return the points of values above the start; their weight is 1 from ``fade`` above it."""
        above = np.flatnonzero(value >= np.float32(start))
        if fade <= LEAST_SPAN:
            return cls(above, np.ones(above.size, np.float32))
        weight = (value.take(above) - np.float32(start)) / np.float32(fade)
        return cls(above, np.minimum(weight, np.float32(1), out=weight))

    def mix(self, row: Floats, out: Floats) -> None:
        """Mix a row into these points of an array of rows."""
        if not self.points.size:
            return
        # As one item each, points are read and written twice as fast as rows of numbers.
        items = out.view(np.dtype((np.void, out.itemsize * row.size))).reshape(-1)
        below = items.take(self.points).view(np.float32)
        # Flat arrays: over rows of a few numbers NumPy's inner loops would be that short.
        mixed = np.tile(row, self.points.size)
        mixed -= below
        mixed *= self.weight.repeat(row.size)
        mixed += below
        items[self.points] = mixed.view(items.dtype)
