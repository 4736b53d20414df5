# SPDX-License-Identifier: GPL-3.0-or-later
"""Between grids: box averages downwards, cubic B-splines upwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import Doubles, Floats, Indices
from .blocks import row_bands
from .progress import Cancel, poll

BLOCK = 64
"""Rows worked on at once."""
CELLS = 65_536
"""Of short columns more are worked on at once, as many as have so many cells."""


@dataclass(frozen=True)
class SplineAxis:
    """Positions along one axis of a coarse grid, as taps of a uniform cubic B-spline.

    ``first`` is the coarse sample of the first of four taps, ``weights`` and ``slopes`` (4, n)
    the weights for the value and for its derivative per coarse cell. Positions off the grid see
    the border samples repeated.
    """

    first: Indices
    weights: Floats
    slopes: Floats
    count: int

    @classmethod
    def at(cls, positions: Doubles, count: int, start: int = 0) -> SplineAxis:
        """Taps for positions in samples (``start`` is the first of ``count`` samples)."""
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
        """The taps of some of the positions."""
        return SplineAxis(self.first[rows], self.weights[:, rows], self.slopes[:, rows], self.count)

    def cut(self, reach: int) -> tuple[SplineAxis, slice]:
        """The same taps on the part of the grid that they and ``reach`` samples to either side of
        them see, and that part."""
        start = min(max(int(self.first.min()) - reach, 0), self.count - 1)
        stop = max(min(int(self.first.max()) + 4 + reach, self.count), start + 1)
        within = SplineAxis(self.first - start, self.weights, self.slopes, stop - start)
        return within, slice(start, stop)

    def tap(self, number: int) -> Indices:
        return np.clip(self.first + number, 0, self.count - 1)


def blend_columns(field: Floats, axis: SplineAxis, *, slope: bool = False) -> Floats:
    """(h, w) coarse field -> (h, n): each row seen at the positions of ``axis``."""
    # Whole rows are gathered faster than columns, even with two transpositions.
    rows = transposed(field)
    out = np.empty((field.shape[0], axis.first.size), np.float32)
    count = max(BLOCK, CELLS // field.shape[0])
    for start in range(0, axis.first.size, count):
        part = slice(start, start + count)
        out[:, part] = blend_rows(rows, axis.part(part), slope=slope).T
    return out


def transposed(field: Floats) -> Floats:
    """A contiguous copy with rows for columns, made in blocks: where rows are a power of two long,
    those of a whole column would drive each other out of the processor's cache."""
    out = np.empty(field.shape[::-1], field.dtype)
    for start in range(0, field.shape[0], BLOCK):
        part = slice(start, start + BLOCK)
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
    """(h, ...) coarse rows -> (m, ...): seen at the positions of ``axis``; whole rows, no gathers.

    ``out`` and ``spare`` are memory of the result's shape to work in.
    """
    weights = (axis.slopes if slope else axis.weights).reshape(4, -1, *[1] * (lines.ndim - 1))
    # With mode "raise", take would work in a copy of its own.
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
    """A coarse field at the crossings of two axes."""
    return spline_of(lambda part: field[part], rows, columns, cancelled)


def spline_of(
    field: Callable[[slice], Floats],
    rows: SplineAxis,
    columns: SplineAxis,
    cancelled: Cancel | None = None,
) -> Floats:
    """:func:`spline` of a field that is asked for some of its rows at a time."""
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
    """What :func:`spline` is given to follow a smooth field, (h - 2, w - 2): less its first and
    last row and column.

    The spline then differs from the field by terms of the fourth order in the distance of samples
    (quasi-interpolation, Carl de Boor and George Fix 1973). It does not go through the samples to
    the last digit, but each value follows from six by six of them, so that all windows agree.
    """
    lines = _less_a_sixth(field[:, :-2], field[:, 1:-1], field[:, 2:])
    return _less_a_sixth(lines[:-2], lines[1:-1], lines[2:])


def _less_a_sixth(before: Floats, here: Floats, behind: Floats) -> Floats:
    """``here`` without a sixth of the second difference: a B-spline adds that much."""
    difference: Floats = before + behind
    difference -= here
    difference -= here
    difference *= np.float32(1 / 6)
    return np.subtract(here, difference, out=difference)


def strips(axis: SplineAxis) -> Iterator[tuple[slice, SplineAxis]]:
    """Parts of an axis, and their taps, which see few rows of a coarse grid more than once."""
    seen = max(int(np.ptp(axis.first)), 1)
    count = max(axis.first.size * BLOCK // seen, 1)
    for start in range(0, axis.first.size, count):
        strip = slice(start, min(start + count, axis.first.size))
        yield strip, axis.part(strip)


def doubled(field: Floats) -> Floats:
    """Twice as many cells each way, by the B-spline."""
    return _doubled_rows(transposed(_doubled_rows(transposed(field))))


def _doubled_rows(field: Floats) -> Floats:
    """Twice as many rows: a quarter of a row before each of them, and a quarter behind."""
    count = field.shape[0]
    taps = np.concatenate([field[[0, 0]], field, field[[-1, -1]]])
    out = np.empty((count, 2, field.shape[1]), np.float32)
    weights = SplineAxis.at(np.array([0.75, 0.25]), 1).weights
    for start in range(0, count, BLOCK):
        stop = min(start + BLOCK, count)
        for first in (0, 1):
            rows = taps[start + first : stop + first] * weights[0, first]
            for tap in (1, 2, 3):
                rows += taps[start + first + tap : stop + first + tap] * weights[tap, first]
            out[start:stop, first] = rows
    return out.reshape(2 * count, -1)


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
    """:func:`bilinear` in float64, three times as slow: for the points of lines, whose smooth
    course float32 positions would make uneven far from the first sample."""
    corners, a, b = _corners(field, rows, columns)
    near = corners[0] * (1 - a) + corners[1] * a
    far = corners[2] * (1 - a) + corners[3] * a
    return near * (1 - b) + far * b


def triangular(field: Floats, rows: Doubles, columns: Doubles) -> Doubles:
    """A field on the triangles that are drawn of its quads, which are cut from their first corner
    to the opposite one."""
    (first, beside, below, opposite), a, b = _corners(field, rows, columns)
    by_columns = first * (1 - a) + beside * (a - b) + opposite * b
    by_rows = first * (1 - b) + below * (b - a) + opposite * a
    return np.where(a > b, by_columns, by_rows)


def _corners(
    field: Floats, rows: Doubles, columns: Doubles
) -> tuple[tuple[Floats, Floats, Floats, Floats], Doubles, Doubles]:
    """Values at the corners of the quads around the places, and how far these lie along the columns
    and the rows: 0 to 1."""
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
    """Exact means of a field over the cells between edges, given in samples of the field.

    Sample k covers k to k + 1. Beyond its border the field goes on mirrored. They are means ``of``
    what that makes of parts of the field, point by point; by default of its values.
    """
    means = _means_turned(field, row_edges, cancelled, of)
    return _means_turned(means, column_edges, cancelled)


def _means_turned(
    field: Floats,
    edges: Doubles,
    cancelled: Cancel | None,
    of: Callable[[Floats], Floats] | None = None,
) -> Floats:
    """Means along the rows with rows for columns, some columns at a time."""
    out = np.empty((field.shape[1], edges.size - 1), np.float32)
    count = max(BLOCK, CELLS // field.shape[0])
    for start in range(0, field.shape[1], count):
        poll(cancelled)
        part = field[:, start : start + count]
        out[start : start + count] = _means_along_rows(part if of is None else of(part), edges).T
    return out


def _means_along_rows(field: Floats, edges: Doubles) -> Floats:
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


def window_sums(values: NDArray[Any], width: int) -> NDArray[Any]:
    """Sums of ``width`` rows, from each row on: ``width - 1`` fewer rows than ``values`` has.

    Sums of 1, 2, 4, 8 ... rows are built from each other and pieced together. Unlike differences
    of cumulative sums that takes the same steps wherever an array begins, so windows of one grid
    agree to the bit, and it costs the logarithm of the width.
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
