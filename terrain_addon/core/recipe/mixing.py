# SPDX-License-Identifier: GPL-3.0-or-later
"""Mixtures of what belongs to the regions of a palette, such as colors, by height and slope."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..numerics.arrays import Doubles, Floats

TABLE = 16384  # steps of the table of smooth ramps
LEAST_SPAN = 1e-4  # of starts or slopes: float32 cannot resolve narrower ramps

Mixer = Callable[[Floats, Floats], None]
"""Writes the mixtures at measured heights to rows of an array."""


class Vectors(NamedTuple):
    """What belongs to the colors of a palette and is mixed, such as weights, each (n,) float32.

    ``ground`` is that of the regions by height, ``rock`` that of slopes, ``over`` that of the
    regions by fields.
    """

    ground: Sequence[Floats]
    rock: Floats
    over: Sequence[Floats]


def smooth_mixer(starts: Doubles, rows: Floats, blend: float) -> Mixer:
    """Make ramps across each border, over a share of half of the regions on both sides.

    ``rows`` holds what is mixed, such as a color or weights, of each region from its start up.
    """
    widths = np.diff(starts)
    above = np.append(widths[1:], widths[-1:])
    lows = starts[1:] - blend * widths / 2
    highs = starts[1:] + blend * above / 2
    knots = np.stack([lows, highs], 1).reshape(-1)
    if blend == 0 or knots.size == 0 or knots[-1] - knots[0] < LEAST_SPAN:
        return threshold_mixer(starts, rows, 0.0, 0.0)
    values = np.repeat(rows, 2, axis=0)[1:-1]
    # A lookup in a fine table is six times as fast as interpolating each channel at each point,
    # and its steps lie far below those of a screen.
    steps = np.linspace(float(knots[0]), float(knots[-1]), TABLE)
    table = np.empty((TABLE, rows.shape[1]), np.float32)
    for channel in range(rows.shape[1]):
        table[:, channel] = np.interp(steps, knots, values[:, channel])
    scale = (TABLE - 1) / (knots[-1] - knots[0])

    def mix(value: Floats, out: Floats) -> None:
        place = (value - np.float32(knots[0])) * np.float32(scale)
        place += np.float32(0.5)
        np.clip(place, np.float32(0), np.float32(TABLE - 1), out=place)
        np.take(table, place.astype(np.intp), axis=0, out=out, mode="clip")

    return mix


def threshold_mixer(starts: Doubles, rows: Floats, threshold: float, factor: float) -> Mixer:
    """Make hard steps; within the threshold below the next start, the next row is mixed in."""
    following = np.append(rows[1:], rows[-1:], axis=0)
    mixed = rows + np.float32(factor) * (following - rows)
    table = np.stack([rows, mixed], 1).reshape(-1, rows.shape[1])
    # Float32 borders: a height of exactly a region's start belongs to that region.
    borders = starts[1:].astype(np.float32)
    near = np.maximum(starts[1:] - threshold, starts[:-1]).astype(np.float32)
    edges = np.stack([near, borders], 1).reshape(-1)

    def mix(value: Floats, out: Floats) -> None:
        np.take(table, np.searchsorted(edges, value, side="right"), axis=0, out=out)

    return mix


def add_above(value: Floats, start: float, fade: float, row: Floats, out: Floats) -> None:
    """Mix a row into the points whose value is above the start, usually a minority."""
    above = np.flatnonzero(value >= np.float32(start))
    if not above.size:
        return
    weight = np.ones(above.size, np.float32)
    if fade > LEAST_SPAN:
        weight = (value.take(above) - np.float32(start)) / np.float32(fade)
        np.minimum(weight, np.float32(1), out=weight)
    # As one item each, points are read and written twice as fast as rows of numbers.
    points = out.view(np.dtype((np.void, out.itemsize * row.size))).reshape(-1)
    below = points.take(above).view(np.float32)
    # Flat arrays: over rows of a few numbers NumPy's inner loops would be that short.
    mixed = np.tile(row, above.size)
    mixed -= below
    mixed *= weight.repeat(row.size)
    mixed += below
    points[above] = mixed.view(points.dtype)
