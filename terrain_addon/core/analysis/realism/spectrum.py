# SPDX-License-Identifier: GPL-3.0-or-later
"""Roughness by wavelength."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Doubles, Floats
from ...numerics.blocks import row_bands
from ...numerics.progress import Cancel
from .relief import ROUNDING


def spectral_slope(height: Floats, cancelled: Cancel | None = None) -> float:
    """Return the exponent of the fall of the power spectrum with the wave number (2-D); NaN for a
    plane."""
    side = min(height.shape) // 2 * 2
    waves = _waves(height[:side, :side], cancelled)
    if waves is None:
        return math.nan
    power = _power(waves, cancelled)
    number = np.arange(side, dtype=np.intp)
    edges: Doubles = np.geomspace(4, side / 4, 14, dtype=np.float64)
    x: list[float] = []
    y: list[float] = []
    for low, high in pairwise(edges.tolist()):
        near = (number >= low) & (number < high)
        if near.any():
            x.append(float(np.log(number[near]).mean()))
            y.append(float(np.log(np.maximum(power[near], 1e-300)).mean()))
    return -fitted_slope(np.array(x), np.array(y))


def _waves(square: Floats, cancelled: Cancel | None) -> NDArray[np.complex128] | None:
    """Return the Fourier transform of the rows, without mean and tilt and with the border faded
    out.

    Only the first half of the columns and one more: the others mirror them. None for a plane.
    """
    side = square.shape[0]
    mean, along_y, along_x = _plane(square, cancelled)
    axis, window = _axis(side), np.hanning(side)
    waves, highest = np.empty((side, side // 2 + 1), np.complex128), 0.0
    for rows in row_bands(square.shape, cancelled):
        terrain = square[rows] - (mean + along_y * axis[rows, None] + along_x * axis)
        highest = max(highest, float(np.abs(terrain).max()))
        terrain *= window[rows, None]
        terrain *= window
        waves[rows] = np.fft.rfft(terrain, axis=1)
    relief = float(square.max()) - float(square.min())
    return waves if highest > ROUNDING * relief else None


def _power(waves: NDArray[np.complex128], cancelled: Cancel | None) -> Doubles:
    """Return the mean power by wave number, in waves over the side of the square."""
    side = waves.shape[0]
    along: Doubles = np.fft.fftfreq(side) * side
    across = np.arange(side // 2 + 1, dtype=np.intp)
    mirrored = (across > 0) & (across < side // 2)
    count, total = np.zeros(side), np.zeros(side)
    for columns in row_bands((across.size, side), cancelled):
        ring = np.rint(np.hypot(along[:, None], across[columns])).astype(np.intp)
        weight = np.broadcast_to(np.where(mirrored[columns], 2.0, 1.0), ring.shape)
        power = np.abs(np.fft.fft(waves[:, columns], axis=0)) ** 2 * weight
        count += np.bincount(ring.ravel(), weight.ravel(), minlength=side)
        total += np.bincount(ring.ravel(), power.ravel(), minlength=side)
    return total / np.maximum(count, 1)


def _plane(square: Floats, cancelled: Cancel | None) -> tuple[float, float, float]:
    """Return the mean height, and tilt along either axis in meters per sample, of the plane nearest
    to it."""
    side = square.shape[0]
    of_rows, of_columns = np.zeros(side), np.zeros(side)
    for rows in row_bands(square.shape, cancelled):
        terrain = square[rows].astype(np.float64)
        of_rows[rows] = terrain.sum(axis=1)
        of_columns += terrain.sum(axis=0)
    axis = _axis(side)
    spread = float(np.sum(axis * axis)) * side
    return (
        float(of_rows.sum()) / side**2,
        float(of_rows @ axis) / spread,
        float(of_columns @ axis) / spread,
    )


def _axis(side: int) -> Doubles:
    """Return the places of samples, 0 in the middle."""
    return np.arange(side, dtype=np.float64) - (side - 1) / 2


def fitted_slope(x: Doubles, y: Doubles) -> float:
    """Return the slope of the straight line nearest to points, NaN with fewer than two."""
    if x.size < 2:
        return float("nan")
    x = x - x.mean()
    return float((x * y).sum() / (x * x).sum())
