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

import math
from collections.abc import Callable
from dataclasses import dataclass

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
CHUNK = 1024
"""About how many rows share their lattice rows; the hashes are made once per chunk."""
TILE = 4096
LEAST_TILE = 256
"""Columns worked on at once, at most and at least."""
STACK = 2 << 20
"""Bytes that the lattice rows of a band may take, so that they stay in the cache."""
STRIP = 32
"""Lattice rows made at once, so that their arrays stay in the cache."""
BUDGET = 16 << 20
"""Bytes that the lattice rows of a chunk may take."""


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

    def rows(self, lines: NDArray[np.int64], columns: slice, out: Field, scratch: Scratch) -> None:
        """Write P and Q rows (lattice rows * fields, columns) of those lattice rows."""
        needed, start = self.x.lines.part(columns)
        indices = [start + tap for tap in range(self.lattice.blend.taps)]
        rows = out.reshape(lines.size, self.fields, start.size)
        height = min(lines.size, STRIP)
        values, slopes = self._spread(columns, height if height < lines.size else 0, scratch)
        gathered, blended = (scratch(n, (height, start.size)) for n in ("gathered", "blended"))
        for top in range(0, lines.size, height):
            strip = slice(top, top + height)
            fields = self._coefficients(needed, lines[strip], scratch)
            along_x = (
                [[(fields[0], slopes)], [(fields[1], values)]]
                if self.fields == 2
                else [[(fields[0], values)]]
            )
            along_x[0] += [(field, values) for field in fields[2:]]
            for number, terms in enumerate(along_x):
                target = rows[strip, number]
                # Not blended in place: NumPy is slow to compute into rows that lie apart.
                _blend(terms, indices, blended[: len(target)], gathered[: len(target)])
                np.copyto(target, blended[: len(target)])

    def _spread(self, columns: slice, height: int, scratch: Scratch) -> list[NDArray[np.float32]]:
        """Weights along x (taps, height, columns).

        To multiply by rows of their own is faster than to broadcast, if it is done often.
        """
        given = [weights[:, None, columns] for weights in (self.x.values, self.x.slopes)]
        if not height:
            return given
        spread: list[NDArray[np.float32]] = []
        for name, weights in zip(("values", "slopes"), given, strict=True):
            array = scratch(name, (len(weights), height, weights.shape[2]))
            np.copyto(array, weights)
            spread.append(array)
        return spread

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


class _MergedBands:
    """Weights of all octaves side by side, and which lattice rows of which octave they are for."""

    def __init__(self, bands: list[_Bands], starts: list[int]) -> None:
        self.matrix = np.concatenate([part.matrix for part in bands], axis=2)
        used: list[NDArray[np.bool_]] = []
        index: list[NDArray[np.intp]] = []
        for part, start in zip(bands, starts, strict=True):
            step = np.arange(part.matrix.shape[2], dtype=np.intp)
            used.append(step < part.size[:, None])
            index.append(start + part.first[:, None] + step)
        self.used, self.index = np.concatenate(used, axis=1), np.concatenate(index, axis=1)

    def product(self, number: int, rows: Field, out: Field, scratch: Scratch) -> None:
        """One band of all octaves in one product: fewer and longer calls."""
        used = np.flatnonzero(self.used[number])
        stacked = scratch("stacked", (used.size, rows.shape[1]))
        # Indices are in range by construction; mode="wrap" spares a buffered copy of out.
        rows.take(self.index[number].take(used), axis=0, out=stacked, mode="wrap")
        _product(self.matrix[number, : len(out)].take(used, axis=1), stacked, out)


def _blend(
    terms: list[tuple[Field, NDArray[np.float32]]],
    indices: list[NDArray[np.intp]],
    out: Field,
    work: Field,
) -> None:
    """out (rows, n) = sum over terms and taps of table[:, indices[tap]] * weights[tap]."""
    empty = True
    for table, weights in terms:
        for index, weight in zip(indices, weights[:, : len(out)], strict=True):
            # Indices are in range by construction; mode="wrap" spares a buffered copy of out.
            table.take(index, axis=1, out=out if empty else work, mode="wrap")
            if empty:
                out *= weight
                empty = False
            else:
                work *= weight
                out += work


class LatticeGrid(GridPlan):
    """All octaves of lattice noise on one grid."""

    parallel = True

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
        self.rows, self.tile = self._sizes(y.size)

    def _sizes(self, rows: int) -> tuple[int, int]:
        """Rows of a chunk and columns of a tile: fewer where narrow cells need many lines."""
        fields, taps = self.octaves[0].fields, self.octaves[0].lattice.blend.taps
        lines = sum(octave.y.lines.needed.size for octave in self.octaves) / rows * fields
        stacked = BAND * lines + len(self.octaves) * taps * fields
        tile = min(TILE, max(LEAST_TILE, int(STACK / (4 * stacked))))
        most = BUDGET / (4 * lines * min(tile, self.width))
        chunks = max(1, round(rows / CHUNK), math.ceil(rows / most))
        return math.ceil(rows / chunks / BAND) * BAND, tile

    def fill(
        self, start: int, stop: int, out: Field, scratch: Scratch, poll: Callable[[], None]
    ) -> None:
        samples = slice(start, stop)
        parts = [octave.y.lines.part(samples) for octave in self.octaves]
        bands = [
            octave.weights(samples, first, BAND)
            for octave, (_, first) in zip(self.octaves, parts, strict=True)
        ]
        ends = np.cumsum([lines.size for lines, _ in parts]) * self.octaves[0].fields
        pieces = [slice(int(a), int(b)) for a, b in zip([0, *ends], ends, strict=False)]
        merged = None
        if self.total.plain:
            merged = _MergedBands(bands, [piece.start for piece in pieces])
        for left in range(0, self.width, self.tile):
            poll()
            columns = slice(left, min(left + self.tile, self.width))
            rows = scratch("rows", (int(ends[-1]), columns.stop - left))
            for octave, (lines, _), piece in zip(self.octaves, parts, pieces, strict=True):
                octave.rows(lines, columns, rows[piece], scratch)
            target = out[:, columns]
            if self.columns < self.width:
                target = np.empty((stop - start, self.width), np.float32)
            for number, row in enumerate(range(0, len(out), BAND)):
                band = target[row : row + BAND]
                if merged is not None:
                    merged.product(number, rows, band, scratch)
                else:
                    self._octaves(bands, number, [rows[p] for p in pieces], band, scratch)
            if self.columns < self.width:
                np.copyto(out, target[:, : self.columns])

    def _octaves(
        self, bands: list[_Bands], number: int, rows: list[Field], out: Field, scratch: Scratch
    ) -> None:
        """One product per octave for one band, added up as the fractal says."""
        noise, amplitude, summed = (
            scratch(name, out.shape) for name in ("noise", "amplitude", "summed")
        )
        for octave, (part, lattice_rows) in enumerate(zip(bands, rows, strict=True)):
            size, first = part.size[number], part.first[number]
            weights = part.matrix[number, : len(out), :size]
            _product(weights, lattice_rows[first : first + size], noise)
            self.total.add(octave, noise, summed, amplitude, scratch)
        np.copyto(out, summed)


def _product(weights: Field, rows: Field, out: Field) -> None:
    """Matrix product. Not np.matmul: its sums depend on BLAS, its speed on the BLAS at hand."""
    np.einsum("hk,kw->hw", weights, rows, out=out)  # pyright: ignore[reportUnknownMemberType]
