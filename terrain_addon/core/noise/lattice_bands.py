# SPDX-License-Identifier: GPL-3.0-or-later
"""Bands of grid rows, and how they blend rows of lattices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .lines import Lines
from .octave import Field
from .scratch import Scratch

BAND = 16
"""Rows of one product: enough that few lattice rows are shared by many grid rows."""

Numbers = NDArray[np.intp]


class Bands:
    """Some rows of a grid, and what they blend: rows made of those of the lattices of all octaves.

    Octave by octave, these are the P rows and, for gradient noise, the Q rows. All octaves are
    worked out at once, as threads wait for each other between short calls.

    Parameters
    ----------
    lines : along y, of each octave
    weights : (P and Q, octaves, taps, grid rows) what grid rows multiply P and Q rows by
    rows : some grid rows

    Attributes
    ----------
    lines : the lattice rows that each octave needs
    pieces : where what is made of them lies
    """

    def __init__(self, lines: Sequence[Lines], weights: Field, rows: slice) -> None:
        fields, _, taps, _ = weights.shape
        start = np.stack([line.start[rows] for line in lines])
        row = np.arange(start.shape[1], dtype=np.intp)
        band, edges = row // BAND, row[::BAND]
        # Of each octave in each band: its first lattice row, and how many there are
        first: Numbers = np.minimum.reduceat(start, edges, axis=1)
        count: Numbers = np.maximum.reduceat(start, edges, axis=1) + taps - first
        low: Numbers = first.min(axis=1, keepdims=True)
        height: Numbers = (first + count).max(axis=1, keepdims=True) - low
        ends = np.cumsum(height * fields)
        begins = ends - height[:, 0] * fields
        self.lines = [
            line.needed[int(at) : int(at + size)]
            for line, at, size in zip(lines, low[:, 0], height[:, 0], strict=True)
        ]
        self.pieces = [slice(int(at), int(end)) for at, end in zip(begins, ends, strict=True)]
        # The columns of a band's matrix: per octave its lattice rows' P, then their Q
        self._columns = np.pad(np.cumsum(count * fields, axis=0), ((1, 0), (0, 0)))
        self._weights = np.zeros((row.size, int(self._columns[-1].max())), np.float32)
        flat = self._weights.reshape(-1)
        place = row * self._weights.shape[1]
        place = place + self._columns[:-1, band] + start - first[:, band]
        for part in weights[..., rows]:
            for tap in range(taps):
                flat[place + tap] = part[:, tap]
            place += count[:, band]
        # What belongs there, band by band
        p_rows = begins[:, None] + first - low
        both = np.stack([p_rows + height * number for number in range(fields)])
        self._rows = _runs(both.T.reshape(-1), np.repeat(count.T, fields))
        self._starts = np.cumsum(self._columns[-1]) - self._columns[-1]

    def write(
        self, number: int, rows: Field, out: Field, scratch: Scratch, octave: int | None = None
    ) -> None:
        """Write one band, of all octaves or of one.

        Parameters
        ----------
        rows : what lies at ``pieces``
        """
        columns = self._columns[:, number]
        start, stop = (0, columns[-1]) if octave is None else columns[octave : octave + 2]
        places = self._rows[self._starts[number] :][start:stop]
        stacked = scratch("stacked", (places.size, rows.shape[1]))
        # Places are in range by construction; mode="wrap" spares a buffered copy of out.
        rows.take(places, axis=0, out=stacked, mode="wrap")
        weights = self._weights[number * BAND : (number + 1) * BAND, start:stop]
        # Not np.matmul: its sums depend on BLAS, its speed on the BLAS at hand.
        np.einsum("hk,kw->hw", weights, stacked, out=out)  # pyright: ignore[reportUnknownMemberType]


def _runs(starts: Numbers, counts: Numbers) -> Numbers:
    """From each start so many numbers upwards, one run after the other."""
    ends = np.cumsum(counts)
    return np.arange(ends[-1], dtype=np.intp) + np.repeat(starts - ends + counts, counts)
