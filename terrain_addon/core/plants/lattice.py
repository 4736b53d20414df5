# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells that hold one plant each, and what lies around a plant.

All random numbers of a plant are hashes of its cell, so every window has the same plants.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Bools, Doubles, Floats, Indices
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
    return (out >> np.uint32(8)).astype(np.float32) * np.float32(2**-24)


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


@dataclass(frozen=True)
class Spots:
    """Places where plants may stand, one in a cell at most.

    Attributes
    ----------
    cell : float
        Side of the cells in meters.
    i, j : ndarray of int32
        Numbers of the cell along X and Y, from the middle of the terrain.
    u, v : ndarray of float32
        Place in the cell, 0 to 1.
    words : ndarray of uint32
        What random numbers are made from.
    """

    cell: float
    i: Cells
    j: Cells
    u: Floats
    v: Floats
    words: Words

    @classmethod
    def joined(cls, parts: Sequence[Spots]) -> Spots:
        """Return the spots of several parts of one cell, in their order."""
        names = ("i", "j", "u", "v", "words")
        columns = (np.concatenate([getattr(part, one) for part in parts]) for one in names)
        return cls(parts[0].cell, *columns)

    def __len__(self) -> int:
        return len(self.i)

    def take(self, which: Bools | Indices) -> Spots:
        """Return some of the spots."""
        i, j, words = self.i[which], self.j[which], self.words[which]
        return Spots(self.cell, i, j, self.u[which], self.v[which], words)

    @property
    def x(self) -> Doubles:
        """Meters."""
        return (self.i + self.u.astype(np.float64)) * self.cell

    @property
    def y(self) -> Doubles:
        """Meters."""
        return (self.j + self.v.astype(np.float64)) * self.cell


BAND = 1 << 16
"""Cells whose random numbers are made at a time: they stay in the processor's cache."""


@dataclass(frozen=True)
class CellBand:
    """Some rows of cells and their random words."""

    cell: float
    columns: NDArray[np.int32]
    rows: NDArray[np.int32]
    words: Words

    def any_below(self, streams: Sequence[int], chances: Sequence[float]) -> Indices:
        """Return the cells of which a random number is below the chance of its stream."""
        found = np.zeros(len(self.words), bool)
        for stream, chance in zip(streams, chances, strict=True):
            if chance > 0:
                found |= unit(self.words, stream) < np.float32(chance)
        return np.flatnonzero(found)

    def spots(self, which: Indices) -> Spots:
        """Return the spots of some of the cells."""
        row, words = which // len(self.columns), self.words[which]
        i, j = self.columns[which - row * len(self.columns)], self.rows[row]
        return Spots(self.cell, i, j, unit(words, 1), unit(words, 2), words)


def cell_bands(box: Box, cell: float, seed: int, stream: int) -> Iterator[CellBand]:
    """Yield all cells that a rectangle touches, some rows at a time."""
    columns, rows = (
        np.arange(math.floor(low / cell), math.floor(high / cell) + 1)
        for low, high in ((box.left, box.right), (box.low, box.high))
    )
    across = hashed(seed, stream, columns)
    along = hashed(seed, stream + 1, rows) * np.uint32(0x165667B1)
    count = max(1, BAND // len(columns))
    for n in range(0, len(rows), count):
        words = mixed(across[None] ^ along[n : n + count, None]).reshape(-1)
        some = rows[n : n + count].astype(np.int32)
        yield CellBand(cell, columns.astype(np.int32), some, words)


@dataclass(frozen=True)
class Lattice:
    """The spots of a rectangle of cells, found by their cells.

    Attributes
    ----------
    spots : Spots
        One in a cell at most.
    margin : int
        Cells around those of the spots.
    where : ndarray of int32, shape (rows, columns)
        Number of the spot in each cell, -1 where there is none.
    """

    spots: Spots
    margin: int
    where: NDArray[np.int32]
    i0: int
    j0: int

    @classmethod
    def of(cls, spots: Spots, reach: float) -> Lattice:
        """Return the lattice of spots, for neighbors up to ``reach`` meters away."""
        margin = math.ceil(reach / spots.cell) + 1
        i0, j0 = (int(one.min(initial=0)) - margin for one in (spots.i, spots.j))
        i1, j1 = (int(one.max(initial=0)) + margin + 1 for one in (spots.i, spots.j))
        where = np.full((j1 - j0, i1 - i0), -1, np.int32)
        where[spots.j - j0, spots.i - i0] = np.arange(len(spots), dtype=np.int32)
        return cls(spots, margin, where, i0, j0)

    @property
    def places(self) -> Indices:
        """Index of the cell of each spot in the flat lattice."""
        width = self.where.shape[1]
        return (self.spots.j - self.j0).astype(np.intp) * width + (self.spots.i - self.i0)

    def pairs(self, reach: float, *, once: bool) -> Iterator[tuple[Indices, Indices, Floats]]:
        """Yield spots, neighbors in cells less than ``reach`` meters away, and squares of their
        distances; each pair once or both ways."""
        spots, flat, width = self.spots, self.where.reshape(-1), self.where.shape[1]
        places, square = self.places, np.float32(spots.cell * spots.cell)
        for di, dj in cells_around(reach, spots.cell):
            if (di, dj) == (0, 0) or (once and (dj, di) < (0, 0)):
                continue
            other = flat[places + (dj * width + di)]
            here = np.flatnonzero(other >= 0)
            there = other[here].astype(np.intp)
            du = np.float32(di) + spots.u[there] - spots.u[here]
            dv = np.float32(dj) + spots.v[there] - spots.v[here]
            yield here, there, ((du * du + dv * dv) * square).astype(np.float32, copy=False)


def cells_around(reach: float, cell: float) -> list[tuple[int, int]]:
    """Return the cells, as steps (di, dj), with places less than ``reach`` meters from some place
    of the cell in the middle."""
    most = math.ceil(reach / cell)
    steps = range(-most, most + 1)
    return [
        (di, dj)
        for dj in steps
        for di in steps
        if math.hypot(max(abs(dj) - 1, 0), max(abs(di) - 1, 0)) * cell < reach
    ]
