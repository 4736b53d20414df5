# SPDX-License-Identifier: GPL-3.0-or-later
"""A field of samples as a smooth surface: interpolated when it is sampled finer, averaged when it
is sampled coarser."""

from __future__ import annotations

import math

import numpy as np

from ..numerics.arrays import Doubles, Floats
from ..numerics.blocks import parts, row_bands
from ..numerics.progress import Cancel
from ..numerics.resample import SplineAxis, spline, spline_at, transposed

COLUMNS = 1024
"""Samples that are worked on at once while rows follow from their neighbors."""
TOGETHER = 65_536
"""Scattered positions at a time: their taps stay in the cache."""


class SmoothMap:
    """The natural cubic spline through all samples, and through those of coarser versions.

    A coarser version has every second sample, after the binomial filter (1, 2, 1) / 4: half the
    amplitude is left of the finest waves that it can hold, nothing of those of two samples. Its
    samples lie on samples of the finer one, so that borders stay in place. Which version is used
    follows from the distance of the positions alone, so all windows of a grid agree to the bit.

    Source: Michael Unser, Akram Aldroubi and Murray Eden, *B-spline signal processing*, 1993;
    Peter Burt and Edward Adelson, *The Laplacian pyramid as a compact image code*, 1983.

    Examples
    --------
    >>> waves = np.tile(np.float32([0, 1]), (9, 8))
    >>> smooth = SmoothMap(waves)
    >>> middle = np.array([4.0])
    >>> [smooth.at(middle, middle, (step, step)).round(3).item() for step in (0.5, 2.0)]
    [0.0, 0.5]
    """

    def __init__(self, values: Floats) -> None:
        """``values`` are (rows, columns) float32, finite."""
        self._values = values
        self._coefficients: dict[tuple[int, int], Floats] = {}

    def at(
        self,
        rows: Doubles,
        columns: Doubles,
        steps: tuple[float, float],
        cancelled: Cancel | None = None,
    ) -> Floats:
        """Return the values at the crossings of positions in samples: (len(rows), len(columns))
        float32.

        ``steps`` are the distances between neighboring positions, in rows and in columns. Beyond
        the samples, those of the border repeat.
        """
        levels = self._levels(steps)
        field = self._smooth(levels)
        return spline(field, self._axis(0, levels, rows), self._axis(1, levels, columns), cancelled)

    def at_points(
        self,
        rows: Doubles,
        columns: Doubles,
        steps: tuple[float, float],
        cancelled: Cancel | None = None,
    ) -> Floats:
        """Sample as :meth:`at` does, at points: ``rows`` and ``columns`` are of one shape, (h,
        w)."""
        levels = self._levels(steps)
        field = self._smooth(levels)
        out = np.empty(rows.shape, np.float32)
        for band in row_bands(out.shape, cancelled):
            j, i, found = rows[band].ravel(), columns[band].ravel(), out[band].reshape(-1)
            for part in parts(found.size, TOGETHER):
                found[part] = spline_at(
                    field, self._axis(0, levels, j[part]), self._axis(1, levels, i[part])
                )
        return out

    def _levels(self, steps: tuple[float, float]) -> tuple[int, int]:
        """Return how often rows and columns are halved: until a step is within 0.7 to 1.4
        samples."""
        found = [
            min(max(math.floor(math.log2(max(step, 1e-9)) + 0.5), 0), _halvings(count))
            for step, count in zip(steps, self._values.shape, strict=True)
        ]
        return found[0], found[1]

    def _axis(self, axis: int, levels: tuple[int, int], positions: Doubles) -> SplineAxis:
        """Return the taps of positions in samples of the finest version."""
        count = self._values.shape[axis]
        last = count - 1
        for _ in range(levels[axis]):
            count = count // 2 + 1
        coarse = np.clip(positions, 0, last) / 2 ** levels[axis]
        return SplineAxis.at(coarse + 1, count + 2)  # one coefficient before the first sample

    def _smooth(self, levels: tuple[int, int]) -> Floats:
        """Return the coefficients of a version, computed once."""
        known = self._coefficients.get(levels)
        if known is None:
            field = self._values
            for number in range(max(levels)):
                field = _halved(field) if number < levels[0] else field
                if number < levels[1]:
                    field = transposed(_halved(transposed(field)))
            field = _coefficients(transposed(_coefficients(transposed(field))))
            known = self._coefficients[levels] = field
        return known


def _halvings(count: int) -> int:
    """Return how often samples can be halved while there are more than two."""
    return max(math.ceil(math.log2(count - 1)) if count > 2 else 0, 0)


def _halved(rows: Floats) -> Floats:
    """Return every second row, filtered; the field goes on in a straight line beyond its border."""
    count = rows.shape[0]
    if count % 2 == 0:  # one more row, so that the last one has another on either side
        rows = np.concatenate([rows, 2 * rows[-1:] - rows[-2:-1]])
    out = rows[::2].copy()  # straight lines: the border rows stay
    inner = out[1:-1]
    inner += rows[2:-1:2]
    inner += rows[1:-2:2]
    inner += rows[3::2]
    inner *= np.float32(0.25)
    return out


def _coefficients(rows: Floats) -> Floats:
    """Return the coefficients of the natural cubic B-spline through rows, with one more on either
    side.

    They solve ``c[k - 1] + 4 c[k] + c[k + 1] = 6 rows[k]``, and are those of a straight line at
    the border (Llewellyn Thomas's algorithm for tridiagonal systems, 1949).
    """
    count = rows.shape[0]
    out = np.empty((count + 2, *rows.shape[1:]), np.float32)
    factors = [np.float32(0)]
    for _ in range(count - 2):
        factors.append(np.float32(1) / (np.float32(4) - factors[-1]))
    for part in parts(rows.shape[1], COLUMNS):
        here = out[1:-1, part]
        here[0], here[-1] = rows[0, part], rows[-1, part]
        for k in range(1, count - 1):
            np.multiply(rows[k, part], np.float32(6), out=here[k])
            here[k] -= here[k - 1]
            here[k] *= factors[k]
        for k in range(count - 2, 0, -1):
            here[k] -= factors[k] * here[k + 1]
    if count > 1:
        out[0], out[-1] = 2 * out[1] - out[2], 2 * out[-2] - out[-3]
    else:
        out[0] = out[-1] = out[1]
    return out
