# SPDX-License-Identifier: GPL-3.0-or-later
"""Points in the cells of a lattice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics.work_arrays import Scratch, constant
from ..fractals.octave import Axis, Field, Octave

Whole = NDArray[np.int32] | NDArray[np.int64]
LARGEST_SHIFT = 31
"""Bits that an int32 can be shifted by."""
SHIFTS = [constant(shift, np.int32) for shift in range(LARGEST_SHIFT + 1)]
BELOW = [constant(2**shift - 1, np.int32) for shift in range(LARGEST_SHIFT + 1)]
"""The bits that a shift drops."""
HALVES = [constant(0.5**shift) for shift in range(LARGEST_SHIFT + 1)]


@dataclass(frozen=True)
class Cells:
    """Points in their cells; all arrays may be overwritten.

    Attributes
    ----------
    whole : Whole
        (axes, n) the cells, int64 where the octave is wide.
    offset : ndarray of float32, shape (axes, n)
        From the corner of the cell, 0 to 1 (rounded, so 1 is possible).
    spare : ndarray of float32, shape (2 * axes, n)
        Work arrays.
    """

    whole: Whole
    offset: Field
    spare: Field


def whole_cells(floored: Axis, wide: bool, scratch: Scratch, name: str = "") -> Whole:
    """Convert whole float64 coordinates to integers: sums and products of int32 take half the
    time."""
    if wide:
        return floored.astype(np.int64)
    whole = scratch(f"{name}whole", floored.shape, np.int32)
    np.copyto(whole, floored, casting="unsafe")
    return whole


def split(coords: Axis, octave: Octave, scratch: Scratch) -> Cells:
    """Return points (axes, n) in the cells of an octave, in whose units they are; overwritten.

    Coordinates stay float64 up to here, so that cells far from the origin are as smooth as near. A
    difference that is cast on the way would go through small buffers, which takes longer than two
    steps. The memory of ``coords`` is used again for ``spare``: what little is worked on stays in
    the cache.
    """
    floored = scratch("floored", coords.shape, np.float64)
    np.floor(coords, out=floored)
    np.subtract(coords, floored, out=coords)
    offset = scratch("offset", coords.shape)
    np.copyto(offset, coords, casting="same_kind")
    spare = coords.view(np.float32).reshape(2 * len(coords), -1)
    return Cells(whole_cells(floored, octave.wide, scratch), offset, spare)


class Halving:
    """Points in the cells of octaves whose frequencies are powers of two, as by lacunarity 2.

    Points are split once, into whole cells of the finest octave and the rest. In those of another
    octave both are so many bits smaller, which takes half the time of splitting them again.
    """

    def __init__(self, coords: Axis, finest: float, scratch: Scratch) -> None:
        """Points (axes, n), which are overwritten."""
        self._finest = finest
        floored = scratch("floored", coords.shape, np.float64)
        np.multiply(coords, finest, out=coords)
        np.floor(coords, out=floored)
        np.subtract(coords, floored, out=coords)
        self._rest = scratch("finest_rest", coords.shape)
        np.copyto(self._rest, coords, casting="same_kind")
        self._whole = scratch("finest_whole", coords.shape, np.int32)
        np.copyto(self._whole, floored, casting="unsafe")
        # Memory that is no longer needed: what little is worked on stays in the cache.
        spare, work = (
            array.view(np.float32).reshape(2 * len(coords), -1) for array in (coords, floored)
        )
        self._cells = Cells(work[len(coords) :].view(np.int32), work[: len(coords)], spare)
        self._finer = spare[: len(coords)].view(np.int32)

    def cells(self, octave: Octave) -> Cells:
        """Return the points in the cells of that octave; valid until the next call."""
        shift = _bits(self._finest / octave.frequency)
        whole, offset, finer = self._cells.whole, self._cells.offset, self._finer
        if not shift:
            np.copyto(whole, self._whole)
            np.copyto(offset, self._rest)
            return self._cells
        np.right_shift(self._whole, SHIFTS[shift], out=whole)
        np.bitwise_and(self._whole, BELOW[shift], out=finer)
        np.copyto(offset, finer, casting="same_kind")
        np.add(offset, self._rest, out=offset)
        np.multiply(offset, HALVES[shift], out=offset)
        return self._cells


def finest_of_halving(octaves: Sequence[Octave]) -> float | None:
    """Return the highest frequency if :class:`Halving` can be used and pays, else None."""
    finest = max(octave.frequency for octave in octaves)
    fits = all(
        not octave.wide
        and not octave.shift
        and octave.z_frequency == octave.frequency
        and math.frexp(octave.frequency)[0] == 0.5
        and _bits(finest / octave.frequency) <= LARGEST_SHIFT
        for octave in octaves
    )
    return finest if fits and len(octaves) > 1 else None


def _bits(ratio: float) -> int:
    """Return the exponent of a power of two."""
    return math.frexp(ratio)[1] - 1
