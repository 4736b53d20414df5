# SPDX-License-Identifier: GPL-3.0-or-later
"""Hashed values or gradients at the corners of cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .octave import Axis, Field, Octave
from .scratch import Scratch
from .torus import Torus

Keys = Sequence[NDArray[np.uint32]]
Corner = Callable[[Any, Keys, Scratch], tuple[Field, ...]]
Step = int | Field

LARGEST_TABLE = 2**19
"""Lattice points that may be hashed into a table at once."""


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
    fold : how the hash starts by joining the state to the key of the last axis (done once for
        many corners), or None
    """

    corner: Corner
    primes: tuple[int, ...]
    prepare: Callable[[int], Any] = np.uint32
    fold: np.ufunc | None = np.bitwise_xor

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


@dataclass(frozen=True)
class _Table:
    """Fields of all lattice points of a box, raveled with x fastest."""

    lows: list[float]
    strides: list[int]
    fields: tuple[Field, ...]


class Corners:
    """Fields at the corners of the cells of many points.

    Where points lie densely, the corners of all their cells are hashed once, into a table, and
    looked up. Scattered points are hashed one by one, to the same bits.

    A corner is named by its steps from the cell, one per axis, from ``first`` to
    ``first + taps - 1``: the same whole number for all points, or an array of whole float32
    numbers.

    Parameters
    ----------
    cells : (axes, n) whole float64 coordinates; overwritten
    name : distinguishes the scratch arrays of several Corners in use at once
    span : least and greatest cell of all points of the call along each axis, if known; then one
        table serves all its blocks
    """

    def __init__(
        self,
        hashing: CornerHash,
        octave: Octave,
        cells: Axis,
        first: int,
        taps: int,
        scratch: Scratch,
        torus: Torus | None = None,
        name: str = "",
        span: Sequence[tuple[float, float]] | None = None,
    ) -> None:
        self._name = name
        self._hashing, self._octave, self._torus = hashing, octave, torus
        self._cells, self._first, self._taps, self._scratch = cells, first, taps, scratch
        self._table = self._find_table(span)
        if self._table is not None:
            self._find_indices(self._table)
        else:
            self._state = hashing.prepare(octave.seed)
            self._keys: dict[tuple[int, int], NDArray[np.uint32]] = {}
            self._bases: dict[int, NDArray[np.uint32]] = {}
            self._joint = torus is not None or octave.period is not None

    def _find_table(self, span: Sequence[tuple[float, float]] | None) -> _Table | None:
        """A table of all points of the call, else of this block, else none: where it pays."""
        if span is not None and not self._octave.wide:
            size = self._size(span)
            if 2 * size <= self._octave.points and size <= LARGEST_TABLE:
                key = (self._name, self._octave, self._hashing.corner)
                if key not in self._scratch.kept:
                    self._scratch.kept[key] = self._tabulate(span)
                return self._scratch.kept[key]
        span = [(float(cell.min()), float(cell.max())) for cell in self._cells]
        return self._tabulate(span) if 2 * self._size(span) <= self._cells.shape[1] else None

    def _size(self, span: Sequence[tuple[float, float]]) -> float:
        return math.prod(high - low + self._taps for low, high in span)

    def _tabulate(self, span: Sequence[tuple[float, float]]) -> _Table:
        lines = [
            np.arange(int(low) + self._first, int(high) + self._first + self._taps, dtype=np.int64)
            for low, high in span
        ]
        fields = self._hashing.mesh(lines, self._octave, self._scratch, self._torus)
        return _Table(
            [low for low, _ in span],
            [math.prod(line.size for line in lines[:axis]) for axis in range(len(lines))],
            # Raveled copies: the hash may use the same scratch arrays again.
            tuple(field.flatten() for field in fields),
        )

    def _find_indices(self, table: _Table) -> None:
        """Where in the table each point's cell lies."""
        flat = self._cells[0]
        start = 0.0
        if self._octave.wide:
            for cell, low in zip(self._cells, table.lows, strict=True):
                cell -= low
        else:  # sums of such cells are exact
            start = sum(low * stride for low, stride in zip(table.lows, table.strides, strict=True))
        for cell, stride in zip(self._cells[1:], table.strides[1:], strict=True):
            cell *= stride
            flat += cell
        if start:
            flat -= start
        self._flat = flat
        self._index = self._scratch(f"{self._name}corner_index", flat.shape, np.intp)
        np.copyto(self._index, flat, casting="unsafe")

    def fields(self, steps: Sequence[Step]) -> tuple[Field, ...]:
        """Fields (n,) at the corner that many steps away; valid until the next call."""
        if self._table is not None:
            return self._looked_up(self._table, steps)
        if self._joint:
            lines = [
                cell.astype(np.int64) + (step if isinstance(step, int) else step.astype(np.int64))
                for cell, step in zip(self._cells, steps, strict=True)
            ]
            keys = self._hashing.keys(lines, self._octave, self._torus)
        else:
            keys = [self._key(axis, step) for axis, step in enumerate(steps)]
        return self._hashing.corner(self._state, keys, self._scratch)

    def _looked_up(self, table: _Table, steps: Sequence[Step]) -> tuple[Field, ...]:
        whole = [step for step in steps if isinstance(step, int)]
        start, index = 0, self._index
        if len(whole) == len(steps):
            # Looking up in a later part of the table spares adding to every index.
            for step, stride in zip(whole, table.strides, strict=True):
                start += (step - self._first) * stride
        else:
            flat = self._scratch("corner_flat", self._flat.shape, np.float64)
            np.copyto(flat, self._flat)
            for step, stride in zip(steps, table.strides, strict=True):
                flat += (step - self._first) * stride
            index = self._scratch("corner_moved", flat.shape, np.intp)
            np.copyto(index, flat, casting="unsafe")
        outs: list[Field] = []
        for number, column in enumerate(table.fields):
            out = self._scratch(f"corner{number}", index.shape)
            # Indices are in range; mode="wrap" spares a buffered copy of out.
            column[start:].take(index, out=out, mode="wrap")
            outs.append(out)
        return tuple(outs)

    def _key(self, axis: int, step: Step) -> NDArray[np.uint32]:
        """Key of a lattice line near each point; those of whole steps are kept."""
        if isinstance(step, int) and (axis, step) in self._keys:
            return self._keys[axis, step]
        prime = self._hashing.primes[axis]
        base = self._base_key(axis)
        if isinstance(step, int):
            key = self._scratch(f"{self._name}key{axis}{step}", base.shape, np.uint32)
            np.add(base, np.uint32(step * prime & 0xFFFFFFFF), out=key)
            self._keys[axis, step] = key
        else:
            key = self._scratch(f"key{axis}", base.shape, np.uint32)
            np.copyto(key.view(np.int32), step, casting="unsafe")
            key *= np.uint32(prime)
            key += base
        if axis == len(self._cells) - 1 and self._hashing.fold is not None:
            self._hashing.fold(key, self._state, out=key)
        return key

    def _base_key(self, axis: int) -> NDArray[np.uint32]:
        """Key of the cell itself, without the seed."""
        if axis not in self._bases:
            base = self._scratch(f"{self._name}base{axis}", self._cells[axis].shape, np.uint32)
            _copy_lines(self._cells[axis], self._octave.wide, base, self._scratch)
            base *= np.uint32(self._hashing.primes[axis])
            self._bases[axis] = base
        return self._bases[axis]


def _copy_lines(lines: Axis, wide: bool, out: NDArray[np.uint32], scratch: Scratch) -> None:
    """Whole coordinates modulo 2**32; ``wide`` if some do not fit a signed 32-bit integer."""
    if wide:
        whole = scratch("whole", lines.shape, np.int64)
        np.copyto(whole, lines, casting="unsafe")
        np.copyto(out, whole, casting="unsafe")
    else:
        np.copyto(out.view(np.int32), lines, casting="unsafe")
