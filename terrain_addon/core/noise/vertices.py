# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells of simplex lattices, and the vertices around them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .cells import copy_lines, split
from .fastnoise import PRIMES
from .octave import Axis, Field, Octave
from .scratch import Scratch
from .torus import Torus

SKEW = (3**0.5 - 1) / 2
UNSKEW = (3 - 3**0.5) / 6
SKEW_MATRIX = np.array([[1 + SKEW, SKEW], [SKEW, 1 + SKEW]])
ROTATION = np.full((3, 3), 2 / 3) - np.eye(3)
"""Turns the 3D lattice so that its long diagonal points along z."""

Step = int | Field


class Vertices:
    """The cells of points in an integer lattice, and what is around them.

    A vertex is named by its steps from the corner of the cell, one per axis: the same whole
    number for all points, or an array of whole float32 numbers.

    Attributes
    ----------
    rest : offset of each point from that corner along each axis, 0 to 1
    """

    def __init__(
        self,
        coords: Axis,
        octave: Octave,
        torus: Torus | None,
        scratch: Scratch,
        name: str = "",
        seed: int | None = None,
    ) -> None:
        self._seed = np.uint32((octave.seed if seed is None else seed) & 0xFFFFFFFF)
        self._torus, self._scratch, self._name = torus, scratch, name
        self._keys: dict[tuple[int, int], NDArray[np.uint32]] = {}
        self._offsets: dict[tuple[int, int], Field] = {}
        self.rest: list[Field] = []
        self._lines: list[NDArray[np.int64]] = []
        for axis, coord in enumerate(coords):
            rest = scratch(f"{name}rest{axis}", coord.shape)
            cell = split(coord, scratch, rest)
            self.rest.append(rest)
            self._offsets[axis, 0] = rest
            if torus is not None:
                self._lines.append(cell.astype(np.int64))
                continue
            key = scratch(f"{name}key{axis}", coord.shape, np.uint32)
            copy_lines(cell, octave.wide, key, scratch)
            key *= np.uint32(PRIMES[axis])
            self._keys[axis, 0] = key

    def offset(self, steps: Sequence[Step]) -> list[Field]:
        """Offsets of the points from a vertex, one array per axis."""
        return [self._offset(axis, step) for axis, step in enumerate(steps)]

    def _offset(self, axis: int, step: Step) -> Field:
        if isinstance(step, int):
            if (axis, step) not in self._offsets:
                array = self._scratch(f"{self._name}rest{axis}{step}", self.rest[axis].shape)
                np.subtract(self.rest[axis], np.float32(step), out=array)
                self._offsets[axis, step] = array
            return self._offsets[axis, step]
        array = self._scratch(f"{self._name}rest{axis}any", step.shape)
        return np.subtract(self.rest[axis], step, out=array)

    def keys(self, steps: Sequence[Step]) -> list[NDArray[np.uint32]]:
        """Hash keys of a vertex, one array per axis, the seed in the last one."""
        if self._torus is not None:
            keys = self._torus_keys(steps)
        else:
            keys = [self._key(axis, step) for axis, step in enumerate(steps)]
        last = self._scratch(f"{self._name}seeded", keys[-1].shape, np.uint32)
        np.bitwise_xor(keys[-1], self._seed, out=last)
        return [*keys[:-1], last]

    def _key(self, axis: int, step: Step) -> NDArray[np.uint32]:
        prime, base = PRIMES[axis], self._keys[axis, 0]
        if isinstance(step, int):
            if (axis, step) not in self._keys:
                array = self._scratch(f"{self._name}key{axis}{step}", base.shape, np.uint32)
                np.add(base, np.uint32(step * prime & 0xFFFFFFFF), out=array)
                self._keys[axis, step] = array
            return self._keys[axis, step]
        array = self._scratch(f"{self._name}key{axis}any", step.shape, np.uint32)
        np.copyto(array.view(np.int32), step, casting="unsafe")
        array *= np.uint32(prime)
        array += base
        return array

    def _torus_keys(self, steps: Sequence[Step]) -> list[NDArray[np.uint32]]:
        assert self._torus is not None
        lines = [
            line + (step if isinstance(step, int) else step.astype(np.int64))
            for line, step in zip(self._lines, steps, strict=True)
        ]
        return [
            line.astype(np.uint32) * np.uint32(prime)
            for line, prime in zip(self._torus.reduce(lines), PRIMES, strict=False)
        ]


def skewed_vertices(octave: Octave, coords: Axis, scratch: Scratch) -> Vertices:
    """Cells of 2D points (2, n), which may be overwritten, in the skewed square lattice."""
    if octave.period is not None:
        torus = Torus(SKEW_MATRIX, octave.period)
        return Vertices(torus.place(coords), octave, torus, scratch)
    skew = scratch("skew", coords[0].shape, np.float64)
    np.add(coords[0], coords[1], out=skew)
    skew *= SKEW
    coords += skew
    return Vertices(coords, octave, None, scratch)


def cubic_vertices(
    octave: Octave, coords: Axis, seeds: tuple[int, int], scratch: Scratch
) -> tuple[Vertices, Vertices]:
    """Cells of 3D points (3, n) in two cubic lattices, half a cell apart, with two seeds."""
    torus = None
    if octave.period is not None:
        torus = Torus(ROTATION, octave.period)
        coords = torus.place(coords)
    else:
        coords = np.subtract((coords[0] + coords[1] + coords[2]) * (2 / 3), coords)
    return (
        Vertices(coords, octave, torus, scratch, "first", seeds[0]),
        Vertices(coords + 0.5, octave, torus, scratch, "second", seeds[1]),
    )
