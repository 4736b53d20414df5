# SPDX-License-Identifier: GPL-3.0-or-later
"""Random numbers that are a function of seed and place: the same in any window and any order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .resample import SplineAxis, spline

Floats = NDArray[np.float32]
Cells = NDArray[np.int64]


def hashed(rows: Cells, columns: Cells, seed: int) -> NDArray[np.uint32]:
    """32 random bits for every crossing of lattice rows and columns (any whole numbers).

    Wellons' lowbias32 finaliser (2018) over both numbers in turn.
    """
    first = _mixed(rows.astype(np.uint32) ^ np.uint32(seed & 0xFFFFFFFF))
    return _mixed(first[:, None] + columns.astype(np.uint32)[None, :] * np.uint32(0x9E3779B1))


def _mixed(bits: NDArray[np.uint32]) -> NDArray[np.uint32]:
    bits = bits ^ (bits >> np.uint32(16))
    bits *= np.uint32(0x7FEB352D)
    bits ^= bits >> np.uint32(15)
    bits *= np.uint32(0x846CA68B)
    bits ^= bits >> np.uint32(16)
    return bits


def uniform(shape: tuple[int, ...], seed: int) -> Floats:
    """(H, W) float32, independent and even between -1 and 1."""
    bits = hashed(np.arange(shape[0]), np.arange(shape[1]), seed)
    return bits.view(np.int32).astype(np.float32) * np.float32(2.0**-31)


def smooth(shape: tuple[int, ...], wavelength: float, seed: int) -> Floats:
    """(H, W) float32 of mean 0 and deviation about 1 that varies over ``wavelength`` cells.

    A cubic B-spline over random numbers half a wavelength apart.
    """
    axes: list[SplineAxis] = []
    for length in shape:
        positions = np.arange(length) / (wavelength / 2) + 2
        axes.append(SplineAxis.at(positions, int(positions[-1]) + 4))
    coarse = uniform((axes[0].count, axes[1].count), seed)
    # Uniform numbers have the variance 1/3, of which the spline leaves (0.479 each way) 0.23.
    return spline(coarse, axes[0], axes[1]) * np.float32((3 / 0.2297) ** 0.5)
