# SPDX-License-Identifier: GPL-3.0-or-later
"""Hashed values or gradients at the corners of cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .octave import Field, Octave
from .scratch import Scratch
from .torus import Torus

Keys = Sequence[NDArray[np.uint32]]
Corner = Callable[[Any, Keys, Scratch], tuple[Field, ...]]
WriteCorner = Callable[[Any, Keys, Scratch, Sequence[Field]], None]


@dataclass(frozen=True)
class CornerHash:
    """What lies at a lattice point, by its whole coordinates and a seed.

    Attributes
    ----------
    corner : function (state, keys, scratch) of one uint32 key per axis, which broadcast
        against each other; returns float32 fields of the broadcast shape: one value, or one
        gradient component per axis
    primes : a key is the lattice coordinate times this number, modulo 2**32
    prepare : makes from the 32-bit seed the state that ``corner`` receives
    write : the same, but writes the fields into given arrays; if None, they are copied
    fields : how many ``write`` writes
    fold : how the hash starts by joining the state to the key of the last axis (done once for
        many corners), or None
    """

    corner: Corner
    primes: tuple[int, ...]
    prepare: Callable[[int], Any] = np.uint32
    fold: np.ufunc | None = np.bitwise_xor
    write: WriteCorner | None = None
    fields: int = 0

    def mesh(
        self,
        lines: Sequence[NDArray[np.int64]],
        octave: Octave,
        scratch: Scratch,
        torus: Torus | None = None,
    ) -> tuple[Field, ...]:
        """Fields [..., y, x] of every crossing of lattice lines."""
        crossing = [line.reshape([-1] + [1] * axis) for axis, line in enumerate(lines)]
        keys = self.keys(crossing, octave, torus)
        return self.corner(self.prepare(octave.seed), keys, scratch)

    def keys(
        self, lines: Sequence[NDArray[np.int64]], octave: Octave, torus: Torus | None = None
    ) -> list[NDArray[np.uint32]]:
        """Keys of whole coordinates, one array per axis, which broadcast."""
        lines = list(lines)
        if torus is not None:
            lines = torus.reduce(lines)
        elif octave.period is not None:
            for axis, period in enumerate(octave.period):
                lines[axis] = np.remainder(lines[axis], period)
        keys = [
            (line & 0xFFFFFFFF).astype(np.uint32) * np.uint32(prime)
            for line, prime in zip(lines, self.primes, strict=False)
        ]
        if self.fold is not None:
            keys[-1] = self.fold(keys[-1], self.prepare(octave.seed))
        return keys

    def keys_of_sums(
        self,
        parts: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]],
        octave: Octave,
        torus: Torus | None = None,
    ) -> list[NDArray[np.uint32]]:
        """Keys of whole coordinates, each the sum of two arrays which broadcast.

        Quicker than :meth:`keys`: products are made before the two are broadcast.
        """
        if torus is not None:
            return self.keys([first + second for first, second in parts], octave, torus)
        keys: list[NDArray[np.uint32]] = []
        for both, prime in zip(parts, self.primes, strict=False):
            first, second = ((part & 0xFFFFFFFF).astype(np.uint32) for part in both)
            keys.append(first * np.uint32(prime) + second * np.uint32(prime))
        if self.fold is not None:
            keys[-1] = self.fold(keys[-1], self.prepare(octave.seed))
        return keys
