# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noises of FastNoiseLite (Jordan Peck, 2020), value for value: its hash and formulas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .blend import CUBIC, HERMITE, QUINTIC
from .corners import CornerHash, Fields, Keys
from .lattice import Lattice
from .lattice_noise import LatticeNoise
from .octave import Field
from .registry import register_basis
from .scratch import Scratch, constant
from .tables import GRADIENTS_2D, GRADIENTS_3D

PRIMES = (501125321, 1136930381, 1720413743)
MULTIPLIER = constant(0x27D4EB2D, np.uint32)
LOW_BITS = constant(255, np.uint32)
GRADIENT_SHIFT, VALUE_SHIFT = constant(15, np.uint32), constant(19, np.uint32)
"""Bits by which a hash is shifted to be mixed a last time."""


def hash_into(out: Field, keys: Keys) -> NDArray[np.uint32]:
    """The hash of corners, before its last mixing step, in the memory of a field.

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


def _write_value(state: Any, keys: Keys, scratch: Scratch, outs: Fields) -> None:
    value = hash_into(outs[0], keys)
    mixed = scratch("mixed", value.shape, np.uint32)
    np.multiply(value, value, out=value)
    np.left_shift(value, VALUE_SHIFT, out=mixed)
    np.bitwise_xor(value, mixed, out=mixed)
    np.copyto(outs[0], mixed.view(np.int32), casting="same_kind")


_VALUES = CornerHash(_write_value, PRIMES, fields=1)


PERLIN = LatticeNoise(
    name="perlin",
    label="Perlin",
    help="Gradient noise, the usual choice for land; as FastNoiseLite and Godot make it",
    lattice=Lattice(
        hashing=gradient_hash(GRADIENTS_2D, GRADIENTS_3D),
        blend=QUINTIC,
        gradient=True,
        scale={2: 1.4247691104677813, 3: 0.964921414852142333984375},
    ),
    dimensions=(2, 3),
    single_precision=True,
    spline_points={2: 18, 3: 18},
)
VALUE = LatticeNoise(
    name="value",
    label="Value",
    help="Random heights at lattice points, blended smoothly; blocky and quick",
    lattice=Lattice(
        hashing=_VALUES,
        blend=HERMITE,
        gradient=False,
        scale={2: 2.0**-31, 3: 2.0**-31},
    ),
    dimensions=(2, 3),
    single_precision=True,
    spline_points={2: 32, 3: 32},
)
VALUE_CUBIC = LatticeNoise(
    name="value_cubic",
    label="Value cubic",
    help="Random heights at lattice points, blended by cubic splines; soft and round",
    lattice=Lattice(
        hashing=_VALUES,
        blend=CUBIC,
        gradient=False,
        scale={2: 2.0**-31 / 1.5**2, 3: 2.0**-31 / 1.5**3},
    ),
    dimensions=(2, 3),
    single_precision=True,
    spline_points={2: 16, 3: 16},
)

for _noise in (PERLIN, VALUE, VALUE_CUBIC):
    register_basis(_noise)
