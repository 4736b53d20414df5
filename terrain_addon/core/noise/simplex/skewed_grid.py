# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells of the skewed lattice of simplex noise on a grid, and the gradients around them.

Skewed coordinates are sums of a part that depends on the column and one that depends on the row:
the float64 work is done once per column and per row. Parts are split into whole numbers and
fractions of -1/2 to 1/2, rounded to multiples of 2**-24, so that sums and differences of fractions
are exact in float32.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics.work_arrays import Scratch
from ..fractals.octave import Axis, Field, Octave
from ..hashing.corner_hash import CornerHash
from ..hashing.corners import MaskedMove
from ..hashing.sign_masks import Mask
from ..hashing.torus import Torus
from .vertices import SKEW_MATRIX

STEPS = 2.0**24
"""Fractions are rounded to this many steps a cell."""

Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Parts:
    """What the columns, or the rows, add to u and v: whole numbers and fractions (2, n)."""

    whole: Whole
    fraction: Field

    def cut(self, part: slice) -> Parts:
        return Parts(self.whole[:, part], self.fraction[:, part])


class SkewedAxes:
    """Columns and rows of a grid, or of a part of one, in the skewed lattice of one octave."""

    def __init__(
        self, octave: Octave, columns: Parts, rows: Parts, torus: Torus | None = None
    ) -> None:
        self.octave, self.columns, self.rows, self.torus = octave, columns, rows, torus

    def part(self, rows: slice, columns: slice) -> SkewedAxes:
        return SkewedAxes(self.octave, self.columns.cut(columns), self.rows.cut(rows), self.torus)


def skewed_axes(octave: Octave, x: Axis, y: Axis) -> SkewedAxes:
    matrix, torus = SKEW_MATRIX, None
    places = [octave.place(0, x), octave.place(1, y)]
    if octave.period is not None:
        torus = Torus(SKEW_MATRIX, octave.period)
        matrix = torus.matrix
        places = [np.remainder(p, side) for p, side in zip(places, octave.period, strict=True)]
    columns, rows = (_split(matrix[:, axis, None] * place) for axis, place in enumerate(places))
    return SkewedAxes(octave, columns, rows, torus)


def _split(parts: Axis) -> Parts:
    whole = np.floor(parts + 0.5)
    fraction = np.rint((parts - whole) * STEPS) / STEPS
    return Parts(whole.astype(np.int64), fraction.astype(np.float32))


class VertexHash:
    """Gradients of the vertices around the cells of a block of samples, times a factor.

    Where cells are not much narrower than samples all of them are hashed at once, into a table.
    """

    def __init__(
        self, axes: SkewedAxes, hashing: CornerHash, reach: tuple[int, int], factor: float
    ) -> None:
        self._axes, self._hashing, self.factor = axes, hashing, np.float32(factor)
        self.first = reach[0]
        self._low, self._counts = [0, 0], [0, 0]
        for axis, (columns, rows) in enumerate(
            zip(axes.columns.whole, axes.rows.whole, strict=True)
        ):
            # The sum of two fractions is a cell more or less.
            self._low[axis] = int(columns.min()) + int(rows.min()) - 1 + reach[0]
            high = int(columns.max()) + int(rows.max()) + 1 + reach[1]
            self._counts[axis] = high + 1 - self._low[axis]
        self.size = math.prod(self._counts)
        self.stride = self._counts[0]
        self.table: tuple[Field, ...] | None = None

    def tabulate(self, name: str, scratch: Scratch) -> None:
        """Hash them; columns and rows add up to where in the table a cell's first vertex is."""
        axes = self._axes
        lines = [
            np.arange(low, low + count) for low, count in zip(self._low, self._counts, strict=True)
        ]
        fields = self._hashing.mesh(lines, axes.octave, scratch, axes.torus)
        self.table = tuple(
            np.multiply(field.reshape(-1), self.factor, out=scratch(f"{name}{axis}", (self.size,)))
            for axis, field in enumerate(fields)
        )
        self.columns, self.rows = (
            self._numbers(part.whole, first) for part, first in ((axes.columns, 0), (axes.rows, 1))
        )

    def _numbers(self, whole: Whole, first: int) -> Field:
        """How far along the table; small whole numbers, exact in float32."""
        along_u, along_v = whole - whole.min(axis=1, keepdims=True) + first
        return (along_u + along_v * self.stride).astype(np.float32)

    def hashed(self, lines: list[Whole], scratch: Scratch) -> tuple[Field, ...]:
        """Those of vertices (u, v) one by one, without the factor."""
        octave = self._axes.octave
        keys = self._hashing.keys(lines, octave, self._axes.torus)
        return self._hashing.corner(self._hashing.prepare(octave.seed), keys, scratch)


class SkewedTile:
    """Samples of one tile of a grid in their cells; the work arrays serve all its octaves.

    Few arrays, used again and again, stay in the cache.

    Attributes
    ----------
    offsets : (2, rows, columns) u and v from the corner of the cell, at least 0 and below 1
    spare : (4, rows, columns) work arrays

    Parameters
    ----------
    fields : how many there are at a vertex
    """

    def __init__(self, shape: tuple[int, int], scratch: Scratch, fields: int) -> None:
        self._scratch = scratch
        self.offsets, self._cells = (scratch(name, (2, *shape)) for name in ("offsets", "cells"))
        self._gradients = scratch("gradients", (fields, *shape))
        self.spare = scratch("spare", (4, *shape))
        self._index = scratch("vertex", shape, np.intp)

    def locate(self, axes: SkewedAxes, vertices: VertexHash, rows: slice, columns: slice) -> None:
        """Find the cells of those rows and columns of the block that the vertices are around."""
        self._axes, self._vertices = axes.part(rows, columns), vertices
        offsets, cells = self.offsets, self._cells
        along_rows = self._axes.rows.fraction[:, :, None]
        np.add(along_rows, self._axes.columns.fraction[:, None], out=offsets)
        np.floor(offsets, out=cells)  # -1, 0 or 1
        offsets -= cells
        if vertices.table is not None:
            self._flat, self._spare = cells
            self._spare *= np.float32(vertices.stride)
            self._flat += self._spare
            self._flat += vertices.columns[columns]
            self._flat += vertices.rows[rows, None]
            np.copyto(self._index, self._flat, casting="unsafe")

    def at(self, step: tuple[int, int], *moves: MaskedMove) -> Field:
        """Fields (k, rows, columns) at the vertex that many steps from the cell.

        Valid until the next call. Ask for those without moves before all others.
        """
        vertices = self._vertices
        if vertices.table is None:
            return self._hashed(*step, moves)
        if moves:
            self._move(vertices, moves)
        return self._looked_up(vertices.table, *step)

    def advance(self, where: Mask, along: tuple[int, int]) -> None:
        """Move some samples' cells on by those steps; only moves may follow."""
        part = self._gradients[0]
        if self._vertices.table is not None:
            self._flat += _where(where, along[0] + along[1] * self._vertices.stride, part)
            return
        for cell, step in zip(self._cells, along, strict=True):
            cell += _where(where, step, part)

    def _move(self, vertices: VertexHash, moves: tuple[MaskedMove, ...]) -> None:
        """Move the indices on by steps of each sample's own."""
        flat, moved = self._flat, self._spare
        for where, (along_u, along_v) in moves:
            part = _where(where, along_u + along_v * vertices.stride, self._gradients[0])
            flat = np.add(flat, part, out=moved)
        np.copyto(self._index, flat, casting="unsafe")

    def _looked_up(self, table: tuple[Field, ...], right: int, up: int) -> NDArray[np.float32]:
        # Looking up in a later part of the table spares adding to every index.
        vertices = self._vertices
        start = (right - vertices.first) + (up - vertices.first) * vertices.stride
        for column, out in zip(table, self._gradients, strict=True):
            # Indices are in range; mode="wrap" spares a buffered copy of out.
            column[start:].take(self._index, out=out, mode="wrap")
        return self._gradients

    def _hashed(self, right: int, up: int, moves: tuple[MaskedMove, ...]) -> NDArray[np.float32]:
        lines: list[Whole] = []
        for axis, step in enumerate((right, up)):
            rows = self._axes.rows.whole[axis, :, None] + step
            line = self._axes.columns.whole[axis] + rows
            line += self._cells[axis].astype(np.int64)
            for where, along in moves:
                line += where & np.int32(along[axis])
            lines.append(line)
        for field, out in zip(
            self._vertices.hashed(lines, self._scratch), self._gradients, strict=True
        ):
            np.multiply(field, self._vertices.factor, out=out)
        return self._gradients


def _where(mask: Mask, number: int, out: Field) -> Field:
    """A number there, and 0 elsewhere."""
    np.bitwise_and(mask, np.float32(number).view(np.int32), out=out.view(np.int32))
    return out
