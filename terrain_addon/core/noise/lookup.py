# SPDX-License-Identifier: GPL-3.0-or-later
"""Hashed values or gradients at the corners of the cells of many points."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from .cells import Whole
from .corners import CornerHash
from .octave import Field, Octave
from .scratch import Scratch
from .torus import Torus

Step = int | Field
Move = tuple[Field, tuple[int, ...]]
"""A whole float32 number per point, 0 or more, and the step along each axis that is taken so many
times. The last axis that moves must move ahead: then the move leads on in a table."""

Span = Sequence[tuple[float, float]]
"""Least and greatest cell along each axis."""

LARGEST_TABLE = 2**19
"""Lattice points that may be hashed into a table at once."""


class Table:
    """Fields of all lattice points of a box, one array per field, x fastest."""

    def __init__(self, lows: Sequence[float], sizes: Sequence[int], fields: Iterable[Field]):
        self.strides = [math.prod(sizes[:axis]) for axis in range(len(sizes))]
        self.start = sum(int(low) * stride for low, stride in zip(lows, self.strides, strict=True))
        self.fields = tuple(fields)
        self._after: dict[tuple[int, ...], tuple[Field, ...]] = {}

    def after(self, steps: tuple[int, ...]) -> tuple[Field, ...]:
        """The fields from so many steps on: looking up there spares adding to every index.

        Kept, as making views takes a twentieth of the time of looking up a block.
        """
        if steps not in self._after:
            start = self.stride(steps)
            self._after[steps] = tuple(field[start:] for field in self.fields)
        return self._after[steps]

    def stride(self, along: Sequence[int]) -> int:
        """How far a step leads."""
        return sum(step * stride for step, stride in zip(along, self.strides, strict=True))


class Lookup:
    """Fields at the corners of the cells of many points.

    Where points lie densely, the corners of all their cells are hashed once, into a table, and
    looked up. Scattered points are hashed one by one, to the same bits.

    A corner is named by its steps from the cell, one per axis, from ``first`` to
    ``first + taps - 1``, and by moves from there, which differ from point to point.

    Parameters
    ----------
    cells : (axes, n) whole coordinates, int64 if the octave is wide; overwritten
    name : distinguishes the work arrays of several lookups in use at once
    span : says between which cells all points of the call lie, if that is known; then one table
        serves all its blocks
    factor : what :meth:`write` multiplies fields by, which in a table costs little
    """

    def __init__(
        self,
        hashing: CornerHash,
        octave: Octave,
        cells: Whole,
        first: int,
        taps: int,
        scratch: Scratch,
        torus: Torus | None = None,
        name: str = "",
        span: Callable[[], Span | None] = lambda: None,
        factor: float = 1.0,
    ) -> None:
        self._factor = factor
        self._hashing, self._octave, self._torus = hashing, octave, torus
        self._cells, self._first, self._taps = cells, first, taps
        self._scratch, self._name = scratch, name
        self._table = self._find_table(span)
        if self._table is not None:
            self._index = self._find_indices(self._table)
            return
        self._state = hashing.prepare(octave.seed)
        self._keys: dict[tuple[int, int], NDArray[np.uint32]] = {}
        self._bases: NDArray[np.uint32] | None = None
        self._joint = torus is not None or octave.period is not None

    def fields(self, steps: Sequence[Step], *moves: Move) -> tuple[Field, ...]:
        """Fields (n,) at a corner; valid until the next call."""
        whole: list[int] = []
        for axis, step in enumerate(steps):
            if isinstance(step, int):
                whole.append(step)
            else:
                whole.append(0)
                moves += ((step, _unit(axis, len(steps))),)
        if self._table is None:
            return self._hashing.corner(self._state, self._keys_at(whole, moves), self._scratch)
        outs = tuple(self._scratch("corner", (len(self._table.fields), self._index.size)))
        self._look_up(self._table, whole, moves, outs)
        return outs

    def write(self, steps: Sequence[int], *outs: Field, moves: Sequence[Move] = ()) -> None:
        """Write the fields (n,) at a corner into arrays."""
        if self._table is not None:
            self._look_up(self._table, steps, moves, outs)
            return
        keys = self._keys_at(steps, moves)
        if self._hashing.write is not None:
            self._hashing.write(self._state, keys, self._scratch, outs)
        else:
            fields = self._hashing.corner(self._state, keys, self._scratch)
            for field, out in zip(fields, outs, strict=True):
                np.copyto(out, field)
        self._scale(outs)

    def advance(self, count: Field, along: tuple[int, ...]) -> None:
        """Move every point's cell on, so many times by those steps."""
        part = self._scratch("count", count.shape, np.int32)
        np.copyto(part, count, casting="unsafe")
        if self._table is not None:
            np.multiply(part, np.int32(self._table.stride(along)), out=part)
            np.add(self._flat, part, out=self._flat)
        elif self._joint:
            for cell, step in zip(self._cells, along, strict=True):
                cell += np.int32(step) * part
        else:
            for base, multiple in zip(self._base_keys(), self._multiples(along), strict=True):
                base += part.view(np.uint32) * multiple

    def _find_table(self, span: Callable[[], Span | None]) -> Table | None:
        """A table of all points of the call, else of this block, else none: where it pays."""
        kept = self._scratch.kept
        key = (self._name, self._octave, self._hashing.corner, self._factor)
        if key not in kept:
            whole = None if self._octave.wide else span()
            pays = whole is not None and self._pays(whole, self._octave.points / 2)
            kept[key] = self._tabulate(whole) if whole is not None and pays else None
        if kept[key] is not None:
            return kept[key]
        # Points that lie too far apart in one block will do so in the next ones.
        if (key, "scattered") in kept:
            return None
        here = [(float(np.minimum.reduce(c)), float(np.maximum.reduce(c))) for c in self._cells]
        # Every lattice point is hashed once, against once per corner of each point.
        if self._pays(here, self._taps ** len(self._cells) / 4 * self._cells.shape[1]):
            return self._tabulate(here)
        kept[key, "scattered"] = True
        return None

    def _pays(self, span: Span, most: float) -> bool:
        return self._size(span) <= min(most, LARGEST_TABLE)

    def _size(self, span: Span) -> float:
        return math.prod(high - low + self._taps for low, high in span)

    def _tabulate(self, span: Span) -> Table:
        lines = [
            np.arange(int(low) + self._first, int(high) + self._first + self._taps, dtype=np.int64)
            for low, high in span
        ]
        fields = self._hashing.mesh(lines, self._octave, self._scratch, self._torus)
        # Raveled copies: the hash may use the same work arrays again.
        columns = [field.flatten() for field in fields]
        self._scale(columns)
        return Table([low for low, _ in span], [line.size for line in lines], columns)

    def _scale(self, fields: Sequence[Field]) -> None:
        if self._factor != 1:  # some hold bits of other types
            for field in fields:
                field *= np.float32(self._factor)

    def _find_indices(self, table: Table) -> NDArray[np.intp]:
        """Where in the table each point's cell lies."""
        # Modulo 2**32: only the result is small.
        flat, *others = self._modulo()
        for place, stride in zip(others, table.strides[1:], strict=True):
            np.multiply(place, np.uint32(stride), out=place)
            np.add(flat, place, out=flat)
        if table.start:
            np.subtract(flat, np.uint32(table.start & 0xFFFFFFFF), out=flat)
        self._flat, self._part = flat.view(np.int32), others[0].view(np.int32)
        index = self._scratch(f"{self._name}corner_index", flat.shape, np.intp)
        np.copyto(index, self._flat)
        return index

    def _look_up(
        self, table: Table, steps: Sequence[int], moves: Sequence[Move], outs: Sequence[Field]
    ) -> None:
        index = self._index
        if moves:
            index = self._moved(table, moves, outs[0])
        columns = table.after(tuple([step - self._first for step in steps]))
        for column, out in zip(columns, outs, strict=True):
            # Indices are in range; mode="wrap" spares a buffered copy of out.
            column.take(index, out=out, mode="wrap")

    def _moved(self, table: Table, moves: Sequence[Move], work: Field) -> NDArray[np.intp]:
        """Where the moves lead."""
        flat, part, total = self._flat, self._part, work.view(np.int32)
        for count, along in moves:
            np.copyto(part, count, casting="unsafe")
            np.multiply(part, np.int32(table.stride(along)), out=part)
            flat = np.add(flat, part, out=total)
        index = self._scratch("moved_index", flat.shape, np.intp)
        np.copyto(index, total)
        return index

    def _keys_at(self, steps: Sequence[int], moves: Sequence[Move]) -> list[NDArray[np.uint32]]:
        """Keys of a lattice point near each point, one array per axis."""
        if self._joint:
            lines = [
                cell.astype(np.int64) + step for cell, step in zip(self._cells, steps, strict=True)
            ]
            for count, along in moves:
                for line, step in zip(lines, along, strict=True):
                    line += step * count.astype(np.int64)
            return self._hashing.keys(lines, self._octave, self._torus)
        if moves:
            return [*self._moved_keys(steps, moves)]
        return [self._key(axis, step) for axis, step in enumerate(steps)]

    def _key(self, axis: int, step: int) -> NDArray[np.uint32]:
        """Key of a lattice line near each point, kept for other corners."""
        if (axis, step) not in self._keys:
            base = self._base_keys()[axis]
            key = self._scratch(f"{self._name}key{axis}{step}", base.shape, np.uint32)
            np.add(base, self._multiple(axis, step), out=key)
            if axis == len(self._cells) - 1:
                self._fold(key)
            self._keys[axis, step] = key
        return self._keys[axis, step]

    def _moved_keys(self, steps: Sequence[int], moves: Sequence[Move]) -> NDArray[np.uint32]:
        base = self._base_keys()
        keys, parts = self._scratch("moved_keys", (2, *base.shape), np.uint32)
        np.add(base, self._multiples(steps), out=keys)
        count_of = self._scratch("count", base[0].shape, np.int32)
        for count, along in moves:
            np.copyto(count_of, count, casting="unsafe")
            np.multiply(count_of.view(np.uint32), self._multiples(along), out=parts)
            np.add(keys, parts, out=keys)
        self._fold(keys[-1])
        return keys

    def _fold(self, key: NDArray[np.uint32]) -> None:
        """Join the state to a key of the last axis."""
        if self._hashing.fold is not None:
            self._hashing.fold(key, self._state, out=key)

    def _multiple(self, axis: int, step: int) -> np.uint32:
        """What so many steps along an axis add to its key."""
        return np.uint32(step * self._hashing.primes[axis] & 0xFFFFFFFF)

    def _multiples(self, steps: Sequence[int]) -> NDArray[np.uint32]:
        """What steps along each axis add to the keys, as a column."""
        return np.array([[self._multiple(axis, step)] for axis, step in enumerate(steps)])

    def _base_keys(self) -> NDArray[np.uint32]:
        """Keys of the cells themselves, without the seed."""
        if self._bases is None:
            self._bases = self._modulo()
            self._bases *= self._multiples([1] * len(self._cells))
        return self._bases

    def _modulo(self) -> NDArray[np.uint32]:
        """Cells modulo 2**32: in the memory of the cells, but for wide octaves."""
        return self._cells.astype(np.uint32) if self._octave.wide else self._cells.view(np.uint32)


def _unit(axis: int, axes: int) -> tuple[int, ...]:
    return tuple(int(other == axis) for other in range(axes))
