# SPDX-License-Identifier: GPL-3.0-or-later
"""The hash of FastNoiseLite (Jordan Peck, 2020), value for value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numerics.work_arrays import Scratch, constant
from ..fractals.octave import Field
from .corner_hash import CornerHash, Fields, Keys

PRIMES = (501125321, 1136930381, 1720413743)
MULTIPLIER = constant(0x27D4EB2D, np.uint32)
LOW_BITS = constant(255, np.uint32)
GRADIENT_SHIFT, VALUE_SHIFT = constant(15, np.uint32), constant(19, np.uint32)
"""Bits by which a hash is shifted to be mixed a last time."""


def hash_into(out: Field, keys: Keys) -> NDArray[np.uint32]:
    """Return the hash of corners, before its last mixing step, in the memory of a field.

    The seed is in the last key. Arrays of its own would not stay in the cache.
    """
    result = out.view(np.uint32)
    np.bitwise_xor(keys[0], keys[1], out=result)
    for key in keys[2:]:
        np.bitwise_xor(result, key, out=result)
    return np.multiply(result, MULTIPLIER, out=result)


def look_up(
    bits: NDArray[np.uint32], columns: Sequence[Field], scratch: Scratch, outs: Fields
) -> None:
    """Write the entries of a table with those numbers, which may be in the memory of ``outs``."""
    index = scratch("index", bits.shape, np.intp)
    np.copyto(index, bits)
    for column, out in zip(columns, outs, strict=True):
        # Indices are in range; mode="wrap" spares a buffered copy of out.
        column.take(index, out=out, mode="wrap")


def gradient_hash(*tables: Sequence[Field]) -> CornerHash:
    """Gradients from the columns of a table of 64 or 128 entries; a table per number of axes."""
    # Repeated to 256 entries: spares masking and shifting the hash.
    by_axes = {
        len(table): tuple(np.repeat(column, 256 // column.size) for column in table)
        for table in tables
    }

    def write(state: Any, keys: Keys, scratch: Scratch, outs: Fields) -> None:
        value = hash_into(outs[0], keys)
        mixed = outs[1].view(np.uint32)
        np.right_shift(value, GRADIENT_SHIFT, out=mixed)
        np.bitwise_xor(value, mixed, out=value)
        np.bitwise_and(value, LOW_BITS, out=value)
        look_up(value, by_axes[len(keys)], scratch, outs)

    return CornerHash(write, PRIMES, fields=len(tables[0]) if len(tables) == 1 else 0)
