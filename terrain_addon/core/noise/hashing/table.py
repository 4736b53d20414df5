# SPDX-License-Identifier: GPL-3.0-or-later
"""Corners looked up in a table, for dense points."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ...numerics.work_arrays import Scratch, constant
from ..fractals.octave import Field
from .cells import Whole
from .corner_hash import Fields
from .corners import Corners, Move, Steps, times
from .sign_masks import Mask


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
        """How far a step leads."""
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
