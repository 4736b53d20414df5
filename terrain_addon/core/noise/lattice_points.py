# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noise at any points: all corners of a block of points at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .lattice import Lattice, tap_keys
from .octave import Axis, Field, Octave
from .scratch import Scratch


def lattice_points(
    lattice: Lattice, octave: Octave, coords: Sequence[Axis], out: Field, scratch: Scratch
) -> None:
    """Write one octave at points, in its own lattice units, into ``out`` (n,)."""
    if lattice.plane_of_3d and len(coords) == 2:
        coords = [*coords, np.zeros_like(coords[0])]
    keys: list[NDArray[np.uint32]] = []
    offsets: list[Field] = []
    weights: list[Field] = []
    for number, coord in enumerate(coords):
        key, offset, weight = _axis(lattice, number, coord, octave, scratch)
        # Axis 0 (x) is the last of the tap dimensions, as in arrays of the lattice.
        shape = [1] * len(coords) + [out.size]
        shape[len(coords) - 1 - number] = -1
        keys.append(key.reshape(shape))
        offsets.append(offset.reshape(shape))
        weights.append(weight)
    fields = lattice.corner(lattice.prepare(octave.seed), keys, scratch)
    total = fields[0]
    if lattice.gradient:
        total *= offsets[0]
        for component, offset in zip(fields[1:], offsets[1:], strict=False):
            component *= offset
            total += component
    for weight in weights:
        total *= weight
        total = _sum_taps(total)
    np.multiply(total, np.float32(lattice.scale[len(coords)]), out=out)


def _axis(
    lattice: Lattice, number: int, coord: Axis, octave: Octave, scratch: Scratch
) -> tuple[NDArray[np.uint32], Field, Field]:
    """Keys, offsets and weights (taps, n) of every tap along one axis."""
    blend, shape = lattice.blend, (lattice.blend.taps, coord.size)
    cell = scratch("cell", coord.shape, np.float64)
    np.floor(coord, out=cell)
    offset = scratch(f"offset{number}", shape)
    first = offset[0]
    np.subtract(coord, cell, out=first, casting="same_kind")
    weight = scratch(f"weight{number}", shape)
    for row, values in zip(weight, blend.weights(first), strict=True):
        np.copyto(row, values)
    for tap in range(blend.taps - 1, -1, -1):
        np.subtract(first, np.float32(tap + blend.first), out=offset[tap])
    key = scratch(f"key{number}", shape, np.uint32)
    period = octave.period[number] if octave.period and number < 2 else None
    tap_keys(cell, blend, lattice.primes[number], period, key, scratch)
    return key, offset, weight


def _sum_taps(total: Field) -> Field:
    """Sum over the last but one axis, in place."""
    taps = total.shape[-2]
    result = total[..., 0, :]
    for tap in range(1, taps):
        result += total[..., tap, :]
    return result
