# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells that hold one plant each, and what lies around a plant.

All random numbers of a plant are hashes of its cell, so every window has the same plants.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Bools, Doubles, Floats, Indices
from ..numerics.blocks import parts
from ..numerics.grid import Grid
from ..numerics.hashing import Words, hashed, mixed

Cells = NDArray[np.int32]
STREAM = 0x9E3779B1
"""Keeps the random numbers of a cell apart."""


def name_stream(name: str) -> int:
    """Return a number for a name, the same on every machine (FNV-1a: Fowler, Noll and Vo 1991)."""
    found = 2166136261
    for byte in name.encode():
        found = (found ^ byte) * 16777619 & 0xFFFFFFFF
    return found


def unit(words: Words, stream: int) -> Floats:
    """Return random float32 from 0 to below 1 for words, different for each stream."""
    out = mixed(words ^ np.uint32(stream * STREAM & 0xFFFFFFFF))
    out >>= np.uint32(8)
    found = out.astype(np.float32)
    found *= np.float32(2**-24)
    return found


@dataclass(frozen=True)
class Box:
    """A rectangle in meters."""

    left: float
    right: float
    low: float
    high: float

    def wider(self, margin: float) -> Box:
        """Return the rectangle with a margin all around."""
        return Box(self.left - margin, self.right + margin, self.low - margin, self.high + margin)

    def within(self, other: Box) -> Box:
        """Return the part inside another rectangle."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Box(max(self.left, other.left), min(self.right, other.right), low, high)

    def holds(self, x: Doubles, y: Doubles) -> Bools:
        """Return which points lie inside, the left and the low side included."""
        return (x >= self.left) & (x < self.right) & (y >= self.low) & (y < self.high)


PLACES = 1 << 10
"""Places of a plant along a side of its cell: differences between those of cells less than 8192
apart are exact in float32."""


@dataclass(frozen=True)
class Spots:
    """Places where plants may stand, one in a cell at most.

    Attributes
    ----------
    cell : float
        Side of the cells in meters.
    i, j : ndarray of int32
        Numbers of the cell along X and Y, from the middle of the terrain.
    words : ndarray of uint32
        What random numbers are made from.
    """

    cell: float
    i: Cells
    j: Cells
    words: Words

    @classmethod
    def joined(cls, parts: Sequence[Spots]) -> Spots:
        """Return the spots of several parts of one cell, in their order."""
        columns = ([getattr(part, one) for part in parts] for one in ("i", "j", "words"))
        return cls(parts[0].cell, *map(np.concatenate, columns))

    def __len__(self) -> int:
        return len(self.i)

    def take(self, which: Indices | slice) -> Spots:
        """Return some of the spots."""
        return Spots(self.cell, self.i[which], self.j[which], self.words[which])

    @property
    def u(self) -> Floats:
        """Place in the cell along X, 0 to 1."""
        return _place(self.words >> np.uint32(22))

    @property
    def v(self) -> Floats:
        """Place in the cell along Y, 0 to 1."""
        return _place(self.words >> np.uint32(12) & np.uint32(PLACES - 1))

    @property
    def x(self) -> Doubles:
        """Meters."""
        return (self.i + self.u.astype(np.float64)) * self.cell

    @property
    def y(self) -> Doubles:
        """Meters."""
        return (self.j + self.v.astype(np.float64)) * self.cell


def _place(number: Words) -> Floats:
    return (number.astype(np.float32) + np.float32(0.5)) * np.float32(1 / PLACES)


BLOCK = 1 << 15
"""Cells that are worked on at a time: they stay in the processor's cache."""


Centers = tuple[Indices, Floats]
"""The last sample before each center along an axis, and the share of the way to the next."""


@dataclass(frozen=True)
class CellBlock:
    """A rectangle of cells.

    Attributes
    ----------
    cell : float
        Side of the cells in meters.
    columns, rows : ndarray of int32
        Numbers of the cells along X and Y.
    """

    cell: float
    columns: Cells
    rows: Cells
    _known: dict[Grid, tuple[Centers, Centers]] = field(default_factory=dict[Grid, Any])

    @classmethod
    def of(cls, box: Box, cell: float) -> CellBlock:
        """Return all cells that a rectangle in meters touches."""
        columns, rows = (
            np.arange(math.floor(low / cell), math.floor(high / cell) + 1, dtype=np.int32)
            for low, high in ((box.left, box.right), (box.low, box.high))
        )
        return cls(cell, columns, rows)

    def bands(self, seed: int, stream: int) -> Iterator[CellBand]:
        """Yield some rows of cells at a time, with their random numbers."""
        across = hashed(seed, stream, self.columns.astype(np.int64))
        along = hashed(seed, stream + 1, self.rows.astype(np.int64)) * np.uint32(0x165667B1)
        for part in parts(len(self.rows), BLOCK // len(self.columns)):
            yield CellBand(self, part, mixed(across[None] ^ along[part, None]))

    def on(self, grid: Grid) -> tuple[Centers, Centers]:
        """Return where the rows and the columns of centers lie on a grid."""
        if grid not in self._known:
            self._known[grid] = (
                self._between(self.rows, grid.y0, grid.dy, grid.j0, grid.ny),
                self._between(self.columns, grid.x0, grid.dx, grid.i0, grid.nx),
            )
        return self._known[grid]

    def _between(self, cells: Cells, origin: float, step: float, first: int, count: int) -> Centers:
        place = ((cells + 0.5) * self.cell - origin) / step
        whole = np.floor(place)
        before = np.clip(whole.astype(np.intp) - first, 0, count - 2)
        share = np.clip(place - (before + first), 0, 1)
        return before, share.astype(np.float32)


@dataclass(frozen=True)
class CellBand:
    """Some rows of a rectangle of cells, and their random words.

    Attributes
    ----------
    block : CellBlock
        The rectangle.
    part : slice
        Which of its rows.
    words : ndarray of uint32, shape (rows, columns)
        What random numbers are made from.
    """

    block: CellBlock
    part: slice
    words: Words

    def spots(self, which: Indices) -> Spots:
        """Return the spots of some of the cells."""
        block = self.block
        row = which // len(block.columns)
        i, j = block.columns[which - row * len(block.columns)], block.rows[self.part][row]
        return Spots(block.cell, i, j, self.words.reshape(-1)[which])

    def sampled(self, values: Floats, grid: Grid) -> Floats:
        """Return values of a grid at the centers of the cells, interpolated: (rows, columns).

        The same in any band and for any part of the grid. Borders of the grid continue.
        """
        (rows, v), (i, u) = self.block.on(grid)
        j, v = rows[self.part], v[self.part, None]
        lines = values[j[0] : j[-1] + 2]
        left: Floats = lines.take(i, axis=1, mode="clip")
        right: Floats = lines[:, 1:].take(i, axis=1, mode="clip")
        right -= left
        right *= u
        left += right
        row = j - j[0]
        low: Floats = np.take(left, row, axis=0)
        high: Floats = np.take(left[1:], row, axis=0)
        high -= low
        high *= v
        low += high
        return low


@dataclass(frozen=True)
class Lattice:
    """The cells around some spots, row by row in flat arrays.

    A neighbor is a fixed step away in these arrays, so what meets what needs no search.

    Attributes
    ----------
    spots : Spots
        One in a cell at most.
    width, count : int
        Cells of a row, and of all rows.
    places : ndarray of intp
        The cell of each spot.
    i0, j0 : int
        Numbers of the first cell.
    """

    spots: Spots
    width: int
    count: int
    places: Indices
    i0: int
    j0: int

    @classmethod
    def of(cls, spots: Spots, reach: float) -> Lattice:
        """Return the lattice of spots, for neighbors up to ``reach`` meters away."""
        margin = math.ceil(reach / spots.cell) + 1
        first, last = (
            [int(most(one)) if len(one) else 0 for one in (spots.i, spots.j)]
            for most in (np.min, np.max)
        )
        i0, j0 = (one - margin for one in first)
        i1, j1 = (one + margin + 1 for one in last)
        places = (spots.j - j0).astype(np.intp) * (i1 - i0) + (spots.i - i0)
        return cls(spots, i1 - i0, (i1 - i0) * (j1 - j0), places, i0, j0)

    @property
    def grid(self) -> Grid:
        """The centers of the cells."""
        cell, half = self.spots.cell, self.spots.cell / 2
        return Grid(self.width, self.count // self.width, half, half, cell, cell, self.i0, self.j0)

    def around(self, reach: float) -> list[tuple[int, int, int]]:
        """Return the cells with places less than ``reach`` meters away: columns and rows from
        the own one, and the step there."""
        return [(di, dj, dj * self.width + di) for di, dj in cells_around(reach, self.spots.cell)]

    def spread(self, values: Floats) -> Floats:
        """Return values of the spots by cell, NaN where there is none: it is near nothing."""
        found = np.full(self.count, np.nan, np.float32)
        found[self.places] = values
        return found


def cells_around(reach: float, cell: float) -> list[tuple[int, int]]:
    """Return the cells (di, dj) with places less than ``reach`` meters from some place
    of the cell in the middle, without that one."""
    most = math.ceil(reach / cell)
    steps = range(-most, most + 1)
    return [
        (di, dj)
        for dj in steps
        for di in steps
        if (di, dj) != (0, 0)
        and math.hypot(max(abs(dj) - 1, 0), max(abs(di) - 1, 0)) * cell < reach
    ]
