# SPDX-License-Identifier: GPL-3.0-or-later
"""Blurs and ramps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

FEW = 8
"""Radius up to which adding the samples up is faster than running sums."""


def binomial(field: Floats) -> Floats:
    """One pass of the 1-2-1 kernel each way; the border is repeated."""
    padded = np.pad(field, 1, mode="edge")
    lines: Floats = padded[:-2] + padded[2:]
    lines += padded[1:-1]
    lines += padded[1:-1]
    out: Floats = lines[:, :-2] + lines[:, 2:]
    out += lines[:, 1:-1]
    out += lines[:, 1:-1]
    out *= np.float32(1 / 16)
    return out


def box(field: Floats, radius: int) -> Floats:
    """Mean over a square of 2 * ``radius`` + 1 cells; the border is repeated."""
    if radius < 1:
        return field
    if radius > FEW:
        return _box_rows(np.ascontiguousarray(_box_rows(field, radius).T), radius).T.copy()
    rows, columns = field.shape
    padded = np.pad(field, radius, mode="edge")
    lines = padded[:rows].copy()
    for start in range(1, 2 * radius + 1):
        lines += padded[start : start + rows]
    out = lines[:, :columns].copy()
    for start in range(1, 2 * radius + 1):
        out += lines[:, start : start + columns]
    out *= np.float32(1 / (2 * radius + 1) ** 2)
    return out


def _box_rows(field: Floats, radius: int) -> Floats:
    """Means of rows by running sums, whose cost does not grow with the radius."""
    padded = np.pad(field, ((radius + 1, radius), (0, 0)), mode="edge")
    sums = np.cumsum(padded, axis=0, dtype=np.float64)
    width = 2 * radius + 1
    return ((sums[width:] - sums[:-width]) / width).astype(np.float32)


def smoothstep(start: float, end: float, value: Floats) -> Floats:
    """0 up to ``start``, 1 from ``end`` on, 3t^2 - 2t^3 between; a step where both are equal."""
    t = value - np.float32(start)
    t *= np.float32(1 / max(end - start, 1e-30))
    np.clip(t, 0, 1, out=t)
    return eased(t)


def eased(t: Floats) -> Floats:
    """3t^2 - 2t^3, for t from 0 to 1."""
    result: Floats = np.float32(3) - np.float32(2) * t
    result *= t
    result *= t
    return result
