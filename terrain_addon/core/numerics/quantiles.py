# SPDX-License-Identifier: GPL-3.0-or-later
"""Quantiles of float32 arrays, by counting bits."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats
from .blocks import pieces
from .progress import Cancel

HALF = 16
"""Bits counted at once."""


def sortable(values: Floats) -> NDArray[np.uint32]:
    """Return integers in the order of float32 values, -0 equal to 0; no NaN."""
    bits = (values + np.float32(0)).view(np.uint32)  # adding 0 turns -0 into 0
    bits ^= np.where(bits >> 31, np.uint32(0xFFFFFFFF), np.uint32(0x80000000))
    return bits


def quantiles(
    field: Floats, shares: Iterable[float], cancelled: Cancel | None = None
) -> tuple[float, ...]:
    """Return the quantiles of a field, equal to ``np.quantile``, in two passes without a copy.

    The first pass counts the upper halves of all values' bits, the second the lower halves of the
    values near the result. ``field`` is contiguous float32 of any shape, not empty, without NaN.
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
    """Return the values of these ranks, 0 for the lowest."""
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
