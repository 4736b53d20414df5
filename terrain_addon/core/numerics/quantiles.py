# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of floating point numbers, by their bits."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats
from .blocks import pieces
from .progress import Cancel

HALF = 16
"""Bits that are counted at once."""


def sortable(values: Floats) -> NDArray[np.uint32]:
    """Whole numbers in the same order as float32 values, -0 and 0 as one; no NaN."""
    bits = (values + np.float32(0)).view(np.uint32)  # adding 0 turns -0 into 0
    bits ^= np.where(bits >> 31, np.uint32(0xFFFFFFFF), np.uint32(0x80000000))
    return bits


def quantiles(
    field: Floats, shares: Iterable[float], cancelled: Cancel | None = None
) -> tuple[float, ...]:
    """Values that these shares (0 to 1) of a field do not exceed, as ``np.quantile`` has them.

    Found by counting the upper halves of all values' bits, then the lower halves of those that
    are near: twice over the field, a piece at a time, without a copy of it. ``field`` is
    contiguous float32 of any shape, not empty and without NaN.
    """
    flat = field.reshape(-1)
    places = [share * (flat.size - 1) for share in shares]
    ranks = sorted({rank for place in places for rank in (int(place), -int(-place // 1))})
    found = dict(zip(ranks, _ranked(flat, ranks, cancelled), strict=True))
    between: list[float] = []
    for place in places:
        low, high = found[int(place)], found[-int(-place // 1)]
        between.append(low + (high - low) * (place - int(place)))
    return tuple(between)


def _ranked(flat: Floats, ranks: list[int], cancelled: Cancel | None) -> list[float]:
    """The values of these ranks, 0 for the lowest."""
    counts = np.zeros(1 << HALF, np.int64)
    for part in pieces(flat.size, cancelled):
        counts += np.bincount(sortable(flat[part]) >> HALF, minlength=counts.size)
    ends = np.cumsum(counts)
    upper = np.searchsorted(ends, ranks, side="right").tolist()
    lower = {half: np.zeros(1 << HALF, np.int64) for half in upper}
    for part in pieces(flat.size, cancelled):
        bits = sortable(flat[part])
        halves = bits >> HALF
        for half, count in lower.items():
            near = bits[halves == half] & np.uint32((1 << HALF) - 1)
            count += np.bincount(near, minlength=count.size)
    found: list[int] = []
    for rank, half in zip(ranks, upper, strict=True):
        before = int(ends[half] - counts[half])
        low = int(np.searchsorted(np.cumsum(lower[half]), rank - before, side="right"))
        found.append(half << HALF | low)
    bits = np.array(found, np.uint32)
    bits ^= np.where(bits >> 31, np.uint32(0x80000000), np.uint32(0xFFFFFFFF))
    return bits.view(np.float32).tolist()
