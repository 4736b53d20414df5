# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertical errors of the triangles that halve the square cells of a grid along a diagonal."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ...numerics.arrays import Floats
from ...numerics.blocks import BAND, parts
from ...numerics.progress import Cancel


def cell_errors(
    height: Floats, size: int, *, averaged: bool = False, cancelled: Cancel | None = None
) -> Floats:
    """Return the largest |plane - height| over the samples of each triangle, its border included.

    The diagonals of neighboring cells mirror each other: all of them end at samples whose row and
    column are even multiples of ``size``.

    Parameters
    ----------
    height : (rows, columns) float32, one more than a multiple of ``size`` each way
    size : steps along the side of a cell
    averaged : whether the corner that a triangle has off the diagonal is at the mean of the two
        corners beside it, as where four triangles meet in the middle of a square of four cells;
        there must be an even number of cells each way

    Returns
    -------
    (2, cells along Y, cells along X) float32 : triangles with a side along X, then along Y

    Examples
    --------
    >>> height = np.zeros((3, 3), np.float32)
    >>> height[1, 1] = 4.0
    >>> cell_errors(height, 2).tolist()
    [[[4.0]], [[4.0]]]
    """
    rows, columns = ((count - 1) // size for count in height.shape)
    worst = np.zeros((2, rows, columns), np.float32)
    for j in range(min(rows, 2)):
        for i in range(min(columns, 2)):
            samples = _cells(height, size, j, i, reach=2 * size if averaged else size)
            for turned, part in ((samples, worst[0]), (samples.transpose(1, 0, 2, 3), worst[1])):
                _half(turned, size, averaged, part[j::2, i::2], cancelled)
    return worst


def _cells(height: Floats, size: int, j: int, i: int, reach: int) -> Floats:
    """Return a view of every other cell each way: (reach + 1, reach + 1, cells along Y, along X).

    The first sample of a cell is the even end of its diagonal, and the axes point away from it.
    """
    rows, columns = ((count - 1) // size for count in height.shape)
    down, across = height.strides
    # A mirrored cell begins at its far corner and is read backwards.
    first = height[(j + j) * size :, (i + i) * size :]
    shape = (reach + 1, reach + 1, len(range(j, rows, 2)), len(range(i, columns, 2)))
    strides = (-down if j else down, -across if i else across, 2 * size * down, 2 * size * across)
    return as_strided(first, shape, strides, writeable=False)


def _half(
    samples: Floats, size: int, averaged: bool, worst: Floats, cancelled: Cancel | None
) -> None:
    """Fill in the errors of the triangles between the first axis of the cells and their
    diagonal."""
    for rows in parts(worst.shape[0], BAND // ((size + 1) * worst.shape[1]), cancelled):
        part = samples[:, :, rows]
        start, end = part[0, 0], part[size, size]
        side = (start + part[0, 2 * size]) / 2 if averaged else part[0, size]
        along, up = (side - start) / np.float32(size), (end - side) / np.float32(size)
        for v, steps in _rows(size):
            plane = along * steps
            plane += start + up * np.float32(v)
            plane -= part[v, v : size + 1]
            np.abs(plane, out=plane)
            np.maximum(worst[rows], plane.max(axis=0), out=worst[rows])


def _rows(size: int) -> Iterator[tuple[int, Floats]]:
    """Yield the rows of a triangle, and the steps to its samples in each."""
    for v in range(size + 1):
        yield v, np.arange(v, size + 1, dtype=np.float32)[:, None, None]
