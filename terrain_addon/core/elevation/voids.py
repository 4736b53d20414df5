# SPDX-License-Identifier: GPL-3.0-or-later
"""Voids: samples where nothing was measured."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ..numerics.arrays import Bools, Floats
from ..numerics.blocks import grid_pieces
from ..numerics.resample import bilinear, window_sums
from .elevation import Elevation

MARKS = (-999999.0, -32768.0, -32767.0, -9999.0)
"""Lowest values that mark voids, whether the file says so or not."""
LARGEST = 1e30
"""Values beyond it mark voids too: such files hold the largest number of their type."""
REACH = 16
"""Samples from data up to which a void counts as small."""
ROUNDS = 48
"""Relaxations a level: the next finer level starts near its result."""


def without_marks(height: Floats, no_data: float | None) -> tuple[int, tuple[str, ...]]:
    """Replace the usual marks of voids by NaN, in place.

    Parameters
    ----------
    height : (rows, columns) float32
    no_data : the mark that the file names, which is NaN already, or None

    Returns
    -------
    (int, tuple of str) : the number of voids, and a note if there are any

    Examples
    --------
    >>> height = np.array([[5, -9999]], np.float32)
    >>> without_marks(height, None)
    (1, ('1 void, marked by -9999.',))
    """
    marks: dict[float, None] = {}
    count = 0
    for piece in grid_pieces(height.shape):  # one pass: reading takes little longer
        part = height[piece]
        gone = ~(np.abs(part) <= LARGEST)
        if gone.any():
            count += int(gone.sum())
            if no_data is not None and np.isnan(part).any():
                marks[no_data] = None
            marks |= dict.fromkeys(float(one) for one in part[gone][:1] if not math.isnan(one))
            part[gone] = np.nan
    lowest = float(np.fmin.reduce(height, None))
    for mark in MARKS:
        if lowest == mark:
            marks[mark] = None
            for piece in grid_pieces(height.shape):
                part = height[piece]
                gone = part == np.float32(mark)
                count += int(gone.sum())
                part[gone] = np.nan
            lowest = float(np.fmin.reduce(height, None))
    if not count:
        return 0, ()
    named = " and ".join(f"{mark:g}" for mark in marks if not math.isnan(mark)) or "NaN"
    return count, (f"{count} void{'s' if count > 1 else ''}, marked by {named}.",)


def fill_voids(model: Elevation, *, large: bool = False) -> Elevation:
    """Fill voids smoothly from their borders.

    The surface between the borders is that of a membrane: the mean of its neighbors everywhere
    (Laplace's equation, relaxed from coarse to fine grids).

    Parameters
    ----------
    model : the elevation model
    large : whether voids farther than :data:`REACH` samples from any height are filled too

    Raises
    ------
    ValueError : a large void, unless ``large``; nothing but voids

    Examples
    --------
    >>> height = np.add.outer(np.arange(9.0), np.arange(9.0)).astype(np.float32)
    >>> height[3:6, 3:6] = np.nan
    >>> filled = fill_voids(Elevation(height))
    >>> float(filled.height[4, 4].round(3))
    8.0
    """
    voids = model.voids
    count = int(voids.sum())
    if not count:
        return model
    if count == voids.size:
        raise ValueError("The elevation model holds nothing but voids")
    deep = _farther(voids, REACH)
    if deep and not large:
        raise ValueError(
            f"A void is large, {deep} of its samples are farther than {REACH} samples from any "
            "height: crop to a part without it, or ask for large voids to be filled too"
        )
    note = f"{count} voids filled from their borders."
    return replace(model, height=_filled(model.height, voids), notes=(*model.notes, note))


def _farther(voids: Bools, reach: int) -> int:
    """Count the voids without data within so many samples in any direction."""
    width = 2 * reach + 1
    rows = np.flatnonzero(voids.any(1))
    first, last = int(rows[0]), int(rows[-1]) + 1
    part = voids[max(first - reach, 0) : last + reach]  # rows without voids add nothing
    known = np.pad((~part).astype(np.uint16), reach)
    nearby = window_sums(window_sums(known, width).T, width).T
    return int((part & (nearby == 0)).sum())


def _filled(height: Floats, voids: Bools) -> Floats:
    """Fill the voids with a relaxed surface."""
    if min(height.shape) > 1:
        coarse = _means(height, voids)
        missing = np.isnan(coarse)
        if missing.any():
            coarse = _filled(coarse, missing)
        rows, columns = ((place / 2 - 0.25).astype(np.float32) for place in np.nonzero(voids))
        start = bilinear(coarse, rows, columns)
    else:
        start = height[~voids].mean(dtype=np.float64)
    out = height.copy()
    out[voids] = start
    _relax(out, voids)
    return out


def _means(height: Floats, voids: Bools) -> Floats:
    """Return the means of the known ones of 2 x 2 samples; NaN where there is none."""
    pad = [(0, side % 2) for side in height.shape]
    known = np.pad(~voids, pad)
    values = np.pad(np.where(voids, np.float32(0), height), pad)
    total = values[::2, ::2] + values[1::2, ::2] + values[::2, 1::2] + values[1::2, 1::2]
    count = np.zeros(total.shape, np.float32)
    for j, i in ((0, 0), (0, 1), (1, 0), (1, 1)):
        count += known[j::2, i::2]
    with np.errstate(invalid="ignore"):
        return np.divide(total, count, out=total)


def _relax(height: Floats, voids: Bools) -> None:
    """Bring each void near the mean of its neighbors, by successive over-relaxation."""
    rows, columns = np.nonzero(voids)
    ny, nx = height.shape
    near = [
        (np.maximum(rows - 1, 0), columns),
        (np.minimum(rows + 1, ny - 1), columns),
        (rows, np.maximum(columns - 1, 0)),
        (rows, np.minimum(columns + 1, nx - 1)),
    ]
    flat = height.reshape(-1)
    here = rows * nx + columns
    around = [j * nx + i for j, i in near]
    colors = [np.flatnonzero((rows + columns) % 2 == color) for color in (0, 1)]
    for _ in range(ROUNDS):
        for color in colors:
            mean = flat[around[0][color]]
            for one in around[1:]:
                mean += flat[one[color]]
            mean *= np.float32(0.25)
            old = flat[here[color]]
            mean -= old
            mean *= np.float32(1.5)
            flat[here[color]] = old + mean
