# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noises of FastNoiseLite (Jordan Peck, 2020), value for value."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...numerics.work_arrays import Scratch
from ..basis import register_basis
from ..hashing.corner_hash import CornerHash, Fields, Keys
from ..hashing.fastnoise_hash import PRIMES, VALUE_SHIFT, gradient_hash, hash_into
from ..hashing.fastnoise_tables import GRADIENTS_2D, GRADIENTS_3D
from .bases import LatticeNoise
from .interpolants import CUBIC, HERMITE, QUINTIC


def _write_value(state: Any, keys: Keys, scratch: Scratch, outs: Fields) -> None:
    value = hash_into(outs[0], keys)
    mixed = scratch("mixed", value.shape, np.uint32)
    np.multiply(value, value, out=value)
    np.left_shift(value, VALUE_SHIFT, out=mixed)
    np.bitwise_xor(value, mixed, out=mixed)
    np.copyto(outs[0], mixed.view(np.int32), casting="same_kind")


_VALUES = CornerHash(_write_value, PRIMES, fields=1)
_fastnoise = partial(LatticeNoise, dimensions=(2, 3), single_precision=True)

for _noise in (
    _fastnoise(
        name="perlin",
        label="Perlin",
        help="Gradient noise, the usual choice for terrain; as FastNoiseLite and Godot make it",
        hashing=gradient_hash(GRADIENTS_2D, GRADIENTS_3D),
        blend=QUINTIC,
        scale={2: 1.4247691104677813, 3: 0.964921414852142333984375},
        spline_points={2: 18, 3: 18},
    ),
    _fastnoise(
        name="value",
        label="Value",
        help="Random heights at lattice points, blended smoothly; blocky and quick",
        hashing=_VALUES,
        blend=HERMITE,
        scale={2: 2.0**-31, 3: 2.0**-31},
        spline_points={2: 32, 3: 32},
    ),
    _fastnoise(
        name="value_cubic",
        label="Value cubic",
        help="Random heights at lattice points, blended by cubic splines; soft and round",
        hashing=_VALUES,
        blend=CUBIC,
        scale={2: 2.0**-31 / 1.5**2, 3: 2.0**-31 / 1.5**3},
        spline_points={2: 16, 3: 16},
    ),
):
    register_basis(_noise)
