# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures of the ground around streams."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Bools, Floats
from ...numerics.blocks import row_bands
from ...numerics.progress import Cancel, poll
from ...numerics.quantiles import quantiles

Places = NDArray[np.int32]
Keys = NDArray[np.int64]

NOWHERE = 2**20
"""Rows to a cell that does not exist: farther than any, and small enough to square."""
LARGE, SMALL = 3, 1
"""Strahler orders of large and of small valleys."""
FAR, MIDDLE = 2.2, (0.8, 1.4)
"""Distances from streams, by their mean, of the ground near crests and of mid-slopes."""
BESIDE, ABOVE = 3, (4, 7)
"""Distances from a large stream, in samples, of its banks and of the ground above them."""
REACH = 32
"""Distance, in samples, to which a valley is followed and its relief taken."""
FLOOR = 0.05
"""Height above a stream, as a share of the relief around it, to which its valley floor goes."""


class Streams:
    """Measures of slopes and valley floors by their distance from streams.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        Meters.
    slope : ndarray of float32, shape (H, W)
        Tangent.
    order : ndarray of uint8, shape (H, W)
        Strahler order of stream cells, 0 elsewhere.
    cancelled : callable or None
        Called often; returning True raises Cancelled.
    """

    def __init__(
        self, height: Floats, slope: Floats, order: NDArray[np.uint8], cancelled: Cancel | None
    ) -> None:
        self.height, self.slope, self.order, self.cancelled = height, slope, order, cancelled
        self.distance, self.place = nearest(order > 0, cancelled=cancelled)

    def crest_slopes(self) -> float:
        """Return the median slope far from streams over that of mid-slopes; NaN without streams."""
        total = 0.0
        for rows in row_bands(self.distance.shape, self.cancelled):
            total += float(self.distance[rows].sum(dtype=np.float64))
        mean = total / self.distance.size
        far = self._median(self.distance, FAR * mean, math.inf)
        return far / self._median(self.distance, MIDDLE[0] * mean, MIDDLE[1] * mean)

    def bank_slopes(self) -> float:
        """Return the median slope beside large streams over that above them; NaN without large
        streams."""
        distance, _ = nearest(self.order == LARGE, ABOVE[1], self.cancelled)
        return self._median(distance, 0, BESIDE) / self._median(distance, *ABOVE)

    def _median(self, distance: Floats, low: float, high: float) -> float:
        """Return the median slope at a range of distances; NaN where there is none but level
        ground."""
        chosen: list[Floats] = []
        for rows in row_bands(distance.shape, self.cancelled):
            part = distance[rows]
            chosen.append(self.slope[rows][(part >= low) & (part <= high) & (part < np.inf)])
        slopes = np.concatenate(chosen)
        median = quantiles(slopes, (0.5,), self.cancelled)[0] if slopes.size else 0.0
        return median if median > 0 else math.nan

    def valley_widths(self) -> float:
        """Return the width of the floors of large valleys over that of small ones; NaN without
        either.

        The width is the number of cells that are close to a stream and low above it, per cell of
        the stream.
        """
        relief = local_relief(self.height, REACH, self.cancelled).ravel()
        heights, orders = self.height.ravel(), self.order.ravel()
        cells, streams = np.zeros((2, 256), np.int64)
        for rows in row_bands(self.distance.shape, self.cancelled):
            stream, order = self.place[rows], self.order[rows]
            streams += np.bincount(order.ravel(), minlength=256)
            low = self.height[rows] - heights[stream] < np.float32(FLOOR) * relief[stream]
            low &= self.distance[rows] <= REACH
            cells += np.bincount(orders[stream[low]], minlength=256)
        if not (cells[LARGE] and cells[SMALL]):
            return math.nan
        large, small = cells[LARGE] / streams[LARGE], cells[SMALL] / streams[SMALL]
        return float(large / small)


def nearest(
    cells: Bools, reach: float = math.inf, cancelled: Cancel | None = None
) -> tuple[Floats, Places]:
    """Return the exact Euclidean distance to the nearest true cell, and which one that is.

    First along the columns, then along the rows (Felzenszwalb and Huttenlocher 2012). The second
    step tries every column in reach: streams are close to each other, so few are.

    Parameters
    ----------
    cells : ndarray of bool, shape (H, W)
    reach : float, default math.inf
        Distance in samples beyond which there is nothing to find.
    cancelled : callable, optional
        Called often; returning True raises Cancelled.

    Returns
    -------
    distance : ndarray of float32, shape (H, W)
        Samples, infinite where no cell is within reach.
    place : ndarray of int32, shape (H, W)
        Row-major number of the nearest cell, 0 where there is none. Of several it is that of the
        lowest column, then of the lowest row.

    Examples
    --------
    >>> import numpy as np
    >>> cells = np.array([[True, False, False, False], [False, False, False, True]])
    >>> distance, place = nearest(cells)
    >>> distance[0].tolist(), place[0].tolist()
    ([0.0, 1.0, 1.4142135381698608, 1.0], [0, 0, 7, 7])
    """
    distance, place = np.full(cells.shape, np.inf, np.float32), np.zeros(cells.shape, np.int32)
    if not cells.any():
        return distance, place
    row = _nearest_rows(cells, cancelled)
    count = cells.shape[1]
    column = np.arange(count, dtype=np.int64)
    for rows in row_bands(cells.shape, cancelled):
        own = np.arange(rows.start, rows.stop, dtype=np.int64)[:, None]
        # One number of the square of the distance and of the column: their minimum gives both.
        here: Keys = (row[rows] - own) ** 2 * count + column
        best = here.copy()
        for step in range(1, count):
            if step > reach or step * step * count > int(best.max()):
                break
            poll(cancelled)
            farther: Keys = here + step * step * count
            np.minimum(best[:, step:], farther[:, :-step], out=best[:, step:])
            np.minimum(best[:, :-step], farther[:, step:], out=best[:, :-step])
        square, chosen = np.divmod(best, count)
        found = square <= reach**2
        np.sqrt(square, out=distance[rows], where=found, casting="same_kind")
        number = np.take_along_axis(row[rows], chosen, axis=1).astype(np.int64) * count + chosen
        np.copyto(place[rows], number, where=found, casting="same_kind")
    return distance, place


def _nearest_rows(cells: Bools, cancelled: Cancel | None) -> Places:
    """Return the row of the nearest true cell of the same column; more than NOWHERE away where
    none is."""
    found = np.empty(cells.shape, np.int32)
    row = np.full(cells.shape[1], -NOWHERE, np.int32)
    for rows in row_bands(cells.shape, cancelled):
        for j in range(rows.start, rows.stop):
            row[cells[j]] = j
            found[j] = row
    row.fill(2 * NOWHERE)
    for rows in row_bands(cells.shape, cancelled):
        for j in range(len(cells) - 1 - rows.start, len(cells) - 1 - rows.stop, -1):
            row[cells[j]] = j
            np.copyto(found[j], row, where=row - j < j - found[j])
    return found


def local_relief(height: Floats, radius: int, cancelled: Cancel | None = None) -> Floats:
    """Return the highest minus lowest height in the square of 2 * ``radius`` + 1 samples around
    each."""
    relief = _extreme(height, radius, np.maximum, cancelled)
    relief -= _extreme(height, radius, np.minimum, cancelled)
    return relief


def _extreme(height: Floats, radius: int, extreme: np.ufunc, cancelled: Cancel | None) -> Floats:
    out = np.empty_like(height)
    # Rows beyond the border repeat it, which changes no extreme.
    around = np.clip(np.arange(-radius, len(height) + radius), 0, len(height) - 1)
    for columns in row_bands(height.shape[::-1], cancelled):
        out[:, columns] = _window_extreme(height[:, columns][around], radius, extreme)
    for rows in row_bands(height.shape, cancelled):
        lines = np.pad(out[rows], ((0, 0), (radius, radius)), mode="edge")
        out[rows] = _window_extreme(lines.T, radius, extreme).T
    return out


def _window_extreme(values: Floats, radius: int, extreme: np.ufunc) -> Floats:
    """Return the extremes of all windows of 2 * ``radius`` + 1 values down the columns, by
    doubling."""
    width, have = 2 * radius + 1, 1
    while have < width:
        step = min(have, width - have)
        values = extreme(values[:-step], values[step:])
        have += step
    return values
