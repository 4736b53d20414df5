# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noises of FastNoiseLite (Jordan Peck, 2020), value for value: its hash and formulas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .blend import CUBIC, HERMITE, QUINTIC
from .corners import CornerHash, Keys, WriteCorner
from .lattice import Lattice
from .lattice_noise import LatticeNoise
from .octave import Field
from .registry import register_basis
from .scratch import Scratch
from .tables import GRADIENTS_2D, GRADIENTS_3D

PRIMES = (501125321, 1136930381, 1720413743)
MULTIPLIER = np.uint32(0x27D4EB2D)


def _shape(keys: Keys) -> tuple[int, ...]:
    """That of the points, or of the mesh that lines broadcast to."""
    shape = keys[0].shape
    if keys[-1].shape == shape:
        return shape
    return np.broadcast_shapes(*(key.shape for key in keys))


def hashed(keys: Keys, scratch: Scratch) -> NDArray[np.uint32]:
    """The hash of corners, before its last mixing step; the seed is in the last key."""
    result = scratch("hash", _shape(keys), np.uint32)
    np.bitwise_xor(keys[0], keys[1], out=result)
    for key in keys[2:]:
        result ^= key
    result *= MULTIPLIER
    return result


def gradient_hash(table: tuple[Field, ...]) -> CornerHash:
    """Gradients from the columns of a table of 64 or 128 entries."""
    # Repeated to 256 entries: spares masking and shifting the hash.
    columns = tuple(np.repeat(column, 256 // column.size) for column in table)

    def write(state: Any, keys: Keys, scratch: Scratch, outs: Sequence[Field]) -> None:
        value = hashed(keys, scratch)
        mixed = scratch("mixed", value.shape, np.uint32)
        np.right_shift(value, np.uint32(15), out=mixed)
        value ^= mixed
        value &= np.uint32(255)
        index = scratch("index", value.shape, np.intp)
        np.copyto(index, value)
        for column, out in zip(columns, outs, strict=True):
            # Indices are in range; mode="wrap" spares a buffered copy of out.
            column.take(index, out=out, mode="wrap")

    return written_hash(write, len(columns))


def written_hash(write: WriteCorner, count: int) -> CornerHash:
    """A hash of that many fields, from a function that writes them."""

    def corner(state: Any, keys: Keys, scratch: Scratch) -> tuple[Field, ...]:
        fields = tuple(scratch("fields", (count, *_shape(keys))))
        write(state, keys, scratch, fields)
        return fields

    return CornerHash(corner, PRIMES, write=write, fields=count)


_GRADIENTS = {2: gradient_hash(GRADIENTS_2D), 3: gradient_hash(GRADIENTS_3D)}


def _gradient(state: Any, keys: Keys, scratch: Scratch) -> tuple[Field, ...]:
    return _GRADIENTS[len(keys)].corner(state, keys, scratch)


def _write_gradient(state: Any, keys: Keys, scratch: Scratch, outs: Sequence[Field]) -> None:
    write = _GRADIENTS[len(keys)].write
    assert write is not None
    write(state, keys, scratch, outs)


def _write_value(state: Any, keys: Keys, scratch: Scratch, outs: Sequence[Field]) -> None:
    value = hashed(keys, scratch)
    mixed = scratch("mixed", value.shape, np.uint32)
    value *= value
    np.left_shift(value, np.uint32(19), out=mixed)
    value ^= mixed
    np.copyto(outs[0], value.view(np.int32), casting="same_kind")


_VALUES = written_hash(_write_value, 1)


PERLIN = LatticeNoise(
    name="perlin",
    label="Perlin",
    help="Gradient noise, the usual choice for land; as FastNoiseLite and Godot make it",
    lattice=Lattice(
        hashing=CornerHash(_gradient, PRIMES, write=_write_gradient),
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
