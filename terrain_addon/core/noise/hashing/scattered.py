# SPDX-License-Identifier: GPL-3.0-or-later
"""Corners hashed one by one, for points that lie far apart."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...numerics.work_arrays import Scratch, constant
from ..fractals.octave import Field
from .cells import Whole
from .corner_hash import Fields
from .corners import ONE, CornerQuery, Corners, Move, Steps, times
from .sign_masks import Mask

Key = NDArray[np.uint32]


class _Hashed(Corners):
    """Hashes every corner of every cell."""

    def __init__(self, query: CornerQuery, cells: Whole, scratch: Scratch) -> None:
        super().__init__(query.hashing.count(len(cells)), cells.shape[1], scratch)
        self._hashing, self._joined = query.hashing, query.joined
        self._state = query.hashing.prepare(query.octave.seed)
        self._row = range(query.first, query.first + query.taps)

    def _write(self, keys: Sequence[Key], outs: Fields) -> None:
        if self._joined is None:
            self._hashing.write(self._state, keys, self._scratch, outs)
            return
        row = self._scratch("row", keys[0].shape)
        self._hashing.write(self._state, keys, self._scratch, (row,))
        self._joined(row, outs)


class HashedCorners(_Hashed):
    """By keys that are kept: several corners share each of them.

    A step along an axis adds the same number to every key.
    """

    def __init__(self, query: CornerQuery, cells: Whole, scratch: Scratch) -> None:
        super().__init__(query, cells, scratch)
        self._name = query.name
        bases = cells.astype(np.uint32) if query.octave.wide else cells.view(np.uint32)
        primes = _column(query.hashing.primes[: len(cells)])
        self._bases = np.multiply(bases, primes, out=bases)
        self._keys: dict[tuple[int, int], Key] = {}

    def write(self, steps: Steps, outs: Fields, *moves: Move) -> None:
        keys = self._moved(steps, moves) if moves else [*map(self._key, range(len(steps)), steps)]
        self._write(keys, outs)

    def advance(self, where: Mask, along: tuple[int, ...]) -> None:
        part = self._scratch("part", where.shape, np.int32)
        for base, prime, step in zip(self._bases, self._hashing.primes, along, strict=False):
            np.add(base, times(where, _signed(prime, step), part).view(np.uint32), out=base)

    def _key(self, axis: int, step: int) -> Key:
        """Keys (n,) of a lattice line near each point, or of all in a row, (taps, n)."""
        key = self._keys.get((axis, step))
        if key is None:
            key = self._keys[axis, step] = self._made(axis, step)
        return key

    def _made(self, axis: int, step: int) -> Key:
        base, prime = self._bases[axis], self._hashing.primes[axis]
        shape, along = base.shape, _multiple(prime, step)
        last = axis == len(self._bases) - 1
        if axis == 0 and self._joined is not None:
            along = _column(tuple(prime * tap for tap in self._row))
            shape = (len(self._row), *shape)
        elif step == 0 and not last:
            return base
        key = self._scratch(f"{self._name}key{axis}{step}", shape, np.uint32)
        np.add(base, along, out=key)
        if last:
            self._fold(key)
        return key

    def _moved(self, steps: Steps, moves: Sequence[Move]) -> Sequence[Key]:
        keys = self._scratch.rows("moved_keys", self._bases.shape, np.uint32)
        part = self._scratch("part", keys[0].shape, np.int32)
        for axis, (key, prime) in enumerate(zip(keys, self._hashing.primes, strict=False)):
            np.add(self._bases[axis], _multiple(prime, steps[axis]), out=key)
            for count, along in moves:
                if along[axis]:
                    times(count, _signed(prime, along[axis]), part)
                    np.add(key, part.view(np.uint32), out=key)
        self._fold(keys[-1])
        return keys

    def _fold(self, key: Key) -> None:
        """Join the state to a key of the last axis."""
        if self._hashing.fold is not None:
            self._hashing.fold(key, self._state, out=key)


class RepeatedCorners(_Hashed):
    """The same for noise that repeats: what a step adds depends on where a point lies."""

    def __init__(self, query: CornerQuery, cells: Whole, scratch: Scratch) -> None:
        super().__init__(query, cells, scratch)
        self._query, self._cells = query, cells

    def write(self, steps: Steps, outs: Fields, *moves: Move) -> None:
        lines = [
            cell.astype(np.int64) + step for cell, step in zip(self._cells, steps, strict=True)
        ]
        if self._joined is not None:
            lines[0] = self._cells[0] + np.array(self._row)[:, None]
        for count, along in moves:
            counted = self._counted(count)
            for line, step in zip(lines, along, strict=True):
                line += step * counted
        self._write(self._hashing.keys(lines, self._query.octave, self._query.torus), outs)

    def advance(self, where: Mask, along: tuple[int, ...]) -> None:
        part = self._counted(where)
        for cell, step in zip(self._cells, along, strict=True):
            cell += np.int32(step) * part

    def _counted(self, count: Field | Mask) -> NDArray[np.int32]:
        return times(count, ONE, self._scratch("part", count.shape, np.int32))


@lru_cache(maxsize=256)
def _multiple(prime: int, step: int) -> Key:
    """Return what a number of steps along an axis adds to its key."""
    return constant(step * prime & 0xFFFFFFFF, np.uint32)


@lru_cache(maxsize=256)
def _signed(prime: int, step: int) -> NDArray[np.int32]:
    """Return the same bits, as signed numbers."""
    return _multiple(prime, step).view(np.int32)


@lru_cache(maxsize=256)
def _column(numbers: tuple[int, ...]) -> Key:
    """Numbers modulo 2**32, as a column."""
    return np.array([[number & 0xFFFFFFFF] for number in numbers], np.uint32)
