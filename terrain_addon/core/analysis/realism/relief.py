# SPDX-License-Identifier: GPL-3.0-or-later
"""Distributions of heights, slopes and curvatures."""

from __future__ import annotations

import math

import numpy as np

from ...numerics.arrays import Doubles, Floats
from ...numerics.blocks import row_bands
from ...numerics.progress import Cancel
from ...numerics.quantiles import quantiles
from ..derivatives import gradient_rows

ROUNDING = 1e-6
"""Share of the relief below which heights or curvatures are rounding errors of float32."""
SMOOTHINGS = 2
"""Number of times that heights are smoothed, over three samples, before curvature is measured."""


def hypsometric_integral(height: Floats, cancelled: Cancel | None = None) -> float:
    """Mean height from lowest (0) to highest (1), without the outermost 0.5 %; NaN if level."""
    low, high = quantiles(height, (0.005, 0.995), cancelled)
    if high <= low:
        return math.nan
    total = 0.0
    for rows in row_bands(height.shape, cancelled):
        total += float(np.clip(height[rows], low, high).sum(dtype=np.float64))
    return (total / height.size - low) / (high - low)


def slope_ratio(height: Floats, spacing: float, cancelled: Cancel | None = None) -> float:
    """95 % quantile of the slope over its median; NaN where half of the terrain is level."""
    slope = np.empty_like(height)
    for rows in row_bands(height.shape, cancelled):
        np.hypot(*gradient_rows(height, spacing, spacing, rows), out=slope[rows])
    median, steep = quantiles(slope, (0.5, 0.95), cancelled)
    return steep / median if median > 0 else math.nan


def curvature_moments(height: Floats, cancelled: Cancel | None = None) -> tuple[float, float]:
    """Skew and kurtosis of the Laplacian over two samples: crests against valleys.

    NaN where nothing bends.
    """
    shape = (height.shape[0] - 2, height.shape[1] - 2)
    bend, total = np.empty(shape), 0.0
    for rows in row_bands(shape, cancelled):
        bend[rows] = _bends(height, rows)
        total += float(bend[rows].sum())
    sums, mean = np.zeros(3), total / bend.size
    for rows in row_bands(shape, cancelled):
        part = bend[rows] - mean
        square = part * part
        part *= square
        sums += square.sum(), part.sum(), (square * square).sum()
    variance, third, fourth = (sums / bend.size).tolist()
    spread = math.sqrt(variance)
    if spread <= ROUNDING * (float(height.max()) - float(height.min())):
        return math.nan, math.nan
    return third / spread**3, fourth / spread**4


def _bends(height: Floats, rows: slice) -> Doubles:
    """Laplacian of the smoothed heights in meters, without the outermost samples."""
    first, end = rows.start - SMOOTHINGS, rows.stop + 2 + SMOOTHINGS
    above, below = first <= 0, end >= height.shape[0]
    first, end = max(first, 0), min(end, height.shape[0])
    z = height[first:end].astype(np.float64)
    for _ in range(SMOOTHINGS):
        # The border is repeated; inner bands take the rows around them.
        z = np.pad(z, ((int(above), int(below)), (1, 1)), mode="edge")
        z = z[:-2] + 2 * z[1:-1] + z[2:]
        z = (z[:, :-2] + 2 * z[:, 1:-1] + z[:, 2:]) / 16
        first += not above
    z = z[rows.start - first : rows.stop + 2 - first]
    return z[2:, 1:-1] + z[:-2, 1:-1] + z[1:-1, 2:] + z[1:-1, :-2] - 4 * z[1:-1, 1:-1]
