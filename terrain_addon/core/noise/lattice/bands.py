# SPDX-License-Identifier: GPL-3.0-or-later
"""Bands of grid rows as weighted sums of lattice rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numerics.work_arrays import Scratch
from ..fractals.octave import Field
from ..hashing.lattice_lines import Lines

BAND = 16
"""Largest number of rows of one product: many grid rows share few lattice rows."""
POLLED = 8
"""Bands between two polls."""

Numbers = NDArray[np.intp]
# Not np.matmul: its sums depend on BLAS, its speed on the BLAS at hand.
_product: Any = np.einsum


class Bands:
    """Some rows of a grid, and the rows of all octaves that they are weighted sums of.

    For each octave these are the P rows and, for gradient noise, the Q rows. All octaves are
    planned at once, as threads wait for each other between short calls.

    The weights of value noise add up to the scale of its octave, so an octave is its first P row
    times the scale plus weighted differences of the other P rows from it. A band lies within one
    lattice row of every coarse octave. All bands between the same lattice rows share the sum of
    the first rows of the coarse octaves, which saves one row per octave in each product.

    Parameters
    ----------
    lines : sequence of Lines
        Lattice lines along y, of each octave.
    weights : ndarray of float32, shape (P and Q, octaves, taps, grid rows)
        Weights of P and Q rows.
    scales : ndarray of float32, shape (coarse octaves,)
        The sums of their weights; the coarse octaves come first.
    rows : slice
        Some grid rows.

    Attributes
    ----------
    lines : sequence of Lines
        The lattice rows that each octave needs.
    pieces : list of slice
        Place of each octave's P and Q rows among those of all octaves.
    """

    def __init__(self, lines: Sequence[Lines], weights: Field, scales: Field, rows: slice) -> None:
        fields, _, taps, _ = weights.shape
        start = np.stack([line.start[rows] for line in lines])
        coarse = scales.size
        edges, self._runs = _edges(start[:coarse], start.shape[1])
        self._parts = [slice(*ends) for ends in pairwise(edges.tolist())]
        # First lattice row and number of lattice rows of each octave in each band
        first: Numbers = np.minimum.reduceat(start, edges[:-1], axis=1)
        count: Numbers = np.maximum.reduceat(start, edges[:-1], axis=1) + taps - first
        low: Numbers = first.min(axis=1, keepdims=True)
        height: Numbers = (first + count).max(axis=1, keepdims=True) - low
        ends = np.cumsum(height * fields)
        begins = ends - height[:, 0] * fields
        self.lines = [
            line.needed[int(at) : int(at + size)]
            for line, at, size in zip(lines, low[:, 0], height[:, 0], strict=True)
        ]
        self.pieces = [slice(int(at), int(end)) for at, end in zip(begins, ends, strict=True)]
        p_rows = begins[:, None] + first - low

        # Shared by all bands of a run: the sum of the first rows, and the differences from them
        self._scales = scales
        firsts: Numbers = p_rows[:coarse, self._runs[:-1]].T
        self._shared: Numbers = firsts[:, None] + np.arange(taps)[:, None]
        shared = 1 + coarse * (taps - 1) if coarse else 0

        # Columns of a band's matrix: the shared ones, then for each other octave its P and Q rows
        first, count, height, p_rows = (of[coarse:] for of in (first, count, height, p_rows))
        self._columns = np.pad(np.cumsum(count * fields, axis=0), ((1, 0), (0, 0))) + shared
        row = np.arange(start.shape[1], dtype=np.intp)
        band = np.repeat(np.arange(len(self._parts)), np.diff(edges))
        self._weights = np.zeros((row.size, int(self._columns[-1].max())), np.float32)
        if shared:
            self._weights[:, 0] = 1
            differences = weights[0, :coarse, 1:, rows]
            self._weights[:, 1:shared] = differences.T.reshape(row.size, -1)
        flat = self._weights.reshape(-1)
        place = row * self._weights.shape[1]
        place = place + self._columns[:-1, band] + start[coarse:] - first[:, band]
        for part in weights[:, coarse:, :, rows]:
            for tap in range(taps):
                flat[place + tap] = part[:, tap]
            place += count[:, band]
        # The rows of those columns, band by band
        both = np.stack([p_rows + height * number for number in range(fields)])
        self._rows = _ranges(both.T.reshape(-1), np.repeat(count.T, fields))
        own = self._columns[-1] - shared
        self._starts = np.cumsum(own) - own

    def __iter__(self) -> Iterator[tuple[int, slice]]:
        """Yield the numbers of bands, and their rows."""
        return enumerate(self._parts)

    def write(self, rows: Field, out: Field, scratch: Scratch, poll: Callable[[], None]) -> None:
        """Write the sum of all octaves.

        Parameters
        ----------
        rows : ndarray of float32
            P and Q rows of all octaves.
        """
        stacked = scratch("stacked", (self._weights.shape[1], rows.shape[1]))
        shared = int(self._columns[0, 0])
        for run, bands in enumerate(pairwise(self._runs.tolist())):
            if shared:
                self._share(run, rows, stacked[:shared], scratch)
            for number in range(*bands):
                if not number % POLLED:
                    poll()
                columns = slice(shared, int(self._columns[-1, number]))
                self._stack(number, columns, rows, stacked[columns])
                part, stop = self._parts[number], columns.stop
                _product("hk,kw->hw", self._weights[part, :stop], stacked[:stop], out=out[part])

    def write_octave(
        self, number: int, octave: int, rows: Field, out: Field, scratch: Scratch
    ) -> None:
        """Write one band of one octave from the P and Q rows of all; no octave may be coarse."""
        columns = slice(*self._columns[octave : octave + 2, number].tolist())
        stacked = scratch("stacked", (columns.stop - columns.start, rows.shape[1]))
        self._stack(number, columns, rows, stacked)
        _product("hk,kw->hw", self._weights[self._parts[number], columns], stacked, out=out)

    def _stack(self, number: int, columns: slice, rows: Field, out: Field) -> None:
        """Write the rows for some columns of a band's matrix, after the shared ones."""
        start = self._starts[number] + columns.start - int(self._columns[0, 0])
        places = self._rows[start : start + columns.stop - columns.start]
        # Places are in range by construction; mode="wrap" spares a buffered copy of out.
        rows.take(places, axis=0, out=out, mode="wrap")

    def _share(self, run: int, rows: Field, out: Field, scratch: Scratch) -> None:
        """Write the rows that the bands of a run share."""
        places = self._shared[run]
        taken = scratch("taken", (*places.shape, rows.shape[1]))
        rows.take(places, axis=0, out=taken, mode="wrap")
        _product("k,kw->w", self._scales, taken[0], out=out[0])
        np.subtract(taken[1:], taken[0], out=out[1:].reshape(taken[1:].shape))


def _edges(coarse: Numbers, rows: int) -> tuple[Numbers, Numbers]:
    """Return the edges of bands, as rows, and of runs of bands between the same coarse lattice
    rows."""
    changes = np.flatnonzero((np.diff(coarse, axis=1) != 0).any(axis=0)) + 1
    starts = np.append(0, changes)
    lengths = np.diff(starts, append=rows)
    bands = -(-lengths // BAND)
    numbers = _ranges(np.zeros_like(bands), bands)
    # Bands of a run have about the same height.
    run = np.repeat(np.arange(starts.size), bands)
    edges = starts[run] + numbers * lengths[run] // bands[run]
    return np.append(edges, rows), np.append(0, np.cumsum(bands))


def _ranges(starts: Numbers, counts: Numbers) -> Numbers:
    """Return the ranges of that many integers from each start, concatenated."""
    ends = np.cumsum(counts)
    return np.arange(ends[-1], dtype=np.intp) + np.repeat(starts - ends + counts, counts)
