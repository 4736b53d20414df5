# SPDX-License-Identifier: GPL-3.0-or-later
"""Hashed values or gradients at the corners of the cells of many points.

Where points lie densely, the corners of all their cells are hashed once, into a table, and looked
up (:mod:`.table`). Scattered points are hashed one by one (:mod:`.scattered`), to the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ...numerics.blocks import SAMPLES, even_parts
from ...numerics.work_arrays import Scratch
from ..fractals.octave import Field
from .cells import Whole
from .corners import CornerQuery, Corners
from .scattered import HashedCorners, RepeatedCorners
from .table import Table, TabulatedCorners

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
    """Hashed values at the corners of cells, by table or one by one, whichever is faster.

    Parameters
    ----------
    cells : (axes, n) whole coordinates, int64 if the octave is wide; overwritten
    span : returns the least and greatest cells of the whole call, if known; then one table
        serves all its blocks
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
