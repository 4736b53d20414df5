# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noises as bases, and those of FastNoiseLite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ...numerics.axis import SquareGrid
from ...numerics.work_arrays import Scratch
from ...settings.params import Setting
from ..basis import Basis, GridPlan, register_basis
from ..fractals.fbm import FractalSum
from ..fractals.octave import Axis, Field, Octave
from ..hashing.cells import Cells, split
from ..hashing.corners import CornerHash, Fields, Keys
from ..hashing.fastnoise_hash import (
    GRADIENTS_2D,
    GRADIENTS_3D,
    PRIMES,
    VALUE_SHIFT,
    gradient_hash,
    hash_into,
)
from .grid import LatticeGrid
from .interpolants import CUBIC, HERMITE, QUINTIC
from .lattice import Lattice
from .points import lattice_in_cells, lattice_slopes


@dataclass(frozen=True, kw_only=True)
class LatticeNoise(Lattice, Basis):
    """A :class:`Lattice` as a basis."""

    name: str
    label: str
    help: str
    dimensions: tuple[int, ...] = (2,)
    single_precision: bool = False
    settings: tuple[Setting, ...] = ()
    spline_points: Mapping[int, int] = field(default_factory=dict[int, int])

    def points(self, octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
        self.in_cells(octave, split(self.in_space(coords), octave, scratch), 1.0, out, scratch)

    def has_cells(self, octaves: tuple[Octave, ...], dimensions: int) -> bool:
        return dimensions == 3 or not self.plane_of_3d

    def in_cells(
        self, octave: Octave, cells: Cells, factor: float, out: Field, scratch: Scratch
    ) -> None:
        lattice_in_cells(self, octave, cells, factor, out, scratch)

    def slopes(self, octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
        lattice_slopes(self, octave, coords, out, scratch)

    def plan_grid(
        self, x: Axis, y: Axis, z: float | None, total: FractalSum, square: SquareGrid | None
    ) -> GridPlan:
        return LatticeGrid(self, x, y, z, total)


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
