# SPDX-License-Identifier: GPL-3.0-or-later
"""The hash and the tables of FastNoiseLite, value for value.

Source: MIT License, Jordan Peck and contributors, 2020.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numerics.work_arrays import Scratch, constant
from ..fractals.octave import Field
from .corners import CornerHash, Fields, Keys

_TABLES = json.loads((Path(__file__).parent / "fastnoiselite.json").read_text("utf-8"))


def _columns(name: str, width: int) -> tuple[NDArray[np.float32], ...]:
    table = np.array(_TABLES[name], np.float32).reshape(-1, width)
    return tuple(np.ascontiguousarray(column) for column in table.T)


GRADIENTS_2D = _columns("gradients_2d", 2)
"""x and y of 128 unit vectors: 24 directions, some repeated."""

GRADIENTS_3D = _columns("gradients_3d", 4)[:3]
"""x, y and z of 64 vectors to the middles of a cube's edges."""

VECTORS_2D = _columns("vectors_2d", 2)
"""x and y of 256 random unit vectors, of cellular noise and warp."""

VECTORS_3D = _columns("vectors_3d", 4)[:3]
"""x, y and z of 256 random unit vectors."""


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
    """Return the gradients from the columns of a table of 64 or 128 entries; a table per number of
    axes."""
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
