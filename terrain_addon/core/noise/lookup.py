# SPDX-License-Identifier: GPL-3.0-or-later
"""Hashed values or gradients at the corners of the cells of many points."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from .blocks import SAMPLES, even_parts
from .cells import Whole
from .corners import CornerHash
from .octave import Field, Octave
from .scratch import Scratch, constant
from .signs import Mask
from .torus import Torus

Step = int | Field
Count = Field | Mask
"""How often a step is taken at each point: a whole float32 number, 0 or more, or once in a mask."""
Move = tuple[Count, tuple[int, ...]]
"""How often, and the step along each axis. The last axis that moves must move ahead: then the move
leads on in a table."""
MaskedMove = tuple[Mask, tuple[int, int]]
"""The same for planes and masks alone."""

Join = Callable[[Sequence[Field] | Field, Sequence[Field] | Field], None]
"""Makes the fields of a row of corners, by the fields and where to write to."""

Span = Sequence[tuple[float, float]]
"""Least and greatest cell along each axis."""

ONE = constant(1, np.int32)
LARGEST_TABLE = 2**19
"""Lattice points that may be hashed into a table at once."""


class Table:
    """Fields of all lattice points of a box, one array per field, x fastest.

    Steps to a corner are ``first`` or more along each axis. What is asked for again by every block
    is kept: making it anew took as long as several calls of NumPy.
    """

    def __init__(
        self, lows: Sequence[float], sizes: Sequence[int], first: int, fields: Iterable[Field]
    ) -> None:
        self._strides = [math.prod(sizes[:axis]) for axis in range(len(sizes))]
        start = self._stride([int(low) for low in lows])
        self.start = constant(start & 0xFFFFFFFF, np.uint32) if start else None
        self.strides = [constant(stride, np.uint32) for stride in self._strides]
        self.fields = tuple(fields)
        self._first = first
        self._after: dict[tuple[int, ...], tuple[Field, ...]] = {}
        self._leads: dict[tuple[int, ...], NDArray[np.int32]] = {}

    def after(self, steps: tuple[int, ...]) -> tuple[Field, ...]:
        """The fields from so many steps on: looking up there spares adding to every index."""
        fields = self._after.get(steps)
        if fields is None:
            start = self._stride([step - self._first for step in steps])
            fields = self._after[steps] = tuple(field[start:] for field in self.fields)
        return fields

    def lead(self, along: tuple[int, ...]) -> NDArray[np.int32]:
        """How far a step leads."""
        lead = self._leads.get(along)
        if lead is None:
            lead = self._leads[along] = constant(self._stride(along), np.int32)
        return lead

    def _stride(self, along: Sequence[int]) -> int:
        return sum(step * stride for step, stride in zip(along, self._strides, strict=True))


class Lookup:
    """Fields at the corners of the cells of many points.

    Where points lie densely, the corners of all their cells are hashed once, into a table, and
    looked up. Scattered points are hashed one by one, to the same bits.

    A corner is named by its steps from the cell, one per axis, from ``first`` to
    ``first + taps - 1``, and by moves from there, which differ from point to point. Those that are
    moved are asked for after all others.

    Parameters
    ----------
    cells : (axes, n) whole coordinates, int64 if the octave is wide; overwritten
    name : distinguishes the work arrays of several lookups in use at once
    span : says between which cells all points of the call lie, if that is known; then one table
        serves all its blocks
    factor : what :meth:`write` multiplies fields by, which in a table costs little
    joined : of a hash with one field: makes other fields of all that lie along the first axis,
        which are given and written as (k, n); in a table that is done once. Those of a row are
        then asked for by its first corner.
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
        joined: Join | None = None,
    ) -> None:
        self._factor, self._joined = factor, joined
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
        outs = self._scratch.rows("corner", (len(self._table.fields), self._index.size))
        self.write(tuple(whole), outs, *moves)
        return outs

    def write(self, steps: tuple[int, ...], outs: Sequence[Field] | Field, *moves: Move) -> None:
        """Write the fields (n,) at a corner into arrays."""
        if self._table is not None:
            index = self._moved(self._table, moves, outs[0]) if moves else self._index
            for column, out in zip(self._table.after(steps), outs, strict=True):
                # Indices are in range; mode="wrap" spares a buffered copy of out.
                column.take(index, out=out, mode="wrap")
        elif self._joined is not None:
            row = self._scratch("row", (self._taps, outs[0].size))
            for step, out in enumerate(row, self._first):
                self._hash((step, *steps[1:]), moves, (out,))
            self._joined(row, outs)
        else:
            self._hash(steps, moves, [*outs])

    def _hash(self, steps: Sequence[int], moves: Sequence[Move], outs: Sequence[Field]) -> None:
        keys = self._keys_at(steps, moves)
        if self._hashing.write is not None:
            self._hashing.write(self._state, keys, self._scratch, outs)
        else:
            fields = self._hashing.corner(self._state, keys, self._scratch)
            for field, out in zip(fields, outs, strict=True):
                np.copyto(out, field)
        self._scale(outs)

    def advance(self, where: Mask, along: tuple[int, ...]) -> None:
        """Move some points' cells on by those steps, for moved corners to come."""
        if self._table is not None:
            np.bitwise_and(where, self._table.lead(along), out=self._part)
            np.add(self._flat, self._part, out=self._flat)
            return
        part = _times(where, ONE, self._scratch("count", where.shape, np.int32))
        if self._joint:
            for cell, step in zip(self._cells, along, strict=True):
                cell += np.int32(step) * part
        else:
            for base, multiple in zip(self._base_keys(), self._multiples(along), strict=True):
                base += part.view(np.uint32) * multiple

    def _find_table(self, span: Callable[[], Span | None]) -> Table | None:
        """A table of all points of the call, else of this block, else none: where it pays."""
        kept = self._scratch.kept
        key = (self._name, self._octave, self._hashing.corner, self._factor, self._joined)
        found: Table | bool | None = kept.get(key, False)
        if found is False:  # not looked for yet
            whole = None if self._octave.wide else span()
            # One table of up to a corner for each point takes less than one for every block.
            pays = whole is not None and self._pays(whole, self._octave.points)
            found = self._tabulate(whole, f"table{len(kept)}") if whole and pays else None
            kept[key] = found
        if isinstance(found, Table):
            return found
        # Points that lie too far apart in one block will do so in the next ones.
        if (key, "scattered") in kept:
            return None
        here = [(float(np.minimum.reduce(c)), float(np.maximum.reduce(c))) for c in self._cells]
        # Every lattice point is hashed once, against once per corner of each point.
        if self._pays(here, self._taps ** len(self._cells) / 4 * self._cells.shape[1]):
            return self._tabulate(here, f"{self._name}table")
        kept[key, "scattered"] = True
        return None

    def _pays(self, span: Span, most: float) -> bool:
        return self._size(span) <= min(most, LARGEST_TABLE)

    def _size(self, span: Span) -> float:
        return math.prod(high - low + self._taps for low, high in span)

    def _tabulate(self, span: Span, name: str) -> Table:
        lines = [
            np.arange(int(low) + self._first, int(high) + self._first + self._taps, dtype=np.int64)
            for low, high in span
        ]
        sizes = [line.size for line in lines]
        table: Field | None = None
        # Part by part, as work arrays of a whole table do not stay in the cache.
        for part in even_parts(sizes[-1], max(1, SAMPLES // math.prod(sizes[:-1]))):
            here = [*lines[:-1], lines[-1][part]]
            fields = self._hashing.mesh(here, self._octave, self._scratch, self._torus)
            if table is None:
                table = self._scratch(name, (len(fields), sizes[-1], *fields[0].shape[1:]))
            self._scale(fields)
            for column, field in zip(table, fields, strict=True):
                np.copyto(column[part], field)
        assert table is not None
        table = table.reshape(len(table), -1)
        if self._joined is not None:
            count = table.size - self._taps + 1
            row = [table[0, step : step + count] for step in range(self._taps)]
            table = self._scratch(f"{name}joined", (self._taps, count))
            self._joined(row, table)
        return Table([low for low, _ in span], sizes, self._first, table)

    def _scale(self, fields: Sequence[Field]) -> None:
        if self._factor != 1:  # some hold bits of other types
            for field in fields:
                field *= np.float32(self._factor)

    def _find_indices(self, table: Table) -> NDArray[np.intp]:
        """Where in the table each point's cell lies."""
        # Modulo 2**32: only the result is small.
        cells = self._modulo()
        flat = cells[0]
        for axis in range(1, len(cells)):
            place = cells[axis]
            np.multiply(place, table.strides[axis], out=place)
            np.add(flat, place, out=flat)
        if table.start is not None:
            np.subtract(flat, table.start, out=flat)
        self._flat, self._part = flat.view(np.int32), cells[1].view(np.int32)
        index = self._scratch(f"{self._name}corner_index", flat.shape, np.intp)
        np.copyto(index, self._flat)
        return index

    def _moved(self, table: Table, moves: Sequence[Move], work: Field) -> NDArray[np.intp]:
        """Where the moves lead; in the memory of the index, as few arrays stay in the cache."""
        flat, part, total = self._flat, self._part, work.view(np.int32)
        for count, along in moves:
            _times(count, table.lead(along), part)
            flat = np.add(flat, part, out=total)
        np.copyto(self._index, total)
        return self._index

    def _keys_at(self, steps: Sequence[int], moves: Sequence[Move]) -> list[NDArray[np.uint32]]:
        """Keys of a lattice point near each point, one array per axis."""
        if self._joint:
            lines = [
                cell.astype(np.int64) + step for cell, step in zip(self._cells, steps, strict=True)
            ]
            for count, along in moves:
                counted = _times(count, ONE, self._scratch("count", count.shape, np.int32))
                for line, step in zip(lines, along, strict=True):
                    line += step * counted
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
            _times(count, ONE, count_of)
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


def _times(count: Count, step: NDArray[np.int32], out: NDArray[np.int32]) -> NDArray[np.int32]:
    """The step, an array of one number, so many times."""
    if count.dtype == np.int32:
        return np.bitwise_and(cast("NDArray[np.int32]", count), step, out=out)
    np.copyto(out, count, casting="unsafe")
    return out if step is ONE else np.multiply(out, step, out=out)


def _unit(axis: int, axes: int) -> tuple[int, ...]:
    return tuple(int(other == axis) for other in range(axes))
