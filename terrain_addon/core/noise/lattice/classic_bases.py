# SPDX-License-Identifier: GPL-3.0-or-later
"""Published classics, value for value, to reproduce terrain from other programs."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numerics.work_arrays import Scratch
from ..basis import register_basis
from ..fractals.octave import Field
from ..hashing.corners import CornerHash, Fields, Keys
from ..hashing.fastnoise_hash import look_up
from .bases import LatticeNoise
from .interpolants import COSINE, LINEAR, NEAREST, QUINTIC

MASK31 = np.uint32(0x7FFFFFFF)


def _integer_noise(n: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return 31 random bits from an integer: the polynomial of Hugo Elias (1998), modulo 2**32."""
    return (n * (n * n * np.uint32(60493) + np.uint32(19990303)) + np.uint32(1376312589)) & MASK31


def _signed(bits: NDArray[np.uint32]) -> Field:
    """Convert 31 bits to -1 to 1."""
    return np.float32(1) - bits.astype(np.float32) * np.float32(2.0**-30)


def _noiselib_bits(keys: Keys) -> NDArray[np.uint32]:
    n = keys[0] + keys[1]
    for key in keys[2:]:
        n = n + key
    n &= MASK31
    return _integer_noise((n >> np.uint32(13)) ^ n)


def _white(state: Any, keys: Keys, scratch: Scratch, outs: Fields) -> None:
    np.copyto(outs[0], _signed(_noiselib_bits(keys)))


# noiselib's 16 directions, with the four digits that it gives them.
_C, _H, _S = 0.9238, 0.7071, 0.3826
_COSINES = np.array([1, _C, _H, _S, 0, -_S, -_H, -_C, -1, -_C, -_H, -_S, 0, _S, _H, _C], np.float32)
_SINES = np.roll(_COSINES, 4)


def _noiselib(state: Any, keys: Keys, scratch: Scratch, outs: Fields) -> None:
    # floor(8 * (white + 1)) modulo 16, with white = 1 - bits / 2**30.
    bits = _noiselib_bits(keys)
    step = (bits + np.uint32(2**27 - 1)) >> np.uint32(27)
    direction = (np.uint32(16) - step) & np.uint32(15)
    look_up(direction, (_COSINES, _SINES), scratch, outs)


def _noiselib_seed(seed: int) -> np.uint32:
    return np.uint32(1013 * seed & 0xFFFFFFFF)


def _cosine_value(state: Any, keys: Keys, scratch: Scratch, outs: Fields) -> None:
    n = keys[0] + keys[1]
    np.copyto(outs[0], _signed(_integer_noise((n << np.uint32(13)) ^ n)))


def _rotated(bits: NDArray[np.uint32]) -> NDArray[np.uint32]:
    return (bits << np.uint32(16)) | (bits >> np.uint32(16))


def _hash_gradient(state: Any, keys: Keys, scratch: Scratch, outs: Fields) -> None:
    a = keys[0]
    b = keys[1] ^ _rotated(a)
    b *= np.uint32(1911520717)
    a = (a ^ _rotated(b)) * np.uint32(2048419325)
    angle = a.astype(np.float32) * np.float32(np.pi / 2**31)
    np.cos(angle, out=outs[0])
    np.sin(angle, out=outs[1])


MODULUS = 2147483647


def park_miller(seed: int) -> int:
    """Return the next state of the minimal standard generator (Park & Miller 1988)."""
    return seed * 16807 % MODULUS


@lru_cache(maxsize=64)
def permutation(seed: int) -> NDArray[np.uint32]:
    """Return 0 to 255, shuffled (Fisher-Yates) by the minimal standard generator.

    As in the tutorial that the noise is from, the remainder of a negative seed is negative, and
    2**31 - 2 is added to a remainder of 0 or below. The state 0, which the generator cannot leave,
    counts as 1.
    """
    state = int(math.fmod(seed, MODULUS))
    if state <= 0:
        state += MODULUS - 1
    state = state or 1
    table = list(range(256))
    for last in range(255, -1, -1):
        state = park_miller(state)
        chosen = int((state - 1) / (MODULUS - 1) * (last + 1))
        table[last], table[chosen] = table[chosen], table[last]
    result = np.array(table, np.uint32)
    result.setflags(write=False)
    return result


# The twelve edge directions of improved Perlin noise, four of them twice.
_EDGES = np.array(
    [
        (1, 1, 0), (-1, 1, 0), (1, -1, 0), (-1, -1, 0),
        (1, 0, 1), (-1, 0, 1), (1, 0, -1), (-1, 0, -1),
        (0, 1, 1), (0, -1, 1), (0, 1, -1), (0, -1, -1),
        (1, 1, 0), (0, -1, 1), (-1, 1, 0), (0, -1, -1),
    ],
    np.float32,
)  # fmt: skip
_EDGE_COLUMNS = tuple(np.ascontiguousarray(column) for column in _EDGES.T)


def _permutation_gradient(state: Any, keys: Keys, scratch: Scratch, outs: Fields) -> None:
    table, byte = state, np.uint32(255)
    mixed = table.take(keys[0] & byte)
    for key in keys[1:]:
        mixed = table.take((mixed + key) & byte)
    look_up(mixed & np.uint32(15), _EDGE_COLUMNS, scratch, outs)


for _noise in (
    LatticeNoise(
        name="white",
        label="White",
        help="One random height per cell, without any blending",
        hashing=CornerHash(
            _white, (1619, 31337, 6971), fields=1, prepare=_noiselib_seed, fold=np.add
        ),
        blend=NEAREST,
        dimensions=(2, 3),
    ),
    LatticeNoise(
        name="noiselib",
        label="Noiselib gradient",
        help="Gradient noise with 16 directions from libnoise's integer hash",
        hashing=CornerHash(_noiselib, (1619, 31337), prepare=_noiselib_seed, fold=np.add),
        blend=QUINTIC,
    ),
    LatticeNoise(
        name="cosine_value",
        label="Cosine value",
        help="Random heights blended by cosines, as in Hugo Elias' tutorial of 1998",
        hashing=CornerHash(_cosine_value, (73, 179), fields=1, fold=np.add),
        blend=COSINE,
    ),
    LatticeNoise(
        name="hash_perlin",
        label="Hash gradient",
        help="Gradients of any direction, blended linearly, so that cells show as facets",
        hashing=CornerHash(_hash_gradient, (3284157443, 1)),
        blend=LINEAR,
    ),
    LatticeNoise(
        name="permutation_perlin",
        label="Permutation Perlin",
        help="Improved Perlin noise of 2002 in 3D, with a shuffled table; repeats after 256 cells",
        hashing=CornerHash(_permutation_gradient, (1, 1, 1), prepare=permutation, fold=None),
        blend=QUINTIC,
        plane_of_3d=True,
        dimensions=(2, 3),
    ),
):
    register_basis(_noise)
