# SPDX-License-Identifier: GPL-3.0-or-later
"""Scattered feature points, one per cell, each with random numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...numerics.work_arrays import Scratch
from ..fractals.octave import Axis, Field, Octave
from ..hashing.corners import CornerHash, CornerQuery, Fields, Keys
from ..hashing.fastnoise_hash import PRIMES, hash_into
from ..hashing.lookup import lookup

REACH = 1.0
"""Features may reach this many cells from their points: the cells around are all looked at."""


def _write(state: Any, keys: Keys, scratch: Scratch, outs: Fields) -> None:
    """Place in the cell along x and y, and two more random numbers, all 0 to 1."""
    value = hash_into(scratch("scattered", outs[0].shape), keys)
    for step, out in enumerate(outs):
        # Murmur3's finalizer spreads the bits of each number (Austin Appleby, 2011).
        value = value ^ (value >> np.uint32(16))
        value *= np.uint32(0x85EBCA6B)
        value ^= value >> np.uint32(13)
        value *= np.uint32(0xC2B2AE35)
        value += np.uint32(step)
        np.multiply((value >> np.uint32(8)).astype(np.float32), np.float32(2.0**-24), out=out)


_HASH = CornerHash(_write, PRIMES, fields=4)


def scattered(
    x: Axis, y: Axis, seed: int, jitter: float = 1.0
) -> Iterator[tuple[Field, Field, Field, Field]]:
    """Yield offsets from the feature points of the nine cells around each point.

    Parameters
    ----------
    x, y : ndarray of float64, shape (n,)
        Coordinates in cells, at most 2**29 from 0.
    seed : int
        Any integer; taken modulo 2**32.
    jitter : float, default 1.0
        0 puts feature points in the middle of their cells, 1 anywhere in them.

    Yields
    ------
    dx, dy : ndarray of float32, shape (n,)
        Offset of each point from a feature point, in cells.
    first, second : ndarray of float32, shape (n,)
        Random numbers of that feature point, 0 to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from terrain_addon.core import noise
    >>> x = np.linspace(0, 8, 5)
    >>> near = [np.hypot(dx, dy) for dx, dy, _, _ in noise.scattered(x, x, seed=1)]
    >>> len(near), near[0].shape
    (9, (5,))
    """
    coords = np.stack([x, y])
    cells = np.floor(coords)
    offset = (coords - cells).astype(np.float32)
    whole = cells.astype(np.int32)
    corners = lookup(CornerQuery(_HASH, Octave(seed & 0xFFFFFFFF), -1, 3), whole, Scratch())
    spread, start = np.float32(jitter), np.float32((1 - jitter) / 2)
    for step in itertools.product((-1, 0, 1), repeat=2):
        place_x, place_y, first, second = corners.fields(step)
        dx = offset[0] - np.float32(step[0]) - (start + spread * place_x)
        dy = offset[1] - np.float32(step[1]) - (start + spread * place_y)
        yield dx, dy, first, second
