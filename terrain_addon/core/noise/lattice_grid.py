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
    ``slopes[:, i]`` (weight times offset), which else are the same.
    """

    lines: Lines
    values: Field
    slopes: Field


def _blended(lattice: Lattice, coord: Axis, amplitude: float) -> _Blended:
    blend, cell = lattice.blend, np.floor(coord)
    offset = coord - cell
    weights = np.empty((blend.taps, coord.size))
    blend.weights(offset, weights)
    weights *= amplitude
    lines = Lines.around(cell.astype(np.int64) + blend.first, blend.taps)
    values = slopes = weights.astype(np.float32)
    if lattice.gradient:
        taps = np.arange(blend.taps)[:, None] + blend.first
        slopes = (weights * (offset - taps)).astype(np.float32)
    return _Blended(lines, values, slopes)


class _OctaveGrid:
    """One octave of one grid."""

    def __init__(
        self, lattice: Lattice, octave: Octave, x: Axis, y: Axis, z: float | None, scale: float
    ) -> None:
        self.lattice, self.octave = lattice, octave
        self.x = _blended(lattice, octave.place(0, x), 1.0)
        self.y = _blended(lattice, octave.place(1, y), scale)
        self.fields = 2 if lattice.gradient else 1
        self.z: _Blended | None = None
        if z is not None:
            self.z = _blended(lattice, octave.place(2, np.array([z])), 1.0)

    def bands(self, rows: slice, size: int) -> _Bands:
        """How grid rows blend their lattice rows, for bands of that many."""
        lines, start = self.y.lines.part(rows)
        taps = self.lattice.blend.taps
        of_row = np.arange(start.size) // size
        edges = np.arange(0, start.size, size)
        first = np.minimum.reduceat(start, edges)
        count = np.maximum.reduceat(start, edges) + taps - first
        most = int(count.max())
        weights = np.zeros((edges.size * size, self.fields, most), np.float32)
        row, column = np.arange(start.size), start - first[of_row]
        for tap in range(taps):
            weights[row, 0, column + tap] = self.y.values[tap, rows]
            if self.fields == 2:
                weights[row, 1, column + tap] = self.y.slopes[tap, rows]
        step = np.arange(most, dtype=np.intp)
        used = np.broadcast_to((step < count[:, None])[:, None], (edges.size, self.fields, most))
        place = first[:, None, None] + step + np.arange(self.fields)[:, None] * lines.size
        shape = (edges.size, -1)
        return _Bands(
            lines,
            weights.reshape(edges.size, size, -1),
            place.reshape(shape),
            used.reshape(shape),
        )

    def rows(self, lines: NDArray[np.int64], columns: slice, out: Field, scratch: Scratch) -> None:
        """Write P rows and, for gradient noise, Q rows of those lattice rows (rows, columns)."""
        needed, start = self.x.lines.part(columns)
        indices = [start + tap for tap in range(self.lattice.blend.taps)]
        blended = out.reshape(self.fields, lines.size, start.size)
        height = min(lines.size, STRIP)
        values, slopes = self.x.values[:, columns], self.x.slopes[:, columns]
        gathered = scratch("gathered", (height, start.size))
        for top in range(0, lines.size, height):
            strip = slice(top, min(top + height, lines.size))
            fields = self._coefficients(needed, lines[strip], scratch)
            along_x = (
                [[(fields[0], slopes)], [(fields[1], values)]]
                if self.fields == 2
                else [[(fields[0], values)]]
            )
            along_x[0] += [(field, values) for field in fields[2:]]
            for part, terms in zip(blended, along_x, strict=True):
                _blend(terms, indices, part[strip], gathered[: strip.stop - top])

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
    """Bands of grid rows of one octave, or of several.

    Attributes
    ----------
    lines : lattice rows that the bands need
    weights : (bands, grid rows, places) of the rows made of those lattice rows
    places : (bands, places) where those rows are among all that are made
    used : (bands, places) which places there are; bands need more or fewer of them
    """

    lines: NDArray[np.int64]
    weights: Field
    places: NDArray[np.intp]
    used: NDArray[np.bool_]


class _Products:
    """What is multiplied for each band of grid rows."""

    def __init__(self, bands: list[_Bands], starts: list[int]) -> None:
        """Of one octave, or of all whose sum is plain: that makes fewer and longer calls.

        Parameters
        ----------
        starts : where the rows of each octave begin
        """
        weights = np.concatenate([part.weights for part in bands], axis=2)
        used = np.concatenate([part.used for part in bands], axis=1)
        places = [part.places + start for part, start in zip(bands, starts, strict=True)]
        merged = np.concatenate(places, axis=1)
        self._parts: list[tuple[Field, NDArray[np.intp]]] = [
            (weights[number][:, some], merged[number][some]) for number, some in enumerate(used)
        ]

    def into(self, out: Field, number: int, rows: Field, scratch: Scratch) -> None:
        """Write one band."""
        weights, places = self._parts[number]
        stacked = scratch("stacked", (places.size, rows.shape[1]))
        # Places are in range by construction; mode="wrap" spares a buffered copy of out.
        rows.take(places, axis=0, out=stacked, mode="wrap")
        # Not np.matmul: its sums depend on BLAS, its speed on the BLAS at hand.
        np.einsum("hk,kw->hw", weights[: len(out)], stacked, out=out)  # pyright: ignore[reportUnknownMemberType]


def _blend(
    terms: list[tuple[Field, NDArray[np.float32]]],
    indices: list[NDArray[np.intp]],
    out: Field,
    work: Field,
) -> None:
    """out (rows, n) = sum over terms and taps of table[:, indices[tap]] * weights[tap]."""
    empty = True
    for table, weights in terms:
        for index, weight in zip(indices, weights, strict=True):
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
        bands = [octave.bands(slice(start, stop), BAND) for octave in self.octaves]
        ends = np.cumsum([part.lines.size for part in bands]) * self.octaves[0].fields
        pieces = [slice(int(a), int(b)) for a, b in zip([0, *ends], ends, strict=False)]
        starts = [piece.start for piece in pieces]
        products = (
            [_Products(bands, starts)]
            if self.total.plain
            else [_Products([part], [at]) for part, at in zip(bands, starts, strict=True)]
        )
        for left in range(0, self.width, self.tile):
            poll()
            columns = slice(left, min(left + self.tile, self.width))
            rows = scratch("rows", (int(ends[-1]), columns.stop - left))
            for octave, part, piece in zip(self.octaves, bands, pieces, strict=True):
                octave.rows(part.lines, columns, rows[piece], scratch)
            target = out[:, columns]
            if self.columns < self.width:
                target = np.empty((stop - start, self.width), np.float32)
            for number, row in enumerate(range(0, len(out), BAND)):
                band = target[row : row + BAND]
                if self.total.plain:
                    products[0].into(band, number, rows, scratch)
                else:
                    self._octaves(products, number, rows, band, scratch)
            if self.columns < self.width:
                np.copyto(out, target[:, : self.columns])

    def _octaves(
        self, products: list[_Products], number: int, rows: Field, out: Field, scratch: Scratch
    ) -> None:
        """One product per octave for one band, added up as the fractal says."""
        noise, amplitude, summed = (
            scratch(name, out.shape) for name in ("noise", "amplitude", "summed")
        )
        for octave, product in enumerate(products):
            product.into(noise, number, rows, scratch)
            self.total.add(octave, noise, summed, amplitude, scratch)
        np.copyto(out, summed)
