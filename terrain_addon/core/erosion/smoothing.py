# SPDX-License-Identifier: GPL-3.0-or-later
"""Blurs and ramps."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import Bools, Floats
from ..cancel import Cancel, poll
from ..window_sums import window_sums
from .bands import in_cache, with_margin

Number = TypeVar("Number", np.float32, np.uint16)

BAND = 2**18
"""Cells worked on at once where those of other rows are done again for it: few bands, each of far
fewer cells than the largest grids."""
ROWS_PER_RADIUS = 8
"""Rows worked on at once at least, in radii: the rows around them are few beside them."""
WIDEST = 255
"""Side of the largest square whose cells two bytes can count."""


def binomial(
    field: Floats,
    passes: int = 1,
    weight: Floats | None = None,
    cancelled: Cancel | None = None,
) -> Floats:
    """Passes of the 1-2-1 kernel each way; the border is repeated.

    With a ``weight`` (H, W), 0 to 1, each cell moves by that part of the way.
    """
    if passes < 1:
        return field
    out = np.empty(field.shape, np.float32)
    for rows in in_cache(field.shape, BAND):
        part, inner = with_margin(rows, passes, field.shape[0])
        share = None if weight is None else weight[part]
        out[rows] = _blurred(field[part], passes, share, cancelled)[inner]
    return out


def _blurred(field: Floats, passes: int, weight: Floats | None, cancelled: Cancel | None) -> Floats:
    """`binomial` of a field in one piece."""
    # The padded fields are worked on as one long row: on windows of short rows NumPy takes three
    # times as long. What comes over the rows' ends falls into the padding, which is made anew.
    source = _padded(field)
    target, pitch = source.copy(), source.shape[1]
    share = None if weight is None else _padded(weight * np.float32(1 / 16))
    keep = None if share is None else 1 - np.float32(16) * share
    bands = list(in_cache(field.shape))
    spare = np.empty((2, (bands[0].stop + 1) * pitch), np.float32)
    for _ in range(passes):
        poll(cancelled)
        for band in bands:
            inner = slice((band.start + 1) * pitch + 1, (band.stop + 1) * pitch - 1)
            around = source.ravel()[band.start * pitch : (band.stop + 2) * pitch]
            out = target.ravel()[inner]
            _add_neighbours(around, pitch, spare, out)
            out *= np.float32(1 / 16) if share is None else share.ravel()[inner]
            if keep is not None:
                kept = spare[0, : out.size]
                out += np.multiply(source.ravel()[inner], keep.ravel()[inner], out=kept)
        _repeat_border(target)
        source, target = target, source
    return source[1:-1, 1:-1]


def _add_neighbours(around: Floats, pitch: int, spare: Floats, out: Floats) -> None:
    """Sixteen times the mean by 1-2-1 each way, as sums of sums of pairs, of rows ``pitch`` long
    one behind the other: all but the first and the last value of all but the outer rows."""
    pairs, lines = spare[:, : around.size - pitch]
    np.add(around[:-pitch], around[pitch:], out=pairs)
    lines = np.add(pairs[:-pitch], pairs[pitch:], out=lines[:-pitch])
    pairs = np.add(lines[:-1], lines[1:], out=pairs[: lines.size - 1])
    np.add(pairs[:-1], pairs[1:], out=out)


def box(field: Floats, radius: int) -> Floats:
    """Mean over a square of 2 * ``radius`` + 1 cells; the border is repeated.

    The radius is limited to twice the longer side, whose mean hardly differs.
    """
    radius = min(radius, 2 * max(field.shape))
    if radius < 1:
        return field
    means = _square_sums(field, radius)
    means *= np.float32(1 / (2 * radius + 1) ** 2)
    return means


def share_around(mask: Bools, radius: int) -> Floats:
    """`box` of a mask, 0 to 1: in whole numbers of two bytes, if those can count the cells."""
    radius = min(radius, 2 * max(mask.shape))
    if radius < 1 or 2 * radius + 1 > WIDEST:
        return box(mask.astype(np.float32), radius)
    counts = _square_sums(mask.astype(np.uint16), radius)
    return counts * np.float32(1 / (2 * radius + 1) ** 2)


def _square_sums(field: NDArray[Number], radius: int) -> NDArray[Number]:
    """Sums over squares of 2 * ``radius`` + 1 cells; the border is repeated."""
    width, out = 2 * radius + 1, np.empty_like(field)
    for rows in in_cache(field.shape, max(BAND, ROWS_PER_RADIUS * radius * field.shape[1])):
        # Rows beyond the border are those on it.
        around = np.arange(rows.start - radius, rows.stop + radius, dtype=np.intp)
        around = np.clip(around, 0, len(field) - 1)
        lines = np.pad(window_sums(field[around], width), ((0, 0), (radius, radius)), mode="edge")
        out[rows] = window_sums(lines.T, width).T
    return out


def _padded(field: Floats) -> Floats:
    """A copy with its border repeated once; np.pad takes longer than the blur of a small field."""
    out = np.empty((field.shape[0] + 2, field.shape[1] + 2), np.float32)
    out[1:-1, 1:-1] = field
    _repeat_border(out)
    return out


def _repeat_border(padded: Floats) -> None:
    padded[0], padded[-1] = padded[1], padded[-2]
    padded[:, 0], padded[:, -1] = padded[:, 1], padded[:, -2]


def smoothstep(start: float, end: float, value: Floats) -> Floats:
    """0 up to ``start``, 1 from ``end`` on, 3t^2 - 2t^3 between; a step where both are equal."""
    t = value - np.float32(start)
    t *= np.float32(1 / max(end - start, 1e-30))
    np.clip(t, 0, 1, out=t)
    result: Floats = np.float32(3) - np.float32(2) * t
    result *= t
    result *= t
    return result
