# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures of direction: of streams and of slopes, and how far slopes keep theirs."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...hydrology.d8 import Codes, flat_offsets
from ...numerics.arrays import Doubles, Floats
from ...numerics.blocks import row_bands
from ...numerics.progress import Cancel, poll
from ..derivatives import gradient_rows

LEAST_ORDER, COURSE = 2, 8
"""Least Strahler order of the streams, and cells of their course that give a direction: a single
step has one of eight."""
SECTORS = 8
"""Sectors of the compass by which slopes are compared."""
LAG = 12
"""Samples over which slopes are compared."""
PATCH = 64
"""Samples along the patches in which slopes are compared with heights."""
EVEN = 1e-8
"""Variance of slopes, as a share of their mean square, below which they differ by rounding only."""


def stream_direction(
    directions: Codes, order: NDArray[np.uint8], cancelled: Cancel | None = None
) -> float:
    """Return how much streams of order 2 and more share one line, 0 to 1; NaN without any.

    The mean resultant length of doubled angles (Mardia 1972): streams that run along a line to
    either side count alike.

    Parameters
    ----------
    directions : ndarray of uint8, shape (H, W)
        Codes of D8.
    order : ndarray of uint8, shape (H, W)
        Strahler order of stream cells, 0 elsewhere.
    """
    columns = order.shape[1]
    offsets, codes = flat_offsets(columns), directions.ravel()
    start = np.flatnonzero(order >= LEAST_ORDER)
    end = start
    for _ in range(COURSE):
        poll(cancelled)
        end = end + offsets.take(codes.take(end))
    across = (end % columns - start % columns).astype(np.float64)
    down = (end // columns - start // columns).astype(np.float64)
    square = across**2 + down**2
    moved = square > 0
    if not moved.any():
        return math.nan
    doubled = (across[moved] + 1j * down[moved]) ** 2 / square[moved]
    return float(np.abs(doubled.mean()))


def by_aspect(
    height: Floats, spacing: float, cancelled: Cancel | None = None
) -> tuple[Doubles, Doubles]:
    """Return the mean slope (tangent) and the number of samples of the slopes that face each eighth
    of the compass; level ground faces nowhere."""
    slopes, counts = np.zeros((2, SECTORS))
    for rows in row_bands(height.shape, cancelled):
        right, up = gradient_rows(height, spacing, spacing, rows)
        slope = np.hypot(right, up).ravel()
        turn = np.arctan2(-up, -right).ravel() / (2 * math.pi) * SECTORS
        sector = np.floor(turn + 0.5).astype(np.intp) % SECTORS
        sloping = slope > 0
        slopes += np.bincount(sector[sloping], slope[sloping], SECTORS)
        counts += np.bincount(sector[sloping], minlength=SECTORS)
    return np.divide(slopes, counts, out=np.zeros(SECTORS), where=counts > 0), counts


def unevenness(values: Doubles) -> float:
    """Return the logarithm of the largest of some values over the smallest; NaN with a value of
    0."""
    least = float(values.min())
    return math.log(float(values.max()) / least) if least > 0 else math.nan


def kept_aspect(height: Floats, spacing: float, cancelled: Cancel | None = None) -> float:
    """Return the mean cosine of the angle between the aspects of samples 12 apart, along rows and
    along columns; NaN where there are none but level ones."""
    facing = np.empty((2, *height.shape), np.float32)
    for rows in row_bands(height.shape, cancelled):
        facing[:, rows] = gradient_rows(height, spacing, spacing, rows)
        length = np.hypot(*facing[:, rows])
        np.divide(facing[:, rows], length, out=facing[:, rows], where=length > 0)
    total, count = 0.0, 0.0
    for first, second in (
        (facing[:, :-LAG], facing[:, LAG:]),
        (facing[:, :, :-LAG], facing[:, :, LAG:]),
    ):
        for rows in row_bands(first.shape[1:], cancelled):
            here, there = first[:, rows], second[:, rows]
            total += float((here * there).sum(dtype=np.float64))
            count += float((here.any(axis=0) & there.any(axis=0)).sum())
    return total / count if count else math.nan


def slope_with_height(height: Floats, slope: Floats, cancelled: Cancel | None = None) -> float:
    """Return the mean correlation of slope and height in patches of 64 x 64 samples; NaN where each
    patch is level or a plane."""
    found: list[float] = []
    for rows in _starts(height.shape[0]):
        for columns in _starts(height.shape[1]):
            poll(cancelled)
            part = height[rows, columns].astype(np.float64).ravel()
            steep = slope[rows, columns].astype(np.float64).ravel()
            least = EVEN * float(steep @ steep)
            part, steep = part - part.mean(), steep - steep.mean()
            if steep @ steep > least and part.any():
                found.append(
                    float(part @ steep) / math.sqrt(float((part @ part) * (steep @ steep)))
                )
    return float(np.mean(found)) if found else math.nan


def _starts(count: int) -> list[slice]:
    """Return the patches along one side, side by side; one if the terrain is smaller."""
    side = min(PATCH, count)
    return [slice(start, start + side) for start in range(0, count - side + 1, side)]


def across_to_along(height: Floats, relief: float, cancelled: Cancel | None = None) -> float:
    """Return the logarithm of the deviation of the bend across slopes over that along them.

    Second derivatives along the contour and down the slope (Evans 1972). NaN where either is no
    more than rounding errors of the ``relief``.
    """
    sums, squares, count = np.zeros(2), np.zeros(2), 0
    for rows in row_bands((height.shape[0] - 2, height.shape[1]), cancelled):
        z = height[rows.start : rows.stop + 2].astype(np.float64)
        up, right = (z[2:, 1:-1] - z[:-2, 1:-1]) / 2, (z[1:-1, 2:] - z[1:-1, :-2]) / 2
        upup = z[2:, 1:-1] - 2 * z[1:-1, 1:-1] + z[:-2, 1:-1]
        rightright = z[1:-1, 2:] - 2 * z[1:-1, 1:-1] + z[1:-1, :-2]
        mixed = (z[2:, 2:] - z[2:, :-2] - z[:-2, 2:] + z[:-2, :-2]) / 4
        square = up**2 + right**2
        sloping = square > 0
        along = (upup * up**2 + 2 * mixed * up * right + rightright * right**2)[sloping]
        bends = np.stack([(upup + rightright)[sloping] * square[sloping] - along, along])
        bends /= square[sloping]
        sums += bends.sum(axis=1)
        squares += (bends**2).sum(axis=1)
        count += int(sloping.sum())
    if not count:
        return math.nan
    across, along = np.sqrt(np.maximum(squares / count - (sums / count) ** 2, 0)).tolist()
    least = 1e-6 * relief
    return math.log(across / along) if min(across, along) > least else math.nan
