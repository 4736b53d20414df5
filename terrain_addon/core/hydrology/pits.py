# SPDX-License-Identifier: GPL-3.0-or-later
"""Fill hollows of a few samples, so that water finds its way down.

A valley that is one cell of the drainage grid wide, and runs across the cells, has saddles between
them on any other grid; gullies and rock add hollows of their own. The lowest sample of each is
filled to where it spills, with a slope that drains it (Planchon and Darboux 2001). Only what a
window around it shows to be small is filled: lakes and basins stay. So the result depends on the
samples nearby alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Floats
from ..numerics.blocks import row_bands
from ..numerics.progress import Cancel, poll

RADII = (4, 10)
"""Samples from a pit within which it must spill: nearly all do in the first, small window."""
HALO = 2 * sum(RADII)
"""Samples around a sample that its height depends on."""
SLOPE = 1e-4
"""Slope of filled ground."""
STEPS = 4
"""Least rise from sample to sample, in steps of float32."""
MOST = 2**20
"""Samples of the windows that are filled together."""
Places = NDArray[np.int64]


def fill_pits(
    height: Floats, spacing: tuple[float, float], cancelled: Cancel | None = None
) -> Floats:
    """Fill hollows in which water would stand, up to 10 samples from their lowest ones.

    A hollow is left as it is where no lower ground is as near: it belongs to a lake or a basin. So
    is one as near to the border.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        Meters; overwritten.
    spacing : tuple of float
        Meters between columns and between rows.

    Returns
    -------
    ndarray of float32, shape (H, W)
        The same array, nowhere lower.

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
    return height


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
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Return rows, columns and heights of the samples in windows around pits that are raised."""
    reach = np.arange(-radius, radius + 1)
    rows, columns = np.broadcast_arrays(
        places[:, 0, None, None] + reach[:, None], places[:, 1, None, None] + reach
    )
    ground = height[rows, columns]
    level = _spill_levels(ground, _rises(ground, spacing), cancelled)
    raised = level > ground
    return rows[raised], columns[raised], level[raised]


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
