# SPDX-License-Identifier: GPL-3.0-or-later
"""Distributions of heights, slopes and curvatures."""

from __future__ import annotations

import math

import numpy as np

from ...numerics.arrays import Doubles, Floats
from ...numerics.blocks import row_bands
from ...numerics.progress import Cancel
from ...numerics.quantiles import quantiles
from .smoothing import Kernel, smoothed_rows

ROUNDING = 1e-6
"""Share of the relief below which heights or curvatures are rounding errors of float32."""


def hypsometric_integral(height: Floats, cancelled: Cancel | None = None) -> float:
    """Return the mean height from lowest (0) to highest (1), without the outermost 0.5 %; NaN if
    level.

    The elevation-relief ratio of Pike and Wilson (1971), equal to the integral of Strahler (1952).
    """
    low, high = quantiles(height, (0.005, 0.995), cancelled)
    if high <= low:
        return math.nan
    total = 0.0
    for rows in row_bands(height.shape, cancelled):
        total += float(np.clip(height[rows], low, high).sum(dtype=np.float64))
    return (total / height.size - low) / (high - low)


def slope_ratio(slope: Floats, cancelled: Cancel | None = None) -> float:
    """Return the 95 % quantile of the slope over its median; NaN where half of the terrain is
    level."""
    median, steep = quantiles(slope, (0.5, 0.95), cancelled)
    return steep / median if median > 0 else math.nan


def laplacian(height: Floats, kernel: Kernel, cancelled: Cancel | None = None) -> Doubles:
    """Return the Laplacian of smoothed heights, in meters: positive in hollows, negative on crests.

    Returns
    -------
    ndarray of float64, shape (H - 2, W - 2)
        Without the outermost samples.
    """
    bend = np.empty((height.shape[0] - 2, height.shape[1] - 2))
    for rows in row_bands(bend.shape, cancelled):
        z = smoothed_rows(height, kernel, slice(rows.start, rows.stop + 2))
        sides = z[2:, 1:-1] + z[:-2, 1:-1] + z[1:-1, 2:] + z[1:-1, :-2]
        np.subtract(sides, 4 * z[1:-1, 1:-1], out=bend[rows])
    return bend


def moments(bend: Doubles, relief: float, cancelled: Cancel | None = None) -> tuple[float, float]:
    """Return the skew and kurtosis of curvatures: crests against valleys.

    NaN where nothing bends by more than rounding errors of the ``relief`` in meters.
    """
    total = 0.0
    for rows in row_bands(bend.shape, cancelled):
        total += float(bend[rows].sum())
    sums, mean = np.zeros(3), total / bend.size
    for rows in row_bands(bend.shape, cancelled):
        part = bend[rows] - mean
        square = part * part
        part *= square
        sums += square.sum(), part.sum(), (square * square).sum()
    variance, third, fourth = (sums / bend.size).tolist()
    spread = math.sqrt(variance)
    if spread <= ROUNDING * relief:
        return math.nan, math.nan
    return third / spread**3, fourth / spread**4


def tail_ratio(bend: Doubles, relief: float, cancelled: Cancel | None = None) -> float:
    """Return the 1 % quantile of curvatures over the 99 % quantile, without the sign: how much more
    the sharpest crests bend than the sharpest valleys.

    NaN where either bends by no more than rounding errors of the ``relief`` in meters.
    """
    crests, valleys = quantiles(bend.astype(np.float32), (0.01, 0.99), cancelled)
    least = ROUNDING * relief
    return -crests / valleys if valleys > least and crests < -least else math.nan
