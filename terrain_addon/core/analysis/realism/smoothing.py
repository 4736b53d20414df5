# SPDX-License-Identifier: GPL-3.0-or-later
"""Smoothing before measuring, with the border mirrored."""

from __future__ import annotations

import math

import numpy as np

from ...numerics.arrays import Doubles, Floats
from ...numerics.blocks import row_bands
from ...numerics.progress import Cancel

Kernel = tuple[float, ...]
"""Weights of a sample and of its neighbors on either side, from the middle outwards."""

BINOMIAL: Kernel = (6 / 16, 4 / 16, 1 / 16)
"""Two passes of 1-2-1."""


def gaussian(sigma: float) -> Kernel:
    """Return the weights of a Gaussian, cut off at four standard deviations.

    Parameters
    ----------
    sigma : float
        Standard deviation in samples, above 0.

    Returns
    -------
    Kernel
        The weights; the first one and twice the others add up to 1.

    Examples
    --------
    >>> [round(weight, 3) for weight in gaussian(0.5)]
    [0.787, 0.106, 0.0]
    """
    weights = [math.exp(-0.5 * (k / sigma) ** 2) for k in range(round(4 * sigma) + 1)]
    total = 2 * sum(weights) - weights[0]
    return tuple(weight / total for weight in weights)


def smoothed_rows(height: Floats, kernel: Kernel, rows: slice) -> Doubles:
    """Yield rows of a heightfield, smoothed along both axes; float64, meters."""
    reach = len(kernel) - 1
    place = np.arange(rows.start - reach, rows.stop + reach, dtype=np.intp)
    place = np.where(place < 0, -1 - place, place)
    place = np.where(place >= len(height), 2 * len(height) - 1 - place, place)
    along = _weighted(height[place].astype(np.float64), kernel)
    return _weighted(np.pad(along, ((0, 0), (reach, reach)), mode="symmetric").T, kernel).T


def _weighted(values: Doubles, kernel: Kernel) -> Doubles:
    """Return weighted sums down the columns; the outermost rows are used up."""
    reach = len(kernel) - 1
    count = len(values) - 2 * reach
    out = kernel[0] * values[reach : reach + count]
    for k, weight in enumerate(kernel[1:], 1):
        pair = values[reach - k : reach - k + count] + values[reach + k : reach + k + count]
        pair *= weight
        out += pair
    return out


def smoothed(height: Floats, kernel: Kernel, cancelled: Cancel | None = None) -> Floats:
    """Return a heightfield smoothed along both axes.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        Meters, at least as many samples each way as the kernel has weights.
    kernel : Kernel
        Weights, see :func:`gaussian`.
    cancelled : callable, optional
        Called often; returning True raises Cancelled.

    Returns
    -------
    ndarray of float32, shape (H, W)
        Meters.
    """
    out = np.empty(height.shape, np.float32)
    for rows in row_bands(height.shape, cancelled):
        out[rows] = smoothed_rows(height, kernel, rows)
    return out
