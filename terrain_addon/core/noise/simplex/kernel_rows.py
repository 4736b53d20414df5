# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels of a triangular lattice, summed along the diagonals of a grid of square cells.

Along the diagonals the lattice of 2D simplex noise has rows and columns. With M = sqrt(3) (x + y)
and N = x - y, its vertices are the points where M and N are integers, both even or both odd, and
the squared distance to a vertex is dM^2 / 6 + dN^2 / 2. Let M number the lattice rows (N works as
well). The nearest vertex of a row and its hashed values depend on N only and are computed once per
lattice row; dM is one number per row of samples; few lattice rows are within reach of a sample.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...numerics.axis import SquareGrid
from ...numerics.work_arrays import Scratch, zeros
from ..fractals.octave import Axis, Field, Octave
from ..hashing.corners import CornerHash
from ..hashing.torus import Torus
from .diagonals import PARITIES, Diagonals, Tile, Whole
from .vertices import SKEW_MATRIX

WEIGHTS = (1 / 6, 1 / 2)
"""Weights of squared offsets in M and N in the squared distance."""
LARGEST_TABLE = 2**17
"""Vertices around a block up to which all are hashed at once; if there are more, tile by tile."""
ALL_TABLES = 2**19
"""The same limit for all octaves together."""
WIDEST_STEP = 1.0
"""Cells per sample beyond which there are more vertices than samples, and points are faster."""
FARTHEST = 2.0**26
"""Cells from the origin beyond which coordinates along diagonals are less precise than points."""
FEW = 0.6
"""Share of the rows of samples within reach of a lattice row below which only those are summed."""


@dataclass(frozen=True)
class Kernel:
    """The term summed over vertices: max(radius - distance^2, 0)^4 times hashed values.

    Attributes
    ----------
    radius : float
        Squared.
    turned : bool
        Lattice rows have equal N instead of M, which leaves fewer vertices per sample.
    hashing : CornerHash
        Hashes ``vectors`` components of a vector and, if ``gradients``, a gradient along M and N,
        whose dot product with the offset is a factor.
    """

    radius: float
    turned: bool
    hashing: CornerHash
    vectors: int = 0
    gradients: bool = True

    @property
    def weights(self) -> tuple[float, float]:
        """Weights of squared offsets from lattice rows and columns in the squared distance."""
        of_m, of_n = WEIGHTS
        return (of_n, of_m) if self.turned else (of_m, of_n)

    def reach(self, beside: float) -> float:
        """Return the largest distance in lattice rows of a vertex that many lattice columns to the
        side."""
        of_row, of_column = self.weights
        return math.sqrt(max(self.radius - of_column * beside * beside, 0) / of_row)

    @property
    def rows(self) -> int:
        """Largest number of lattice rows within reach of a sample."""
        return math.ceil(2 * self.reach(0))

    @property
    def nearest(self) -> int:
        """Largest number of vertices of a lattice row within reach; they are two columns apart."""
        return 2 if self.reach(1) else 1


def diagonal_columns(
    columns: tuple[Field, ...], scale: float, turned: bool = False
) -> tuple[Field, ...]:
    """Return scaled gradients (x, y) as components along lattice rows and columns."""
    x, y = (column.astype(np.float64) for column in columns)
    parts = [(x + y) * (scale / 2 / math.sqrt(3)), (x - y) * (scale / 2)]
    return tuple(part.astype(np.float32) for part in (parts[::-1] if turned else parts))


def lattice_of(octave: Octave) -> tuple[tuple[float, float], Torus | None] | None:
    """Return M for x + y = 1, N for x - y = 1, and the torus of a lattice that repeats.

    None if the periods along x and y differ, as the rows are then not along the diagonals.
    """
    if octave.period is None:
        return (math.sqrt(3), 1.0), None
    torus = Torus(SKEW_MATRIX, octave.period)
    (near, far), (other, opposite) = torus.matrix
    if (near, far) != (opposite, other):
        return None
    return (float(near + far), float(near - far)), torus


class KernelGrid:
    """Octaves on a grid of square cells, block by block.

    Values depend on the indices of a sample in the grid, so all windows of a grid agree to the bit.

    Parameters
    ----------
    factors : sequence of float
        One for each octave.
    shape : tuple of int
        Rows and columns of the grid.
    """

    def __init__(
        self,
        kernel: Kernel,
        octaves: Sequence[Octave],
        factors: Sequence[float],
        grid: SquareGrid,
        shape: tuple[int, int],
    ) -> None:
        self.kernel, self._octaves, self._factors = kernel, octaves, factors
        self._grid = grid.mirrored(shape[0]) if kernel.turned else grid
        self._shape = shape

    @staticmethod
    def suits(octaves: Sequence[Octave], grid: SquareGrid, reach: float) -> bool:
        """Return whether evaluation along the diagonals of a grid, which reaches that many cells
        from the origin, is possible and faster than at points."""
        return reach < FARTHEST and all(
            0 < octave.frequency * grid.step <= WIDEST_STEP and lattice_of(octave) is not None
            for octave in octaves
        )

    def block(self, rows: slice, columns: slice) -> tuple[Diagonals, list[KernelRows]]:
        """Return a block of the grid, and its octaves."""
        block = Diagonals(columns.stop - columns.start, rows.stop - rows.start)
        # Counted from the lower end of a descending axis
        corner = [
            size - part.stop if flipped else part.start
            for size, part, flipped in zip(
                self._shape[::-1], (columns, rows), self._grid.flipped, strict=True
            )
        ]
        octaves: list[KernelRows] = []
        room = ALL_TABLES
        for octave, factor in zip(self._octaves, self._factors, strict=True):
            rows_of_it = KernelRows(
                self.kernel, octave, self._grid, (corner[0], corner[1]), block, factor
            )
            room -= rows_of_it.keep_table(room)
            octaves.append(rows_of_it)
        return block, octaves

    def seen(self, image: Field) -> Field:
        """Return an image of a block in the order of the grid's axes."""
        across, along = (-1 if flipped else 1 for flipped in self._grid.flipped)
        return image[::along, ::across]


class KernelRows:
    """One octave on a block of a grid of square cells.

    Parameters
    ----------
    grid : SquareGrid
        Mirrored, if lattice rows are those of equal N.
    corner : tuple of int
        Column and row of the grid where the block begins.
    factor : float
        Applied to the hashed vectors if there are any, else to the gradients.
    """

    def __init__(
        self, kernel: Kernel, octave: Octave, grid: SquareGrid, corner: tuple[int, int],
        block: Diagonals, factor: float,
    ) -> None:  # fmt: skip
        lattice = lattice_of(octave)
        assert lattice is not None
        units, self.torus = lattice
        self.kernel, self.octave, self.factor = kernel, octave, np.float32(factor)
        of_row, of_column = (
            octave.frequency * unit for unit in units[:: -1 if kernel.turned else 1]
        )
        shift_x, shift_y = octave.shift, -octave.shift if kernel.turned else octave.shift
        x, y = grid.start[0] + shift_x, grid.start[1] + shift_y
        i, j = (first + start for first, start in zip(grid.first, corner, strict=True))
        diagonal = (block.s + (i + j)).astype(np.float64)
        # Scaled last: the start may lie far from the window.
        along = of_row * ((x + y) + grid.step * diagonal)
        self._set_rows(along, block.s & 1)
        across = of_column * ((x - y) + grid.step * (block.t + (i - j)))
        odd = PARITIES[:, :, None]
        column: Axis = np.rint((across - odd) / 2)
        beside: Axis = across - odd - 2 * column
        self._nearest = [_Nearest(column, beside, kernel)]
        if kernel.nearest == 2:
            side = np.where(beside > 0, 1.0, -1.0)
            self._nearest.append(_Nearest(column + side, beside - 2 * side, kernel))
        self._whole = self._vertices(slice(0, block.s.size), slice(None))
        self._kept = False
        self._table: _Table | None = None

    def _set_rows(self, along: Axis, parity: Whole) -> None:
        """Find the lattice rows within reach of each row of samples: arrays [k, s]."""
        kernel = self.kernel
        first = np.floor(along - kernel.reach(0)).astype(np.int64) + 1
        rows = first + np.arange(kernel.rows)[:, None]
        offsets = along - rows
        self._offsets = offsets.astype(np.float32)[:, :, None]
        self._lost = (offsets * offsets * -kernel.weights[0]).astype(np.float32)[:, :, None]
        odd = 2 * (rows & 1)
        self._odd, self._half, self._kinds = odd, rows >> 1, odd + parity
        # Even lattice rows come first, each for even and for odd rows of samples.
        self._places = 2 * self._half + parity
        away = np.abs(offsets)
        self._near = [away < kernel.reach(number) for number in range(kernel.nearest)]

    def add(self, tile: Tile, sums: TileSums, begun: bool) -> None:
        """Add to the sums of a tile; if not ``begun``, overwrite them."""
        kernel, here = self.kernel, tile.rows
        table = self._tabulated(tile, sums.scratch)
        lattice_rows = self._lattice_rows(here)
        places = self._places[:, here] - 2 * lattice_rows.start
        places += self._odd[:, here] * (lattice_rows.stop - lattice_rows.start)
        for nearest, near in zip(self._nearest, self._near, strict=True):
            left = nearest.left[..., tile.columns].reshape(4, -1)
            fields = table.expanded(nearest, lattice_rows, tile.columns, kernel, sums.scratch)
            for k in range(kernel.rows):
                rows = None
                if begun and np.count_nonzero(near[k, here]) < FEW * places.shape[1]:
                    rows = np.flatnonzero(near[k, here])
                sums.begin(left, self._kinds[k, here], self._lost[k, here], rows)
                sums.add(fields, places[k], self._offsets[k, here], begun)
                begun = True

    def keep_table(self, room: int) -> int:
        """Hash all vertices around the block at once if they fit; returns their number, or 0."""
        rows, columns = self._whole
        size = 2 * (rows.stop - rows.start) * (columns.stop - columns.start)
        self._kept = size <= min(room, LARGEST_TABLE)
        return size if self._kept else 0

    def _tabulated(self, tile: Tile, scratch: Scratch) -> _Table:
        if not self._kept:
            return _Table(self, *self._vertices(tile.rows, tile.columns), scratch)
        if self._table is None:
            self._table = _Table(self, *self._whole, scratch)
        return self._table

    def _vertices(self, rows: slice, columns: slice) -> tuple[slice, slice]:
        """Return halved lattice rows and columns of all vertices around some samples."""
        near = [nearest.column[..., columns] for nearest in self._nearest]
        ends = min(int(c.min()) for c in near), max(int(c.max()) for c in near) + 1
        return self._lattice_rows(rows), slice(*ends)

    def _lattice_rows(self, rows: slice) -> slice:
        """Return halved lattice rows within reach of some rows of samples."""
        return slice(int(self._half[0, rows.start]), int(self._half[-1, rows.stop - 1]) + 1)


class _Nearest:
    """The vertex of even and odd lattice rows [q] nearest to each column of samples [p, j].

    Attributes
    ----------
    column : ndarray of intp
        Halved number of its lattice column.
    beside : ndarray of float32
        Offset of the sample in lattice columns.
    left : ndarray of float32
        Squared radius minus that part of the squared distance.
    """

    def __init__(self, column: Axis, beside: Axis, kernel: Kernel) -> None:
        self.column = column.astype(np.intp)
        self.beside = beside.astype(np.float32)
        self.left = (kernel.radius - beside * beside * kernel.weights[1]).astype(np.float32)


class _Table:
    """Hashed values at vertices: fields [q][k] of even and odd lattice rows, (rows, columns)."""

    def __init__(self, octave: KernelRows, rows: slice, columns: slice, scratch: Scratch) -> None:
        self._rows, self._columns = rows, columns
        kernel = octave.kernel
        hashing, state = kernel.hashing, kernel.hashing.prepare(octave.octave.seed)
        row, column = _numbers(rows)[:, None], _numbers(columns)
        # Skewed coordinates are row + column and row - column; exchanged where turned.
        sign = -1 if kernel.turned else 1
        self._fields: list[list[Field]] = []
        for odd in range(2):
            lines = [(row + odd, column), (sign * row, -sign * column)]
            keys = hashing.keys_of_sums(lines, octave.octave, octave.torus)
            found = hashing.corner(state, keys, scratch)
            fields = [np.array(field) for field in found]
            # Vectors are multiplied by gradients, so only one of the two takes the factor.
            for field in fields[: kernel.vectors or None]:
                field *= octave.factor
            self._fields.append(fields)

    def expanded(
        self, nearest: _Nearest, rows: slice, columns: slice, kernel: Kernel, scratch: Scratch
    ) -> Field:
        """Return fields [k] of lattice rows (even before odd, both parities) at columns of samples.

        Gradients along lattice columns are already multiplied by the offset.
        """
        length = columns.stop - columns.start
        some = slice(rows.start - self._rows.start, rows.stop - self._rows.start)
        shape = len(self._fields[0]), 2, some.stop - some.start, 2 * length
        out = scratch("expanded", shape)
        for odd, fields in enumerate(self._fields):
            place = (nearest.column[odd][:, columns] - self._columns.start).reshape(-1)
            for field, target in zip(fields, out, strict=True):
                # Places are in range; mode="wrap" spares a buffered copy of out.
                field[some].take(place, axis=1, out=target[odd], mode="wrap")
            if kernel.gradients:
                out[-1, odd] *= nearest.beside[odd][:, columns].reshape(-1)
        return out.reshape(shape[0], -1, length)


def _numbers(part: slice) -> Whole:
    return np.arange(part.start, part.stop, dtype=np.int64)


class TileSums:
    """The sums of a tile: for each lattice row, call :meth:`begin`, then :meth:`add`.

    Attributes
    ----------
    room : ndarray of float32
        Memory of the sums.
    fields : ndarray of float32, shape (k, rows, columns)
        Sums in that memory: one of the gradients, or one of each component of the vectors.
    """

    def __init__(self, kernel: Kernel, tile: Tile, scratch: Scratch) -> None:
        self.scratch = scratch
        self._vectors, self._gradients = kernel.vectors, kernel.gradients
        self.room = tile.room("sums", kernel.vectors or 1, scratch)
        self.fields = tile.samples(self.room)
        self._arrays = [scratch(name, tile.shape) for name in ("kernel", "part", "other")]
        self._zero = zeros(tile.shape[1:], scratch)  # one row: a whole tile would fill the cache

    def begin(self, left: Field, kinds: Whole, lost: Field, rows: Whole | None) -> None:
        """Compute the kernel from its parts along rows and columns; for some rows, or all."""
        self._rows, arrays = rows, self._arrays
        if rows is not None:
            kinds, lost, arrays = kinds[rows], lost[rows], [array[: rows.size] for array in arrays]
        kernel, self._part, self._other = arrays
        # Places are in range; mode="wrap" spares a buffered copy of out.
        left.take(kinds, axis=0, out=kernel, mode="wrap")
        np.add(kernel, lost, out=kernel)
        np.maximum(kernel, self._zero, out=kernel)
        np.multiply(kernel, kernel, out=kernel)
        np.multiply(kernel, kernel, out=kernel)
        self._kernel = kernel

    def add(self, fields: Field, places: Whole, offsets: Field, begun: bool) -> None:
        """Add the kernel times the fields at those places."""
        part, other, kernel = self._part, self._other, self._kernel
        if self._rows is not None:
            places, offsets = places[self._rows], offsets[self._rows]
        if self._gradients:
            fields[-2].take(places, axis=0, out=part, mode="wrap")
            np.multiply(part, offsets, out=part)
            fields[-1].take(places, axis=0, out=other, mode="wrap")
            np.add(part, other, out=part)
            if not self._vectors:
                self._sum(part, self.fields[0], begun)
                return
            np.multiply(kernel, part, out=kernel)
        for field, out in zip(fields, self.fields, strict=False):
            field.take(places, axis=0, out=part, mode="wrap")
            self._sum(part, out, begun)

    def _sum(self, part: Field, out: Field, begun: bool) -> None:
        if not begun:
            np.multiply(part, self._kernel, out=out)
            return
        np.multiply(part, self._kernel, out=part)
        if self._rows is None:
            np.add(out, part, out=out)
            return
        out.take(self._rows, axis=0, out=self._other, mode="wrap")
        np.add(self._other, part, out=part)
        out[self._rows] = part
