# SPDX-License-Identifier: GPL-3.0-or-later
"""Hashed values or gradients at the corners of the cells of many points.

Where points lie densely, the corners of all their cells are hashed once, into a :class:`Table`, and
looked up. Scattered points are hashed one by one, to the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...numerics.blocks import SAMPLES, even_parts
from ...numerics.work_arrays import Scratch, constant
from ..fractals.octave import Field
from .cells import Whole
from .corners import ONE, CornerQuery, Corners, Fields, Move, Steps, times
from .sign_masks import Mask

Span = Sequence[tuple[float, float]]
"""Least and greatest cell along each axis."""

LARGEST_TABLE = 2**19
"""Lattice points that may be hashed into a table at once."""


def lookup(
    query: CornerQuery,
    cells: Whole,
    scratch: Scratch,
    span: Callable[[], Span | None] = lambda: None,
) -> Corners:
    """Return hashed values at the corners of cells, by table or one by one, whichever is faster.

    Parameters
    ----------
    cells : ndarray, shape (axes, n)
        Whole coordinates, int64 if the octave is wide; overwritten.
    span : callable, optional
        Returns the least and greatest cells of the whole call, if known; then one table serves all
        its blocks.
    """
    table = _find_table(query, cells, span, scratch)
    if table is not None:
        return TabulatedCorners(table, cells, query.octave.wide, scratch, query.name)
    repeats = query.torus is not None or query.octave.period is not None
    return (RepeatedCorners if repeats else HashedCorners)(query, cells, scratch)


def _find_table(
    query: CornerQuery, cells: Whole, span: Callable[[], Span | None], scratch: Scratch
) -> Table | None:
    """Return a table for the whole call or for this block, or None if neither pays."""
    octave, taps, kept = query.octave, query.taps, scratch.kept
    key = (query.name, octave, query.hashing.write, query.joined)
    found: Table | bool | None = kept.get(key, False)
    if found is False:  # not looked for yet
        whole = None if octave.wide else span()
        # One table of up to a corner for each point takes less than one for every block.
        pays = whole is not None and _size(whole, taps) <= min(octave.points, LARGEST_TABLE)
        found = _tabulate(query, whole, f"table{len(kept)}", scratch) if whole and pays else None
        kept[key] = found
    if isinstance(found, Table):
        return found
    # Points that lie too far apart in one block will do so in the next ones.
    if (key, "scattered") in kept:
        return None
    here = [(float(np.minimum.reduce(c)), float(np.maximum.reduce(c))) for c in cells]
    # Every lattice point is hashed once, against once per corner of each point.
    hashed = taps ** len(cells) / 4 * cells.shape[1]
    if _size(here, taps) <= min(hashed, LARGEST_TABLE):
        return _tabulate(query, here, f"{query.name}table", scratch)
    kept[key, "scattered"] = True
    return None


def _size(span: Span, taps: int) -> float:
    return math.prod(high - low + taps for low, high in span)


def _tabulate(query: CornerQuery, span: Span, name: str, scratch: Scratch) -> Table:
    first, taps, joined = query.first, query.taps, query.joined
    lines = [
        np.arange(int(low) + first, int(high) + first + taps, dtype=np.int64) for low, high in span
    ]
    sizes = [line.size for line in lines]
    table: Field | None = None
    # Part by part, as work arrays of a whole table do not stay in the cache.
    for part in even_parts(sizes[-1], max(1, SAMPLES // math.prod(sizes[:-1]))):
        here = [*lines[:-1], lines[-1][part]]
        fields = query.hashing.mesh(here, query.octave, scratch, query.torus)
        if table is None:
            table = scratch(name, (len(fields), sizes[-1], *fields[0].shape[1:]))
        for column, field in zip(table, fields, strict=True):
            np.copyto(column[part], field)
    assert table is not None
    table = table.reshape(len(table), -1)
    if joined is not None:
        count = table.size - taps + 1
        row = [table[0, step : step + count] for step in range(taps)]
        table = scratch(f"{name}joined", (taps, count))
        joined(row, table)
    return Table([low for low, _ in span], sizes, first, table)


class Table:
    """Fields of all lattice points of a box, one array per field, x fastest.

    Steps to a corner are ``first`` or more along each axis. Views that every block needs are kept:
    to make one takes as long as several calls of NumPy.
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
        self._after: dict[Steps, tuple[Field, ...]] = {}
        self._leads: dict[tuple[int, ...], NDArray[np.int32]] = {}

    def after(self, steps: Steps) -> tuple[Field, ...]:
        """Return the fields from so many steps on: looking up there spares adding to every
        index."""
        fields = self._after.get(steps)
        if fields is None:
            start = self._stride([step - self._first for step in steps])
            fields = self._after[steps] = tuple(field[start:] for field in self.fields)
        return fields

    def lead(self, along: tuple[int, ...]) -> NDArray[np.int32]:
        """Return how far a step leads."""
        lead = self._leads.get(along)
        if lead is None:
            lead = self._leads[along] = constant(self._stride(along), np.int32)
        return lead

    def _stride(self, along: Sequence[int]) -> int:
        return sum(step * stride for step, stride in zip(along, self._strides, strict=True))


class TabulatedCorners(Corners):
    """Looks up the corners of cells (axes, n), which are overwritten."""

    def __init__(self, table: Table, cells: Whole, wide: bool, scratch: Scratch, name: str) -> None:
        super().__init__(len(table.fields), cells.shape[1], scratch)
        self._table = table
        # Modulo 2**32: only the result is small.
        places = cells.astype(np.uint32) if wide else cells.view(np.uint32)
        flat = places[0]
        for axis in range(1, len(places)):
            place = places[axis]
            np.multiply(place, table.strides[axis], out=place)
            np.add(flat, place, out=flat)
        if table.start is not None:
            np.subtract(flat, table.start, out=flat)
        self._flat, self._part = flat.view(np.int32), places[1].view(np.int32)
        self._index = scratch(f"{name}corner_index", flat.shape, np.intp)
        np.copyto(self._index, self._flat)

    def write(self, steps: Steps, outs: Fields, *moves: Move) -> None:
        if moves:
            self._move(moves, outs[0])
        for column, out in zip(self._table.after(steps), outs, strict=True):
            # Indices are in range; mode="wrap" spares a buffered copy of out.
            column.take(self._index, out=out, mode="wrap")

    def advance(self, where: Mask, along: tuple[int, ...]) -> None:
        np.bitwise_and(where, self._table.lead(along), out=self._part)
        np.add(self._flat, self._part, out=self._flat)

    def _move(self, moves: Sequence[Move], work: Field) -> None:
        """Go where the moves lead; in the memory of the index, as few arrays stay in the cache."""
        flat, part, total = self._flat, self._part, work.view(np.int32)
        for count, along in moves:
            times(count, self._table.lead(along), part)
            flat = np.add(flat, part, out=total)
        np.copyto(self._index, total)


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
        """Return keys (n,) of a lattice line near each point, or of all in a row, (taps, n)."""
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
    """Return numbers modulo 2**32, as a column."""
    return np.array([[number & 0xFFFFFFFF] for number in numbers], np.uint32)
