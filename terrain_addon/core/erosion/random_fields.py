# SPDX-License-Identifier: GPL-3.0-or-later
"""Random numbers that are a function of seed and place: the same in any window and any order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Doubles, Floats
from ..numerics.blocks import SAMPLES, row_bands
from ..numerics.hashing import LOWBIAS32, Words, mixed
from ..numerics.progress import Cancel
from ..numerics.resample import SplineAxis, blend_columns, blend_rows, spline_at

Cells = NDArray[np.int64]
SPREAD = np.float32((3 / 0.2297) ** 0.5)
"""Factor on the numbers of `smooth`: uniform numbers have the variance 1/3, of which the spline
leaves (0.479 each way) 0.23."""


def hashed(rows: Cells, columns: Cells, seed: int) -> Words:
    """Return 32 random bits for every crossing of lattice rows and columns (any whole numbers)."""
    first = mixed(rows.astype(np.uint32) ^ np.uint32(seed & 0xFFFFFFFF), LOWBIAS32)
    crossings = first[:, None] + columns.astype(np.uint32)[None, :] * np.uint32(0x9E3779B1)
    return mixed(crossings, LOWBIAS32)


def uniform(shape: tuple[int, ...], seed: int, cancelled: Cancel | None = None) -> Floats:
    """Return (H, W) float32, independent and uniform from -1 to 1."""
    out, columns = np.empty(shape, np.float32), np.arange(shape[1])
    for rows in row_bands(shape, cancelled, SAMPLES):
        bits = hashed(np.arange(rows.start, rows.stop, dtype=np.int64), columns, seed)
        np.multiply(bits.view(np.int32), np.float32(2.0**-31), out=out[rows], dtype=np.float32)
    return out


def factors(rows: slice, columns: int, spread: float, count: int, seed: int) -> list[Floats]:
    """Return ``count`` fields, (rows, columns) float32, uniform from 1 - ``spread`` to 1 +
    ``spread``.

    Two fields share their random bits, 16 for each, which halves the time. Rows have the same
    factors in any band.
    """
    made: list[Floats] = []
    down, across = np.arange(rows.start, rows.stop, dtype=np.int64), np.arange(columns)
    for first in range(0, count, 2):
        bits = hashed(down, across, seed + first)
        for half in (bits, bits << np.uint32(16)):
            field = np.multiply(
                half.view(np.int32), np.float32(spread * 2.0**-31), dtype=np.float32
            )
            field += np.float32(1)
            made.append(field)
    return made[:count]


def smooth(shape: tuple[int, ...], wavelength: float, seed: int) -> Floats:
    """Return (H, W) float32 of mean 0 and deviation about 1 that varies over ``wavelength`` cells,
    at least 2: cells cannot show shorter waves."""
    return blend_rows(*smooth_lines(shape, wavelength, seed))


def smooth_part(
    part: tuple[slice, slice], wavelength: float, seed: int, period: tuple[int, int] | None = None
) -> Floats:
    """Compute some rows and columns of `smooth` without the others; with a ``period`` in rows and
    columns it repeats after that."""
    return blend_rows(*_lines(part, wavelength, seed, period))


def smooth_at(
    shape: tuple[int, ...], wavelength: float, seed: int, rows: Doubles, columns: Doubles
) -> Floats:
    """Return `smooth` at scattered places, (n,) rows and columns: (n,) float32."""
    down, across = (_waves(slice(0, length), wavelength) for length in shape)
    step = max(wavelength, 2.0) / 2
    axes = (
        SplineAxis.at(places / step + 2, axis.count)
        for places, axis in ((rows, down), (columns, across))
    )
    return spline_at(_waving(down, across, seed), *axes)


def smooth_lines(
    shape: tuple[int, ...], wavelength: float, seed: int, *, wraps: bool = False
) -> tuple[Floats, SplineAxis]:
    """Return the input of `blend_rows` for `smooth`, for all rows or some.

    A cubic B-spline over random numbers half a wavelength apart. If it ``wraps``, it repeats after
    the last row and column.
    """
    rows, columns = shape
    part = slice(0, rows), slice(0, columns)
    return _lines(part, wavelength, seed, (rows, columns) if wraps else None)


def _lines(
    part: tuple[slice, slice], wavelength: float, seed: int, period: tuple[int, int] | None
) -> tuple[Floats, SplineAxis]:
    if period is None:
        rows, columns = (_waves(axis, wavelength) for axis in part)
        return blend_columns(_waving(rows, columns, seed), columns), rows
    counts = [max(1, min(round(2 * length / wavelength), length)) for length in period]
    rows, columns = (
        _waves(axis, 2 * length / count)
        for axis, length, count in zip(part, period, counts, strict=True)
    )
    down, across = (
        np.arange(axis.count) % count for axis, count in zip((rows, columns), counts, strict=True)
    )
    coarse = uniform((counts[0], counts[1]), seed).take(down, axis=0).take(across, axis=1)
    coarse *= SPREAD
    return blend_columns(coarse, columns), rows


def _waves(part: slice, wavelength: float) -> SplineAxis:
    """Return where some cells lie among random numbers half a wavelength apart."""
    cells = np.arange(part.start, part.stop, dtype=np.float64)
    positions: Doubles = cells / (max(wavelength, 2.0) / 2) + 2
    return SplineAxis.at(positions, int(positions[-1]) + 4)


def _waving(rows: SplineAxis, columns: SplineAxis, seed: int) -> Floats:
    """Return the random numbers at the crossings of two axes."""
    coarse = uniform((rows.count, columns.count), seed)
    coarse *= SPREAD
    return coarse
