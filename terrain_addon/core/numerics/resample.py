# SPDX-License-Identifier: GPL-3.0-or-later
"""Resampling: area means, cubic B-splines, linear interpolation, and window sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import Doubles, Floats, Indices
from .blocks import parts, row_bands
from .progress import Cancel, poll

BLOCK = 64
"""Rows of a block, at least."""
CELLS = 65_536
"""Samples of a block of short columns."""


@dataclass(frozen=True)
class SplineAxis:
    """Positions along one axis of a coarse grid, as taps of a uniform cubic B-spline.

    ``first`` is the coarse sample of the first of four taps, ``weights`` and ``slopes`` (4, n)
    the weights for the value and for its derivative per coarse cell. Beyond the grid, the border
    samples repeat.
    """

    first: Indices
    weights: Floats
    slopes: Floats
    count: int

    @classmethod
    def at(cls, positions: Doubles, count: int, start: int = 0) -> SplineAxis:
        """Return the taps for positions in samples (``start`` is the first of ``count``
        samples)."""
        clamped = np.clip(positions, start - 2.0, start + count + 1.0)
        floor = np.floor(clamped)
        t = clamped - floor
        s = 1 - t
        weights = [s**3 / 6, (3 * t**3 - 6 * t * t + 4) / 6, (3 * s**3 - 6 * s * s + 4) / 6]
        weights.append(t**3 / 6)
        slopes = [-s * s / 2, (3 * t * t - 4 * t) / 2, (4 * s - 3 * s * s) / 2, t * t / 2]
        return cls(
            floor.astype(np.intp) - (start + 1),
            np.array(weights, np.float32),
            np.array(slopes, np.float32),
            count,
        )

    def part(self, rows: slice) -> SplineAxis:
        """Return the taps of some of the positions."""
        return SplineAxis(self.first[rows], self.weights[:, rows], self.slopes[:, rows], self.count)

    def cut(self, reach: int) -> tuple[SplineAxis, slice]:
        """Return the same taps on the part of the grid that they use, extended by ``reach`` samples
        on either side, and that part."""
        start = min(max(int(self.first.min()) - reach, 0), self.count - 1)
        stop = max(min(int(self.first.max()) + 4 + reach, self.count), start + 1)
        within = SplineAxis(self.first - start, self.weights, self.slopes, stop - start)
        return within, slice(start, stop)

    def tap(self, number: int) -> Indices:
        return np.clip(self.first + number, 0, self.count - 1)


def blend_columns(field: Floats, axis: SplineAxis, *, slope: bool = False) -> Floats:
    """Interpolate each row of an (h, w) coarse field at the positions of ``axis``: (h, n)."""
    # Whole rows are gathered faster than columns, even with two transpositions.
    rows = transposed(field)
    out = np.empty((field.shape[0], axis.first.size), np.float32)
    count = max(BLOCK, CELLS // field.shape[0])
    for part in parts(axis.first.size, count):
        out[:, part] = blend_rows(rows, axis.part(part), slope=slope).T
    return out


def transposed(field: Floats, cancelled: Cancel | None = None) -> Floats:
    """Return a contiguous transposed copy, made in blocks: where rows are a power of two long, the
    samples of a whole column would evict each other from the processor's cache."""
    out = np.empty(field.shape[::-1], field.dtype)
    for part in parts(field.shape[0], BLOCK, cancelled):
        out[:, part] = field[part].T
    return out


def blend_rows(
    lines: Floats,
    axis: SplineAxis,
    *,
    slope: bool = False,
    out: Floats | None = None,
    spare: Floats | None = None,
) -> Floats:
    """Interpolate (h, ...) coarse rows at the positions of ``axis``: (m, ...).

    ``out`` and ``spare`` are work arrays of the result's shape.
    """
    weights = (axis.slopes if slope else axis.weights).reshape(4, -1, *[1] * (lines.ndim - 1))
    # With mode "raise", take would buffer its output.
    made: Floats = lines.take(axis.tap(0), axis=0, out=out, mode="clip")
    made *= weights[0]
    for number in (1, 2, 3):
        part: Floats = lines.take(axis.tap(number), axis=0, out=spare, mode="clip")
        part *= weights[number]
        made += part
        spare = part
    return made


def spline(
    field: Floats, rows: SplineAxis, columns: SplineAxis, cancelled: Cancel | None = None
) -> Floats:
    """Return a coarse field at the crossings of two axes, by the cubic B-spline."""
    return spline_of(lambda part: field[part], rows, columns, cancelled)


def spline_of(
    field: Callable[[slice], Floats],
    rows: SplineAxis,
    columns: SplineAxis,
    cancelled: Cancel | None = None,
) -> Floats:
    """Return :func:`spline` of a field that is computed some rows at a time."""
    out = np.empty((rows.first.size, columns.first.size), np.float32)
    for strip, part in strips(rows):
        poll(cancelled)
        axis, coarse = part.cut(0)
        lines = blend_columns(field(coarse), columns)
        made = out[strip]
        for band in row_bands(made.shape, cancelled):
            blend_rows(lines, axis.part(band), out=made[band])
    return out


def spline_coefficients(field: Floats) -> Floats:
    """Return the B-spline coefficients with which :func:`spline` follows a smooth field: (h - 2, w
    - 2), without the first and last row and column.

    The spline differs from the field by fourth-order terms in the spacing (quasi-interpolation,
    Carl de Boor and George Fix, 1973). It does not interpolate the samples exactly, but each value
    depends on six by six of them only, so that all windows agree.
    """
    lines = _less_a_sixth(field[:, :-2], field[:, 1:-1], field[:, 2:])
    return _less_a_sixth(lines[:-2], lines[1:-1], lines[2:])


def _less_a_sixth(before: Floats, here: Floats, behind: Floats) -> Floats:
    """Subtract a sixth of the second difference from ``here``: a B-spline adds that much."""
    difference: Floats = before + behind
    difference -= here
    difference -= here
    difference *= np.float32(1 / 6)
    return np.subtract(here, difference, out=difference)


def spline_at(field: Floats, rows: SplineAxis, columns: SplineAxis) -> Floats:
    """Return a coarse field at scattered positions, given by one row and one column each: (n,)."""
    flat = field.reshape(-1)
    total = np.zeros(rows.first.size, np.float32)
    for a in range(4):
        row = rows.tap(a) * field.shape[1]
        line = np.zeros(rows.first.size, np.float32)
        for b in range(4):
            line += columns.weights[b] * flat[row + columns.tap(b)]
        total += rows.weights[a] * line
    return total


def strips(axis: SplineAxis) -> Iterator[tuple[slice, SplineAxis]]:
    """Yield the parts of an axis and their taps, long enough to read few coarse rows more than
    once."""
    seen = max(int(np.ptp(axis.first)), 1)
    count = max(axis.first.size * BLOCK // seen, 1)
    for strip in parts(axis.first.size, count):
        yield strip, axis.part(strip)


def doubled(field: Floats, cancelled: Cancel | None = None) -> Floats:
    """Return twice as many cells each way, by the B-spline."""
    for _ in range(2):
        field = _doubled_rows(transposed(field, cancelled), cancelled)
    return field


def _doubled_rows(field: Floats, cancelled: Cancel | None) -> Floats:
    """Return twice as many rows: a quarter of a row before and behind each."""
    count = field.shape[0]
    taps = np.concatenate([field[[0, 0]], field, field[[-1, -1]]])
    out = np.empty((count, 2, field.shape[1]), np.float32)
    weights = SplineAxis.at(np.array([0.75, 0.25]), 1).weights
    for part in parts(count, BLOCK, cancelled):
        for first in (0, 1):
            rows = taps[part.start + first : part.stop + first] * weights[0, first]
            for tap in (first + 1, first + 2, first + 3):
                rows += taps[part.start + tap : part.stop + tap] * weights[tap - first, first]
            out[part, first] = rows
    return out.reshape(2 * count, -1)


def halved(field: Floats, cancelled: Cancel | None = None) -> Floats:
    """Return the means of 2 x 2 cells; both sides must be even."""
    rows, columns = field.shape
    out = np.empty((rows // 2, columns // 2), np.float32)
    for part in parts(rows // 2, BLOCK, cancelled):
        pair, quarter = field[2 * part.start : 2 * part.stop], out[part]
        np.add(pair[::2, ::2], pair[1::2, ::2], out=quarter)
        quarter += pair[::2, 1::2]
        quarter += pair[1::2, 1::2]
        quarter *= np.float32(0.25)
    return out


def bilinear(field: Floats, rows: Floats, columns: Floats) -> Floats:
    """Return a field at any positions in samples, clamped to the grid; bilinear interpolation."""
    height, width = field.shape
    v, u = np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)
    j, i = np.minimum(np.floor(v), max(height - 2, 0)), np.minimum(np.floor(u), max(width - 2, 0))
    v -= j
    u -= i
    down, right = width * (height > 1), int(width > 1)
    corner: Indices = j.astype(np.intp)
    corner *= width
    corner += i.astype(np.intp)
    flat = field.ravel()
    top: Floats = flat.take(corner)
    end: Floats = flat[right:].take(corner)
    end -= top
    end *= u
    top += end
    flat = flat[down:]
    bottom: Floats = flat.take(corner)
    end = flat[right:].take(corner)
    end -= bottom
    end *= u
    bottom += end
    bottom -= top
    bottom *= v
    bottom += top
    return bottom


def bilinear_exact(field: Floats, rows: Doubles, columns: Doubles) -> Doubles:
    """Interpolate as :func:`bilinear` in float64, three times slower: for points of smooth
    lines, which float32 positions would make uneven far from the first sample."""
    corners, a, b = _corners(field, rows, columns)
    near = corners[0] * (1 - a) + corners[1] * a
    far = corners[2] * (1 - a) + corners[3] * a
    return near * (1 - b) + far * b


def triangular(field: Floats, rows: Doubles, columns: Doubles) -> Doubles:
    """Return a field on the triangles that are drawn for its quads, split from their first corner
    to the opposite one."""
    (first, beside, below, opposite), a, b = _corners(field, rows, columns)
    by_columns = first * (1 - a) + beside * (a - b) + opposite * b
    by_rows = first * (1 - b) + below * (b - a) + opposite * a
    return np.where(a > b, by_columns, by_rows)


def _corners(
    field: Floats, rows: Doubles, columns: Doubles
) -> tuple[tuple[Floats, Floats, Floats, Floats], Doubles, Doubles]:
    """Return the values at the corners of the quads around positions, and the positions within
    them, 0 to 1 along columns and rows."""
    last_row, last_column = field.shape[0] - 1, field.shape[1] - 1
    j = np.clip(np.floor(rows), 0, max(last_row - 1, 0)).astype(np.intp)
    i = np.clip(np.floor(columns), 0, max(last_column - 1, 0)).astype(np.intp)
    b, a = np.clip(rows - j, 0, 1), np.clip(columns - i, 0, 1)
    below, beside = np.minimum(j + 1, last_row), np.minimum(i + 1, last_column)
    return (field[j, i], field[j, beside], field[below, i], field[below, beside]), a, b


def area_means(
    field: Floats,
    row_edges: Doubles,
    column_edges: Doubles,
    cancelled: Cancel | None = None,
    *,
    of: Callable[[Floats], Floats] | None = None,
) -> Floats:
    """Return the exact means of a field over the cells between edges, given in samples of the
    field.

    Sample k covers k to k + 1; the field is mirrored at its border. ``of`` is a pointwise function
    that is applied to the field first.
    """
    means = _means_turned(field, row_edges, cancelled, of)
    return _means_turned(means, column_edges, cancelled)


def _means_turned(
    field: Floats,
    edges: Doubles,
    cancelled: Cancel | None,
    of: Callable[[Floats], Floats] | None = None,
) -> Floats:
    """Return the means along the rows, transposed, some columns at a time."""
    out = np.empty((field.shape[1], edges.size - 1), np.float32)
    count = max(BLOCK, CELLS // field.shape[0])
    for columns in parts(field.shape[1], count, cancelled):
        part = field[:, columns]
        out[columns] = _means_along_rows(part if of is None else of(part), edges).T
    return out


def _means_along_rows(field: Floats, edges: Doubles) -> Floats:
    low = int(np.floor(edges[0]))
    high = int(np.ceil(edges[-1]))
    samples = np.arange(low, high) % (2 * field.shape[0])
    mirrored = np.minimum(samples, 2 * field.shape[0] - 1 - samples)
    each = round((high - low) / (edges.size - 1))
    if np.array_equal(edges, np.arange(low, high + 1, max(each, 1))):
        means = field[mirrored[::each]]  # cells of whole samples need no cumulative sums
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


def window_sums(values: NDArray[Any], width: int) -> NDArray[Any]:
    """Sum ``width`` rows from each row on: ``width - 1`` fewer rows than ``values``.

    Built from sums of 1, 2, 4, 8 ... rows, at a cost of the logarithm of the width. Unlike
    differences of cumulative sums, windows of one grid agree to the bit.
    """
    count = len(values) - width + 1
    total: NDArray[Any] | None = None
    start, length = 0, 1
    while True:
        if width & length:
            part = values[start : start + count]
            total = part.copy("K") if total is None else np.add(total, part, out=total)
            start += length
        if 2 * length > width:
            assert total is not None, "a width has a highest bit"
            return total
        values = values[:-length] + values[length:]
        length *= 2


def block_means(image: Floats, factors: tuple[int, int]) -> Floats:
    """Return the means of so many rows and columns of pixels, (rows, columns, channels) float32.

    The last rows and columns may be means of fewer.

    Examples
    --------
    >>> block_means(np.float32([[[0.0], [2.0], [5.0]]]), (1, 2)).ravel().tolist()
    [1.0, 5.0]
    """
    for axis, factor in enumerate(factors):
        if factor > 1:
            count = image.shape[axis]
            starts: Indices = np.arange(0, count, factor, dtype=np.intp)
            shares = 1 / np.minimum(factor, count - starts).astype(np.float32)
            shape = (-1, 1, 1) if axis == 0 else (1, -1, 1)
            image = np.add.reduceat(image, starts, axis) * shares.reshape(shape)
    return image
