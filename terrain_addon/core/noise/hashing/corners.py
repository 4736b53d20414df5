# SPDX-License-Identifier: GPL-3.0-or-later
"""Hashed values or gradients at the corners of lattice cells: keys, hashes and queries."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...numerics.work_arrays import Scratch, constant
from ..fractals.octave import Field, Octave
from .sign_masks import Mask
from .torus import Torus

Keys = Sequence[NDArray[np.uint32]]
Fields = Sequence[Field] | Field
WriteCorner = Callable[[Any, Keys, Scratch, Fields], None]


def unsigned(seed: int) -> np.uint32:
    """Return the seed modulo 2**32."""
    return np.uint32(seed & 0xFFFFFFFF)


@dataclass(frozen=True)
class CornerHash:
    """What lies at a lattice point, by its whole coordinates and a seed.

    Attributes
    ----------
    write : WriteCorner
        Function (state, keys, scratch, outs) of one uint32 key per axis, which broadcast against
        each other; writes float32 fields into contiguous arrays of the broadcast shape: one value,
        or one gradient component per axis.
    primes : tuple of int
        A key is the lattice coordinate times this number, modulo 2**32.
    fields : int
        How many ``write`` writes, or 0 for one per axis.
    prepare : callable
        Makes from the octave's seed the state that ``write`` receives.
    fold : np.ufunc or None
        How the hash starts by joining the state to the key of the last axis (done once for many
        corners), or None.
    """

    write: WriteCorner
    primes: tuple[int, ...]
    fields: int = 0
    prepare: Callable[[int], Any] = unsigned
    fold: np.ufunc | None = np.bitwise_xor

    def count(self, axes: int) -> int:
        """Return how many fields are written on so many axes."""
        return self.fields or axes

    def corner(self, state: Any, keys: Keys, scratch: Scratch) -> tuple[Field, ...]:
        """Return the fields, valid until the next call."""
        shape = np.broadcast_shapes(*(key.shape for key in keys))
        fields = scratch.rows("fields", (self.count(len(keys)), *shape))
        self.write(state, keys, scratch, fields)
        return fields

    def mesh(
        self,
        lines: Sequence[NDArray[np.int64]],
        octave: Octave,
        scratch: Scratch,
        torus: Torus | None = None,
    ) -> tuple[Field, ...]:
        """Return fields [..., y, x] of every crossing of lattice lines."""
        crossing = [line.reshape([-1] + [1] * axis) for axis, line in enumerate(lines)]
        keys = self.keys(crossing, octave, torus)
        return self.corner(self.prepare(octave.seed), keys, scratch)

    def keys(
        self, lines: Sequence[NDArray[np.int64]], octave: Octave, torus: Torus | None = None
    ) -> list[NDArray[np.uint32]]:
        """Return the keys of whole coordinates, one array per axis, which broadcast."""
        lines = list(lines)
        if torus is not None:
            lines = torus.reduce(lines)
        elif octave.period is not None:
            for axis, period in enumerate(octave.period):
                lines[axis] = np.remainder(lines[axis], period)
        return self._folded(self._products(lines), octave)

    def _products(self, lines: Iterable[NDArray[np.int64]]) -> list[NDArray[np.uint32]]:
        return [
            (line & 0xFFFFFFFF).astype(np.uint32) * np.uint32(prime)
            for line, prime in zip(lines, self.primes, strict=False)
        ]

    def _folded(self, keys: list[NDArray[np.uint32]], octave: Octave) -> list[NDArray[np.uint32]]:
        if self.fold is not None:
            keys[-1] = self.fold(keys[-1], self.prepare(octave.seed))
        return keys

    def keys_of_sums(
        self,
        parts: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]],
        octave: Octave,
        torus: Torus | None = None,
    ) -> list[NDArray[np.uint32]]:
        """Return the keys of whole coordinates, each the sum of two arrays which broadcast.

        Quicker than :meth:`keys`: products are made before the two are broadcast.
        """
        if torus is not None:
            return self.keys([first + second for first, second in parts], octave, torus)
        first, second = (self._products(lines) for lines in zip(*parts, strict=True))
        return self._folded([a + b for a, b in zip(first, second, strict=True)], octave)


Steps = tuple[int, ...]
Count = Field | Mask
"""How often a step is taken at each point: a whole float32 number, 0 or more, or once in a mask."""
Move = tuple[Count, tuple[int, ...]]
"""How often, and the step along each axis. The last axis that moves must move ahead: then the move
leads on in a table."""
MaskedMove = tuple[Mask, tuple[int, int]]
"""The same for planes and masks alone."""

Join = Callable[[Fields, Fields], None]
"""Makes the fields of a row of corners, by the fields and where to write to."""

ONE = constant(1, np.int32)


@dataclass(frozen=True)
class CornerQuery:
    """Which corners of cells are hashed, and how.

    Attributes
    ----------
    hashing : CornerHash
        Values or gradients at lattice points.
    octave : Octave
        Octave of the noise, with its seed and period.
    torus : Torus or None
        Period of a skewed lattice.
    first, taps : int
        Steps to a corner along each axis go from ``first`` to ``first + taps - 1``.
    name : str
        Distinguishes the work arrays of several in use at once.
    joined : Join or None
        For a hash with one field: makes other fields of all that lie along the first axis, which
        are read and written as (taps, n); in a table that is done once. A row is then named by its
        first corner.
    """

    hashing: CornerHash
    octave: Octave
    first: int
    taps: int
    torus: Torus | None = None
    name: str = ""
    joined: Join | None = None


class Corners(ABC):
    """Fields at the corners of the cells of many points.

    A corner is named by its steps from the cell, one per axis, from the first on, and by moves from
    there, which differ from point to point. Moved corners come after all others.
    """

    def __init__(self, count: int, points: int, scratch: Scratch) -> None:
        """``count`` fields are written, each of so many points."""
        self._shape, self._scratch = (count, points), scratch

    def fields(self, steps: Sequence[int | Field]) -> Sequence[Field]:
        """Return fields (n,) at a corner; valid until the next call."""
        whole: list[int] = []
        moves: list[Move] = []
        for axis, step in enumerate(steps):
            if isinstance(step, int):
                whole.append(step)
            else:
                whole.append(0)
                moves.append((step, tuple(int(other == axis) for other in range(len(steps)))))
        outs = self._scratch.rows("corner", self._shape)
        self.write(tuple(whole), outs, *moves)
        return outs

    @abstractmethod
    def write(self, steps: Steps, outs: Fields, *moves: Move) -> None:
        """Write the fields (n,) at a corner into arrays.

        Where fields are joined: what is made of the row that begins at that corner.
        """

    @abstractmethod
    def advance(self, where: Mask, along: tuple[int, ...]) -> None:
        """Move some points' cells on by those steps, for moved corners to come."""


def times(count: Count, step: NDArray[np.int32], out: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the step, an array of one number, so many times."""
    if count.dtype == np.int32:
        return np.bitwise_and(cast("NDArray[np.int32]", count), step, out=out)
    np.copyto(out, count, casting="unsafe")
    return out if step is ONE else np.multiply(out, step, out=out)
