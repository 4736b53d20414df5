# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noise at any points, corner by corner of their cells.

Arrays of one value per point, used again for every corner, stay in the cache; arrays of all
corners at once took half as long again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .corners import Corners
from .lattice import Lattice
from .octave import Axis, Field, Octave
from .scratch import Scratch


@dataclass(frozen=True)
class _Side:
    """Along one axis: offsets from the lattice line of each tap, and weights.

    A blend of two lines has one weight, that of the second.
    """

    offsets: list[Field]
    weights: Field


def lattice_points(
    lattice: Lattice, octave: Octave, coords: Axis, out: Field, scratch: Scratch
) -> None:
    """Write one octave at points (axes, n), in its own lattice units, into ``out`` (n,)."""
    dimensions = len(coords)
    if lattice.plane_of_3d and dimensions == 2:
        coords = np.concatenate([coords, np.zeros_like(coords[:1])])
    cells = scratch("cells", coords.shape, np.float64)
    sides = [
        _side(lattice, axis, coord, cell, scratch)
        for axis, (coord, cell) in enumerate(zip(coords, cells, strict=True))
    ]
    blend = lattice.blend
    span = None
    if octave.bounds is not None:
        bounds = [*octave.bounds, *[(0.0, 0.0)] * (len(coords) - len(octave.bounds))]
        span = [(math.floor(low), math.floor(high)) for low, high in bounds]
    corners = Corners(lattice.hashing, octave, cells, blend.first, blend.taps, scratch, span=span)
    _sum(lattice, corners, sides, (), out, scratch)
    out *= np.float32(lattice.scale[dimensions])


def _side(lattice: Lattice, axis: int, coord: Axis, cell: Axis, scratch: Scratch) -> _Side:
    blend = lattice.blend
    offset = scratch(f"offset{axis}", coord.shape)
    np.floor(coord, out=cell)
    # Float64 up to here, so that cells far from the origin are as smooth as near.
    np.subtract(coord, cell, out=offset, casting="same_kind")
    if blend.fade is not None:
        weights = scratch(f"weights{axis}", (1, *coord.shape))
        blend.fade(offset, weights[0])
    else:
        weights = scratch(f"weights{axis}", (blend.taps, *coord.shape))
        blend.weights(offset, weights)
    offsets: list[Field] = []
    for tap in range(blend.taps if lattice.gradient else 0):
        away = offset
        if tap + blend.first:
            away = scratch(f"offset{axis}{tap}", coord.shape)
            np.subtract(offset, np.float32(tap + blend.first), out=away)
        offsets.append(away)
    return _Side(offsets, weights)


def _sum(
    lattice: Lattice,
    corners: Corners,
    sides: list[_Side],
    chosen: tuple[int, ...],
    out: Field,
    scratch: Scratch,
) -> None:
    """Blend along the axes whose taps are not chosen yet, the last axis first, into ``out``."""
    if len(chosen) == len(sides):
        _corner(lattice, corners, sides, chosen, out)
        return
    axis = len(sides) - len(chosen) - 1
    weights = sides[axis].weights
    for tap in range(lattice.blend.taps):
        value = scratch(f"sum{axis}", out.shape) if tap else out
        _sum(lattice, corners, sides, (tap, *chosen), value, scratch)
        if lattice.blend.fade is not None:
            if tap:  # out + weight * (value - out)
                value -= out
                value *= weights[0]
                out += value
            continue
        value *= weights[tap]
        if tap:
            out += value


def _corner(
    lattice: Lattice, corners: Corners, sides: list[_Side], taps: tuple[int, ...], out: Field
) -> None:
    """Write the value of one corner, or its gradient times the offset from it."""
    fields = corners.fields([tap + lattice.blend.first for tap in taps])
    if not lattice.gradient:
        np.copyto(out, fields[0])
        return
    np.multiply(fields[0], sides[0].offsets[taps[0]], out=out)
    for field, side, tap in zip(fields[1:], sides[1:], taps[1:], strict=False):
        field *= side.offsets[tap]
        out += field
