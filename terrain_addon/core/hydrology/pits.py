# SPDX-License-Identifier: GPL-3.0-or-later
"""Fill hollows of a few samples, so that water finds its way down.

A valley that is one cell of the drainage grid wide, and runs across the cells, has saddles between
them on any other grid; gullies and rock add hollows of their own. The lowest sample of each is
filled to where it spills, with a slope that drains it (Planchon and Darboux 2001). What is larger
but narrow, such as a reach of a valley behind a saddle, is drained by the cheapest cut through that
(Lindsay 2016). Only what a window around it shows to be small or narrow is changed: lakes and
basins stay. So the result depends on the samples nearby alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Floats
from ..numerics.blocks import row_bands
from ..numerics.progress import Cancel, poll

RADII = (4, 10)
"""Samples from a pit within which it must spill: nearly all do in the first, small window."""
CUT = 16
"""Samples from a pit, too far from lower ground to be filled, within which a cut must reach it."""
DEEPEST = 1.0
"""Deepest cut, in distances between samples. A deeper one would be a slot: its hollow is filled."""
BROAD = 6
"""A hollow that holds a square of more than twice as many samples to a side is a lake, which no cut
drains."""
HALO = 2 * (sum(RADII) + CUT)
"""Samples around a sample that its height depends on."""
SLOPE = 1e-4
"""Slope of filled ground."""
STEPS = 4
"""Least rise from sample to sample, in steps of float32."""
MOST = 2**20
"""Samples of the windows that are filled together."""
Places = NDArray[np.int64]
Levels = tuple[NDArray[np.int64], NDArray[np.int64], Floats]
"""Rows, columns and new heights of samples."""


def fill_pits(
    height: Floats, spacing: tuple[float, float], cancelled: Cancel | None = None
) -> Floats:
    """Fill hollows in which water would stand, or cut them open.

    A hollow is filled where lower ground is up to 10 samples from its lowest sample, and cut open
    where it is up to 16 away and the hollow is narrow, or filled if that takes a deep cut. Others
    belong to lakes and basins and are left as they are. So is one as near to the border.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        Meters; overwritten.
    spacing : tuple of float
        Meters between columns and between rows.

    Returns
    -------
    ndarray of float32, shape (H, W)
        The same array.

    Raises
    ------
    Cancelled

    Examples
    --------
    >>> slope = np.add.outer(np.arange(24), np.zeros(24)).astype(np.float32)
    >>> slope[12, 12] = 5
    >>> round(float(fill_pits(slope, (1.0, 1.0))[12, 12]), 3)
    11.0
    """
    places = find_pits(height, RADII[0], cancelled)
    last = np.array(height.shape) - 1
    for radius in RADII:
        places = places[(np.minimum(places, last - places) >= radius).all(axis=1)]
        spills = _spills(height, places, radius)
        filled, count = places[spills], max(MOST // (2 * radius + 1) ** 2, 1)
        levels = [
            _filled(height, filled[first : first + count], radius, spacing, cancelled)
            for first in range(0, len(filled), count)
        ]
        for rows, columns, level in levels:  # windows overlap: all are made before any is used
            np.maximum.at(height, (rows, columns), level)
        places = places[~spills]
    return _opened(height, find_pits(height, CUT, cancelled), spacing, cancelled)


def find_pits(height: Floats, border: int = 1, cancelled: Cancel | None = None) -> Places:
    """Return the samples that are lower than all of their eight neighbors.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        Meters.
    border : int, default 1
        Samples along each border that are left out.

    Returns
    -------
    ndarray of int64, shape (n, 2)
        Row and column of each, in order.

    Raises
    ------
    Cancelled

    Examples
    --------
    >>> ground = np.ones((3, 4), np.float32)
    >>> ground[1, 2] = 0
    >>> find_pits(ground).tolist()
    [[1, 2]]
    """
    inner = height.shape[0] - 2 * border, height.shape[1] - 2 * border
    if min(inner) < 1:
        return np.zeros((0, 2), np.int64)
    pits: list[Places] = []
    for rows in row_bands(inner, cancelled):
        part = height[border - 1 + rows.start : border + 1 + rows.stop]
        part = part[:, border - 1 : border + 1 + inner[1]]
        middle = part[1:-1, 1:-1]
        lowest = np.ones(middle.shape, bool)
        for down, right in np.argwhere(np.arange(9).reshape(3, 3) != 4):
            beside = part[down:, right:][: middle.shape[0], : middle.shape[1]]
            lowest &= middle < beside
        row, column = np.divmod(np.flatnonzero(lowest), inner[1])
        pits.append(np.stack([row + (border + rows.start), column + border], axis=1))
    return np.concatenate(pits)


def _spills(height: Floats, places: Places, radius: int) -> NDArray[np.bool_]:
    """Return whether ground on the edge of the window around each place is lower than it."""
    reach = np.arange(-radius, radius + 1)
    edge = np.array([(j, i) for j in reach for i in reach if max(abs(j), abs(i)) == radius])
    row, column = places[:, :1] + edge[:, 0], places[:, 1:] + edge[:, 1]
    lowest = height[row, column].min(axis=1, initial=np.inf)
    return np.asarray(lowest < height[places[:, 0], places[:, 1]])


def _filled(
    height: Floats,
    places: Places,
    radius: int,
    spacing: tuple[float, float],
    cancelled: Cancel | None,
) -> Levels:
    """Return rows, columns and heights of the samples in windows around pits that are raised."""
    reach = np.arange(-radius, radius + 1)
    rows, columns = np.broadcast_arrays(
        places[:, 0, None, None] + reach[:, None], places[:, 1, None, None] + reach
    )
    ground = _windows(height, places, radius)
    level = _spill_levels(ground, _rises(ground, spacing), cancelled)
    raised = level > ground
    return rows[raised], columns[raised], level[raised]


def _opened(
    height: Floats, places: Places, spacing: tuple[float, float], cancelled: Cancel | None
) -> Floats:
    """Drain narrow hollows around pits, in place: cut them open, or fill those with high rims."""
    count = max(MOST // (2 * CUT + 1) ** 2, 1)
    changes = [
        _openings(height, places[first : first + count], spacing, cancelled)
        for first in range(0, len(places), count)
    ]
    for _, filled in changes:  # windows overlap: all are made before any is used
        np.maximum.at(height, filled[:2], filled[2])
    for cut, _ in changes:
        np.minimum.at(height, cut[:2], cut[2])
    return height


def _openings(
    height: Floats, places: Places, spacing: tuple[float, float], cancelled: Cancel | None
) -> tuple[Levels, Levels]:
    """Return the cuts that drain the hollows around pits, and what is filled instead."""
    ground = _windows(height, places, CUT)
    rise = _rises(ground, spacing)
    pit = ground[:, CUT, CUT, None, None]
    lower = ground < pit - 4 * CUT * rise
    narrow = ~_holds_square(_spill_levels(ground, rise, cancelled) > ground)
    chosen = narrow & lower.any(axis=(1, 2))
    places, ground, pit, lower = (field[chosen] for field in (places, ground, pit, lower))
    costs = _costs(np.maximum(ground - pit, 0) + rise[chosen], lower, cancelled)
    rows, columns, level = _ways(ground, costs)
    depth = (ground[np.arange(len(ground)), rows, columns] - level).max(axis=0, initial=0)
    deep = depth > DEEPEST * min(spacing)
    rows, columns = rows + (places[:, 0] - CUT), columns + (places[:, 1] - CUT)
    cut = rows[:, ~deep], columns[:, ~deep], level[:, ~deep]
    return cut, _filled(height, places[deep], CUT, spacing, cancelled)


def _windows(height: Floats, places: Places, radius: int) -> Floats:
    """Return the heights up to ``radius`` samples from each place."""
    reach = np.arange(-radius, radius + 1)
    return height[places[:, 0, None, None] + reach[:, None], places[:, 1, None, None] + reach]


def _holds_square(wet: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether a square of water fits into each window."""
    for axis in (1, 2):
        ends = np.cumsum(wet, axis=axis, dtype=np.int32)
        side = 2 * BROAD + 1
        ahead, behind = (
            np.take(ends, range(first, ends.shape[axis] + last), axis=axis)
            for first, last in ((side, 0), (0, -side))
        )
        wet = ahead - behind == side
    return np.asarray(wet.any(axis=(1, 2)))


def _costs(cost: Floats, lower: NDArray[np.bool_], cancelled: Cancel | None) -> Floats:
    """Return the least sum of ``cost`` on the way from each sample to a lower one, which costs
    nothing; the outermost samples are no way."""
    costs = np.where(lower, np.float32(0), np.float32(np.inf))
    inner = costs[:, 1:-1, 1:-1]
    while True:
        poll(cancelled)
        across = np.minimum(np.minimum(costs[:, :, :-2], costs[:, :, 2:]), costs[:, :, 1:-1])
        least = np.minimum(np.minimum(across[:, :-2], across[:, 2:]), across[:, 1:-1])
        better = np.minimum(inner, least + cost[:, 1:-1, 1:-1])
        if np.array_equal(better, inner):
            return costs
        inner[...] = better


def _ways(ground: Floats, costs: Floats) -> Levels:
    """Return the cheapest ways from the middles of windows to lower ground, a column for each.

    Heights fall evenly along them. Ways that have ended stay there.
    """
    number = np.arange(len(costs))
    row = np.full(len(costs), CUT)
    column, length = row.copy(), np.zeros(len(costs), np.int64)
    ways = [(row, column)]
    around = np.argwhere(np.arange(9).reshape(3, 3) != 4)[:, :, None] - 1
    while (going := costs[number, row, column] > 0).any():
        rows, columns = row + around[:, 0], column + around[:, 1]
        rows, columns = rows.clip(0, 2 * CUT), columns.clip(0, 2 * CUT)
        best = costs[number, rows, columns].argmin(axis=0)
        row = np.where(going, rows[best, number], row)
        column = np.where(going, columns[best, number], column)
        length += going
        ways.append((row, column))
    rows, columns = (np.stack(parts) for parts in zip(*ways, strict=True))
    share = np.arange(len(ways))[:, None] / np.maximum(length, 1)
    first, last = ground[:, CUT, CUT], ground[number, row, column]
    level = first + (last - first) * np.minimum(share, 1).astype(np.float32)
    return rows, columns, level.astype(np.float32, copy=False)


def _rises(ground: Floats, spacing: tuple[float, float]) -> Floats:
    """Return the rise from sample to sample of filled ground, for each window."""
    finest = np.spacing(np.abs(ground).max(axis=(1, 2), initial=0))
    return np.maximum(np.float32(SLOPE * min(spacing)), STEPS * finest)[:, None, None]


def _spill_levels(ground: Floats, rise: Floats, cancelled: Cancel | None) -> Floats:
    """Return the ground of windows, filled up to where it drains to their edges."""
    level = np.full_like(ground, np.inf)
    for edge in (np.s_[:, 0], np.s_[:, -1], np.s_[:, :, 0], np.s_[:, :, -1]):
        level[edge] = ground[edge]
    inner = level[:, 1:-1, 1:-1]
    while True:
        poll(cancelled)
        across = np.minimum(np.minimum(level[:, :, :-2], level[:, :, 2:]), level[:, :, 1:-1])
        lowest = np.minimum(np.minimum(across[:, :-2], across[:, 2:]), across[:, 1:-1])
        drained = np.maximum(ground[:, 1:-1, 1:-1], np.minimum(inner, lowest + rise))
        if np.array_equal(drained, inner):
            return level
        inner[...] = drained
