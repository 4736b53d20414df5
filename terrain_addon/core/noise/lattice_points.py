# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noise at any points, corner by corner of their cells.

Arrays of one value per point, used again for every corner, stay in the cache; arrays of all
corners at once took half as long again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cells import split, tap_keys
from .lattice import Lattice
from .octave import Axis, Field, Octave
from .scratch import Scratch


@dataclass(frozen=True)
class _Side:
    """Per tap along one axis: the hash key, the offset from the lattice line, the weight."""

    keys: list[NDArray[np.uint32]]
    offsets: list[Field]
    weights: Field


def lattice_points(
    lattice: Lattice, octave: Octave, coords: Axis, out: Field, scratch: Scratch
) -> None:
    """Write one octave at points (axes, n), in its own lattice units, into ``out`` (n,)."""
    dimensions = len(coords)
    if lattice.plane_of_3d and dimensions == 2:
        coords = np.concatenate([coords, np.zeros_like(coords[:1])])
    sides = [_side(lattice, octave, axis, coord, scratch) for axis, coord in enumerate(coords)]
    state = lattice.prepare(octave.seed)
    lattice.fold_seed(sides[-1].keys, state)
    _sum(lattice, state, sides, (), out, scratch)
    out *= np.float32(lattice.scale[dimensions])


def _side(lattice: Lattice, octave: Octave, axis: int, coord: Axis, scratch: Scratch) -> _Side:
    blend = lattice.blend
    offset = scratch(f"offset{axis}", coord.shape)
    cell = split(coord, scratch, offset)
    weights = scratch(f"weights{axis}", (blend.taps, *coord.shape))
    blend.weights(offset, weights)
    offsets: list[Field] = []
    for tap in range(blend.taps if lattice.gradient else 0):
        away = offset
        if tap + blend.first:
            away = scratch(f"offset{axis}{tap}", coord.shape)
            np.subtract(offset, np.float32(tap + blend.first), out=away)
        offsets.append(away)
    period = octave.period[axis] if octave.period is not None and axis < 2 else None
    keys = tap_keys(
        cell, blend.taps, blend.first, lattice.primes[axis], period, octave.wide, f"key{axis}",
        scratch,
    )  # fmt: skip
    return _Side(keys, offsets, weights)


def _sum(
    lattice: Lattice,
    state: Any,
    sides: list[_Side],
    chosen: tuple[int, ...],
    out: Field,
    scratch: Scratch,
) -> None:
    """Blend along the axes whose taps are not chosen yet, the last axis first, into ``out``."""
    axis = len(sides) - len(chosen) - 1
    for tap, weight in enumerate(sides[axis].weights):
        taps = (tap, *chosen)
        if axis:
            value = scratch(f"sum{axis}", out.shape)
            _sum(lattice, state, sides, taps, value, scratch)
        else:
            value = _corner(lattice, state, sides, taps, scratch)
        if tap:
            value *= weight
            out += value
        else:
            np.multiply(value, weight, out=out)


def _corner(
    lattice: Lattice, state: Any, sides: list[_Side], taps: tuple[int, ...], scratch: Scratch
) -> Field:
    """Value of one corner, or its gradient times the offset from it; a scratch array."""
    keys = [side.keys[tap] for side, tap in zip(sides, taps, strict=True)]
    fields = lattice.corner(state, keys, scratch)
    total = fields[0]
    if lattice.gradient:
        total *= sides[0].offsets[taps[0]]
        for field, side, tap in zip(fields[1:], sides[1:], taps[1:], strict=False):
            field *= side.offsets[tap]
            total += field
    return total
