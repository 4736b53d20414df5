# SPDX-License-Identifier: GPL-3.0-or-later
"""Hashed values or gradients at the corners of the cells of many points.

Where points lie densely, the corners of all their cells are hashed once, into a table, and looked
up (:mod:`.tabulated`). Scattered points are hashed one by one (:mod:`.hashed`), to the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from .around import Corners, Join
from .blocks import SAMPLES, even_parts
from .cells import Whole
from .corners import CornerHash
from .hashed import HashedCorners, RepeatedCorners
from .octave import Field, Octave
from .scratch import Scratch
from .tabulated import Table, TabulatedCorners
from .torus import Torus

Span = Sequence[tuple[float, float]]
"""Least and greatest cell along each axis."""

LARGEST_TABLE = 2**19
"""Lattice points that may be hashed into a table at once."""


def lookup(
    hashing: CornerHash,
    octave: Octave,
    cells: Whole,
    first: int,
    taps: int,
    scratch: Scratch,
    torus: Torus | None = None,
    name: str = "",
    span: Callable[[], Span | None] = lambda: None,
    joined: Join | None = None,
) -> Corners:
    """What lies at the corners of cells, by the way that is the faster one there.

    Parameters
    ----------
    cells : (axes, n) whole coordinates, int64 if the octave is wide; overwritten
    first, taps : steps to a corner along each axis go from ``first`` to ``first + taps - 1``
    name : distinguishes the work arrays of several in use at once
    span : says between which cells all points of the call lie, if that is known; then one table
        serves all its blocks
    joined : of a hash with one field: makes other fields of all that lie along the first axis,
        which are given and written as (taps, n); in a table that is done once. Those of a row are
        then asked for by its first corner.
    """
    tables = _Tables(hashing, octave, first, taps, scratch, torus, name, joined)
    table = tables.find(cells, span)
    if table is not None:
        return TabulatedCorners(table, cells, octave.wide, scratch, name)
    row = range(first, first + taps)
    if torus is not None or octave.period is not None:
        return RepeatedCorners(hashing, octave, cells, row, scratch, torus, joined)
    return HashedCorners(hashing, octave, cells, row, scratch, name, joined)


class _Tables:
    """Tables of a call, where they pay."""

    def __init__(
        self,
        hashing: CornerHash,
        octave: Octave,
        first: int,
        taps: int,
        scratch: Scratch,
        torus: Torus | None,
        name: str,
        joined: Join | None,
    ) -> None:
        self._hashing, self._octave, self._torus, self._joined = hashing, octave, torus, joined
        self._first, self._taps, self._scratch, self._name = first, taps, scratch, name

    def find(self, cells: Whole, span: Callable[[], Span | None]) -> Table | None:
        """A table of all points of the call, else of this block, else none."""
        kept = self._scratch.kept
        key = (self._name, self._octave, self._hashing.write, self._joined)
        found: Table | bool | None = kept.get(key, False)
        if found is False:  # not looked for yet
            whole = None if self._octave.wide else span()
            # One table of up to a corner for each point takes less than one for every block.
            pays = whole is not None and self._pays(whole, self._octave.points)
            found = self._make(whole, f"table{len(kept)}") if whole and pays else None
            kept[key] = found
        if isinstance(found, Table):
            return found
        # Points that lie too far apart in one block will do so in the next ones.
        if (key, "scattered") in kept:
            return None
        here = [(float(np.minimum.reduce(c)), float(np.maximum.reduce(c))) for c in cells]
        # Every lattice point is hashed once, against once per corner of each point.
        if self._pays(here, self._taps ** len(cells) / 4 * cells.shape[1]):
            return self._make(here, f"{self._name}table")
        kept[key, "scattered"] = True
        return None

    def _pays(self, span: Span, most: float) -> bool:
        return self._size(span) <= min(most, LARGEST_TABLE)

    def _size(self, span: Span) -> float:
        return math.prod(high - low + self._taps for low, high in span)

    def _make(self, span: Span, name: str) -> Table:
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
            for column, field in zip(table, fields, strict=True):
                np.copyto(column[part], field)
        assert table is not None
        table = table.reshape(len(table), -1)
        if self._joined is not None:
            count = table.size - self._taps + 1
            row = [table[0, step : step + count] for step in range(self._taps)]
            table = self._scratch(f"{name}joined", (self._taps, count))
            self._joined(row, table)
        lows = [low for low, _ in span]
        return Table(lows, sizes, self._first, table)
