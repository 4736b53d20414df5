# SPDX-License-Identifier: GPL-3.0-or-later
"""Blurs and ramps."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Bools, Floats
from ..numerics.blocks import SAMPLES, row_bands, with_margin
from ..numerics.progress import Cancel, poll
from ..numerics.resample import window_sums

Number = TypeVar("Number", np.float32, np.uint16)

BAND = 2**17
"""Cells of a band whose margin is computed twice: few bands, each far smaller than the largest
grids."""
WIDEST = 255
"""Side of the largest square whose cells uint16 can count."""


def binomial(
    field: Floats,
    passes: int = 1,
    weight: Floats | None = None,
    cancelled: Cancel | None = None,
    *,
    out: Floats | None = None,
) -> Floats:
    """Smooth by passes of the 1-2-1 kernel each way; the border is repeated.

    ``weight`` (H, W), 0 to 1, is the share of the blur at each cell. The result is a new array or
    ``out``, which may be the field itself.
    """
    if out is None:
        out = np.empty(field.shape, np.float32)
    above = field[:0]  # rows above the band as they were
    for rows in row_bands(field.shape, None, BAND):
        around, inner = with_margin(rows, passes, field.shape[0])
        source = _padded(above, field[rows.start : around.stop])
        above = source[1:-1, 1:-1][max(inner.stop - passes, 0) : inner.stop].copy()
        share = None if weight is None else weight[around]
        out[rows] = _blurred(source, passes, share, cancelled)[inner]
    return out


def _blurred(
    source: Floats, passes: int, weight: Floats | None, cancelled: Cancel | None
) -> Floats:
    """Return `binomial` of a padded field, which is overwritten, in one piece."""
    # The padded field is one long row: NumPy takes three times as long on windows of short rows.
    # Sums across the ends of rows land in the padding, which is computed again.
    target, pitch = source.copy(), source.shape[1]
    share = None if weight is None else _padded(weight * np.float32(1 / 16))
    keep = None if share is None else 1 - np.float32(16) * share
    bands = list(row_bands((source.shape[0] - 2, pitch - 2), None, SAMPLES))
    spare = np.empty((2, (bands[0].stop + 1) * pitch), np.float32)
    for _ in range(passes):
        poll(cancelled)
        for band in bands:
            inner = slice((band.start + 1) * pitch + 1, (band.stop + 1) * pitch - 1)
            around = source.ravel()[band.start * pitch : (band.stop + 2) * pitch]
            out = target.ravel()[inner]
            _add_neighbors(around, pitch, spare, out)
            out *= np.float32(1 / 16) if share is None else share.ravel()[inner]
            if keep is not None:
                kept = spare[0, : out.size]
                out += np.multiply(source.ravel()[inner], keep.ravel()[inner], out=kept)
        _repeat_border(target)
        source, target = target, source
    return source[1:-1, 1:-1]


def _add_neighbors(around: Floats, pitch: int, spare: Floats, out: Floats) -> None:
    """Write sixteen times the 1-2-1 mean each way, as sums of sums of pairs. ``around`` is
    contiguous rows of length ``pitch``; ``out`` lacks the outer rows and the first and last value
    of others.
    """
    pairs, lines = spare[:, : around.size - pitch]
    np.add(around[:-pitch], around[pitch:], out=pairs)
    lines = np.add(pairs[:-pitch], pairs[pitch:], out=lines[:-pitch])
    pairs = np.add(lines[:-1], lines[1:], out=pairs[: lines.size - 1])
    np.add(pairs[:-1], pairs[1:], out=out)


def box(
    field: Floats, radius: int, cancelled: Cancel | None = None, *, out: Floats | None = None
) -> Floats:
    """Return the mean over a square of 2 * ``radius`` + 1 cells; the border is repeated.

    The radius is limited to twice the longer side, where the mean hardly changes any more. With
    radius 0 the result is the field itself, otherwise a new array or ``out``.
    """
    radius = min(radius, 2 * max(field.shape))
    if radius < 1:
        return field
    means = _square_sums(field, radius, out, cancelled)
    means *= np.float32(1 / (2 * radius + 1) ** 2)
    return means


def share_around(cells: Bools, radius: int) -> Floats:
    """Return the share of true cells in the square around each cell, 0 to 1."""
    counts, share = counts_around(cells, radius)
    return counts * share


def counts_around(cells: Bools, radius: int) -> tuple[NDArray[Any], np.float32]:
    """Count the true cells in the square around each cell, as uint16 if that can count them,
    and the share of the square that one cell is."""
    radius = max(min(radius, 2 * max(cells.shape)), 0)
    counts: NDArray[Any] = cells.astype(np.uint16 if 2 * radius + 1 <= WIDEST else np.float32)
    if radius:
        _square_sums(counts, radius, counts)
    return counts, np.float32(1 / (2 * radius + 1) ** 2)


def _square_sums(
    field: NDArray[Number],
    radius: int,
    out: NDArray[Number] | None,
    cancelled: Cancel | None = None,
) -> NDArray[Number]:
    """Return the sum over squares of 2 * ``radius`` + 1 cells; the border is repeated.

    First down the columns, then along the rows: the cells around a band are in the band.
    """
    width = 2 * radius + 1
    if out is None:
        out = np.empty_like(field)
    # Rows beyond the border are those on it.
    around = np.clip(np.arange(-radius, len(field) + radius), 0, len(field) - 1)
    for columns in row_bands(field.shape[::-1], cancelled, BAND):
        out[:, columns] = window_sums(field[:, columns][around], width)
    for rows in row_bands(field.shape, cancelled, BAND):
        lines = np.pad(out[rows], ((0, 0), (radius, radius)), mode="edge")
        out[rows] = window_sums(lines.T, width).T
    return out


def _padded(*parts: Floats) -> Floats:
    """Return the parts of a field, one below the other, with its border repeated once; np.pad takes
    longer than the blur of a small field."""
    count = sum(len(part) for part in parts)
    out = np.empty((count + 2, parts[0].shape[1] + 2), np.float32)
    np.concatenate(parts, out=out[1:-1, 1:-1])
    _repeat_border(out)
    return out


def _repeat_border(padded: Floats) -> None:
    padded[0], padded[-1] = padded[1], padded[-2]
    padded[:, 0], padded[:, -1] = padded[:, 1], padded[:, -2]


def smoothstep(start: float, end: float, value: Floats) -> Floats:
    """Return 0 up to ``start``, 1 from ``end`` on, 3t^2 - 2t^3 between; a step where both are
    equal."""
    t = value - np.float32(start)
    t *= np.float32(1 / max(end - start, 1e-30))
    np.clip(t, 0, 1, out=t)
    result: Floats = np.float32(3) - np.float32(2) * t
    result *= t
    result *= t
    return result
