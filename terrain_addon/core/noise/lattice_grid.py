# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noise on a regular grid, where it is separable.

With blend weights w, offsets d and gradients (gx, gy), one octave is::

    sum over b of  wy_b P_b + (wy_b dy_b) Q_b
    P_b = sum over a of  wx_a dx_a gx_ab,    Q_b = sum over a of  wx_a gy_ab

P and Q depend on the column and the lattice row only. So the sums over a are made for the few
lattice rows, and every row of the grid is then a short weighted sum of such rows. A band of grid
rows is one product of a small matrix of weights with the lattice rows of all its octaves. Value
noise has P alone. A plane z = const of 3D noise is a 2D lattice of blended coefficients, with
one more coefficient C that joins P as ``wx_a C_ab``.

Every pixel adds the same terms in the same order, whatever the band, the tile or the thread:
the weights of foreign lattice rows are exact zeros.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .blend import Blend
from .fractal import FractalSum
from .lattice import Lattice
from .lines import Lines
from .octave import Axis, Field, Octave
from .registry import GridPlan
from .scratch import Scratch

BAND = 16
"""Rows of one product: enough that few lattice rows are shared by many grid rows."""
CHUNK = 512
"""Rows that share their lattice rows; the hashes are made once per chunk."""
TILE = 4096
"""Columns worked on at once, so that the rows of a chunk stay in the cache."""
BUDGET = 24 << 20
"""Bytes that a chunk may take, beyond which it gets fewer rows: cells narrower than pixels."""


@dataclass(frozen=True)
class _Blended:
    """One axis of one octave.

    Sample i blends its lattice lines with ``values[:, i]`` and, for gradient noise,
    ``slopes[:, i]`` (weight times offset).
    """

    lines: Lines
    values: Field
    slopes: Field


def _blended(blend: Blend, coord: Axis, amplitude: float) -> _Blended:
    cell = np.floor(coord)
    offset = coord - cell
    weights = np.empty((blend.taps, coord.size))
    blend.weights(offset, weights)
    weights *= amplitude
    taps = np.arange(blend.taps)[:, None] + blend.first
    lines = Lines.around(cell.astype(np.int64) + blend.first, blend.taps)
    slopes = weights * (offset - taps)
    return _Blended(lines, weights.astype(np.float32), slopes.astype(np.float32))


class _OctaveGrid:
    """One octave of one grid."""

    def __init__(
        self, lattice: Lattice, octave: Octave, x: Axis, y: Axis, z: float | None, scale: float
    ) -> None:
        self.lattice, self.octave = lattice, octave
        self.x = _blended(lattice.blend, octave.place(0, x), 1.0)
        self.y = _blended(lattice.blend, octave.place(1, y), scale)
        self.fields = 2 if lattice.gradient else 1
        self.z: _Blended | None = None
        if z is not None:
            self.z = _blended(lattice.blend, octave.place(2, np.array([z])), 1.0)

    def weights(self, rows: slice, start: NDArray[np.intp], band: int) -> _Bands:
        """Matrices that blend the lattice rows of a chunk into its grid rows, band by band."""
        count, taps, fields = start.size, self.lattice.blend.taps, self.fields
        bands = -(-count // band)
        of_row = np.arange(count) // band
        edges = np.arange(0, count, band)
        first = np.minimum.reduceat(start, edges)
        last = np.maximum.reduceat(start, edges) + taps
        size = (last - first) * fields
        matrix = np.zeros((bands * band, int(size.max())), np.float32)
        column = (start - first[of_row]) * fields
        row = np.arange(count)
        for tap in range(taps):
            matrix[row, column + tap * fields] = self.y.values[tap, rows]
            if fields == 2:
                matrix[row, column + tap * fields + 1] = self.y.slopes[tap, rows]
        return _Bands(matrix.reshape(bands, band, -1), first * fields, size)

    def rows(self, lines: NDArray[np.int64], columns: slice, name: str, scratch: Scratch) -> Field:
        """P and Q rows (lattice rows * fields, columns) of those lattice rows."""
        needed, start = self.x.lines.part(columns)
        fields = self._coefficients(needed, lines, scratch)
        width = start.size
        rows = scratch(name, (lines.size, self.fields, width))
        work = scratch("gathered", (lines.size, width))
        values = self.x.values[:, columns]
        slopes = self.x.slopes[:, columns]
        if self.fields == 1:
            _blend(fields[0], start, values, rows[:, 0], work)
        else:
            _blend(fields[0], start, slopes, rows[:, 0], work)
            _blend(fields[1], start, values, rows[:, 1], work)
            if len(fields) == 3:
                _blend(fields[2], start, values, rows[:, 0], work, add=True)
        return rows.reshape(-1, width)

    def _coefficients(
        self, columns: NDArray[np.int64], rows: NDArray[np.int64], scratch: Scratch
    ) -> tuple[Field, ...]:
        """Lattice fields (rows, columns); of a plane of 3D noise, blended along z."""
        hashing = self.lattice.hashing
        if self.z is None:
            return hashing.mesh([columns, rows], self.octave, scratch)
        fields = hashing.mesh([columns, rows, self.z.lines.needed], self.octave, scratch)
        values, slopes = self.z.values[:, :, None], self.z.slopes[:, :, None]
        blended = [(field * values).sum(axis=0) for field in fields[:2]]
        if self.lattice.gradient:
            blended.append((fields[2] * slopes).sum(axis=0))
        return tuple(blended[: 3 if self.lattice.gradient else 1])


@dataclass(frozen=True)
class _Bands:
    """Per band of rows: weights (band, size), and the lattice rows first to first + size."""

    matrix: Field
    first: NDArray[np.intp]
    size: NDArray[np.intp]


def _blend(
    table: Field,
    start: NDArray[np.intp],
    weights: Field,
    out: NDArray[Any],
    work: Field,
    add: bool = False,
) -> None:
    """out (rows, n) = sum over taps of table[:, start + tap] * weights[tap]."""
    for tap, weight in enumerate(weights):
        # Indices are in range by construction; mode="wrap" spares a buffered copy of out.
        table.take(start + tap, axis=1, out=work, mode="wrap")
        if tap or add:
            np.multiply(work, weight, out=work)
            np.add(out, work, out=out)
        else:
            np.multiply(work, weight, out=out)


class LatticeGrid(GridPlan):
    """All octaves of lattice noise on one grid."""

    def __init__(
        self, lattice: Lattice, x: Axis, y: Axis, z: float | None, total: FractalSum
    ) -> None:
        self.total, self.columns = total, x.size
        if x.size < 8:  # einsum sums in another order along a single column
            x = np.concatenate([x, np.repeat(x[-1:], 8 - x.size)])
        self.width = x.size
        if z is None and lattice.plane_of_3d:
            z = 0.0
        scale = lattice.scale[2 if z is None else 3]
        self.octaves = [
            _OctaveGrid(
                lattice, octave, x, y, z, scale * (total.amplitude(k) if total.plain else 1.0)
            )
            for k, octave in enumerate(total.octaves)
        ]
        self.rows = self._chunk(y.size)

    def _chunk(self, rows: int) -> int:
        """Rows per chunk: fewer where narrow cells make many lattice points."""
        tile = min(TILE, self.width)
        shares = [o.y.lines.needed.size / rows for o in self.octaves]
        hashing = max(
            share * (24 * o.x.lines.needed.size / self.width + 4) * tile
            for share, o in zip(shares, self.octaves, strict=True)
        )
        blended = sum(shares) * self.octaves[0].fields * 4 * tile
        return min(CHUNK, max(BAND, int(BUDGET / (hashing + blended)) // BAND * BAND))

    def fill(self, start: int, stop: int, out: Field, scratch: Scratch) -> None:
        rows = slice(start, stop)
        parts = [octave.y.lines.part(rows) for octave in self.octaves]
        bands = [
            octave.weights(rows, first, BAND)
            for octave, (_, first) in zip(self.octaves, parts, strict=True)
        ]
        for left in range(0, self.width, TILE):
            columns = slice(left, min(left + TILE, self.width))
            blended = [
                octave.rows(lines, columns, f"rows{number}", scratch)
                for number, (octave, (lines, _)) in enumerate(zip(self.octaves, parts, strict=True))
            ]
            if self.columns == self.width:
                self._products(bands, blended, out[:, columns], scratch)
            else:
                padded = np.empty((stop - start, self.width), np.float32)
                self._products(bands, blended, padded, scratch)
                np.copyto(out, padded[:, : self.columns])

    def _products(
        self, bands: list[_Bands], blended: list[Field], out: Field, scratch: Scratch
    ) -> None:
        add = _add_merged if self.total.plain else _add_octaves
        for number, row in enumerate(range(0, len(out), BAND)):
            target = out[row : row + BAND]
            pieces = [
                (
                    part.matrix[number, : len(target), : part.size[number]],
                    rows[part.first[number] : part.first[number] + part.size[number]],
                )
                for part, rows in zip(bands, blended, strict=True)
            ]
            add(self.total, pieces, target, scratch)


def _add_merged(
    total: FractalSum, pieces: list[tuple[Field, Field]], out: Field, scratch: Scratch
) -> None:
    """All octaves in one product: fewer and longer calls."""
    stacked = scratch("stacked", (sum(len(rows) for _, rows in pieces), out.shape[1]))
    row = 0
    for _, rows in pieces:
        stacked[row : row + len(rows)] = rows
        row += len(rows)
    weights = np.concatenate([matrix for matrix, _ in pieces], axis=1)
    _product(weights, stacked, out)


def _add_octaves(
    total: FractalSum, pieces: list[tuple[Field, Field]], out: Field, scratch: Scratch
) -> None:
    """One product per octave, added up as the fractal says."""
    noise = scratch("noise", out.shape)
    amplitude = scratch("amplitude", out.shape)
    for number, (weights, rows) in enumerate(pieces):
        _product(weights, rows, noise)
        total.add(number, noise, out, amplitude, scratch)


def _product(weights: Field, rows: Field, out: Field) -> None:
    """Matrix product. Not np.matmul: its sums depend on BLAS, its speed on the BLAS at hand."""
    np.einsum("hk,kw->hw", weights, rows, out=out)  # pyright: ignore[reportUnknownMemberType]
