# SPDX-License-Identifier: GPL-3.0-or-later
"""Between grids: box averages downwards, cubic B-splines upwards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Axis = NDArray[np.float64]


@dataclass(frozen=True)
class SplineAxis:
    """Positions along one axis of a coarse grid, as taps of a uniform cubic B-spline.

    ``first`` is the coarse sample of the first of four taps, ``weights`` and ``slopes`` (4, n)
    the weights for the value and for its derivative per coarse cell. Positions off the grid see
    the border samples repeated.
    """

    first: NDArray[np.intp]
    weights: Floats
    slopes: Floats
    count: int

    @classmethod
    def at(cls, positions: Axis, count: int) -> SplineAxis:
        """Taps for positions in samples (0 is the first of ``count`` samples)."""
        clamped = np.clip(positions, -2.0, count + 1.0)
        floor = np.floor(clamped)
        t = clamped - floor
        s = 1 - t
        weights = [s**3 / 6, (3 * t**3 - 6 * t * t + 4) / 6, (3 * s**3 - 6 * s * s + 4) / 6]
        weights.append(t**3 / 6)
        slopes = [-s * s / 2, (3 * t * t - 4 * t) / 2, (4 * s - 3 * s * s) / 2, t * t / 2]
        return cls(
            floor.astype(np.intp) - 1,
            np.array(weights, np.float32),
            np.array(slopes, np.float32),
            count,
        )

    def part(self, rows: slice) -> SplineAxis:
        """The taps of some of the positions."""
        return SplineAxis(self.first[rows], self.weights[:, rows], self.slopes[:, rows], self.count)

    def tap(self, number: int) -> NDArray[np.intp]:
        return np.clip(self.first + number, 0, self.count - 1)


def blend_columns(field: Floats, axis: SplineAxis, *, slope: bool = False) -> Floats:
    """(h, w) coarse field -> (h, n): each row seen at the positions of ``axis``."""
    values = axis.slopes if slope else axis.weights
    out = field[:, axis.tap(0)] * values[0]
    for number in (1, 2, 3):
        out += field[:, axis.tap(number)] * values[number]
    return out


def blend_rows(lines: Floats, axis: SplineAxis, *, slope: bool = False) -> Floats:
    """(h, n) coarse rows -> (m, n): seen at the positions of ``axis``; whole rows, no gathers."""
    values = axis.slopes if slope else axis.weights
    out = lines[axis.tap(0)]
    out *= values[0][:, None]
    for number in (1, 2, 3):
        part = lines[axis.tap(number)]
        part *= values[number][:, None]
        out += part
    return out


def spline(field: Floats, rows: SplineAxis, columns: SplineAxis) -> Floats:
    """A coarse field at the crossings of two axes."""
    return blend_rows(blend_columns(field, columns), rows)


def doubled(field: Floats) -> Floats:
    """Twice as many cells each way, by the B-spline."""
    rows, columns = field.shape
    return spline(
        field,
        SplineAxis.at(np.arange(-0.25, rows - 0.5, 0.5), rows),
        SplineAxis.at(np.arange(-0.25, columns - 0.5, 0.5), columns),
    )


def halved(field: Floats) -> Floats:
    """Means of 2 x 2 cells; both sides must be even."""
    quarter: Floats = field[::2, ::2] + field[1::2, ::2]
    quarter += field[::2, 1::2]
    quarter += field[1::2, 1::2]
    quarter *= np.float32(0.25)
    return quarter


def bilinear(field: Floats, rows: Floats, columns: Floats) -> Floats:
    """A field at any positions in samples, which are clamped to the grid."""
    height, width = field.shape
    j = np.clip(rows.astype(np.int32), 0, max(height - 2, 0))
    i = np.clip(columns.astype(np.int32), 0, max(width - 2, 0))
    v: Floats = np.clip(rows - j, 0, 1).astype(np.float32)
    u: Floats = np.clip(columns - i, 0, 1).astype(np.float32)
    down, right = width * (height > 1), int(width > 1)
    corner, flat = j * width + i, field.ravel()
    top: Floats = flat[corner]
    top += u * (flat[corner + right] - top)
    bottom: Floats = flat[corner + down]
    bottom += u * (flat[corner + (down + right)] - bottom)
    bottom -= top
    bottom *= v
    bottom += top
    return bottom


def area_means(field: Floats, row_edges: Axis, column_edges: Axis) -> Floats:
    """Exact means of a field over the cells between edges, given in samples of the field.

    Sample k covers k to k + 1. Beyond its border the field goes on mirrored.
    """
    means = _means_along_rows(field, row_edges)
    means = _means_along_rows(np.ascontiguousarray(means.T), column_edges)
    return np.ascontiguousarray(means.T, dtype=np.float32)


def _means_along_rows(field: Floats, edges: Axis) -> Floats:
    low = int(np.floor(edges[0]))
    high = int(np.ceil(edges[-1]))
    samples = np.arange(low, high) % (2 * field.shape[0])
    mirrored = np.minimum(samples, 2 * field.shape[0] - 1 - samples)
    each = round((high - low) / (edges.size - 1))
    if np.array_equal(edges, np.arange(low, high + 1, max(each, 1))):
        means = field[mirrored[::each]]  # cells of whole samples: no running sums needed
        for part in range(1, each):
            means += field[mirrored[part::each]]
        means *= np.float32(1 / each)
        return means
    sums = np.zeros((high - low + 1, field.shape[1]))
    np.cumsum(field[mirrored], axis=0, out=sums[1:], dtype=np.float64)
    place = edges - low
    whole = np.minimum(place.astype(np.intp), high - low - 1)
    part = (place - whole)[:, None]
    at_edges = sums[whole] * (1 - part) + sums[whole + 1] * part
    return (np.diff(at_edges, axis=0) / np.diff(edges)[:, None]).astype(np.float32)
