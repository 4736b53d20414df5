# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks of a grid of square cells, worked on along their diagonals.

Sample (X, Y) of a block has the numbers s = X + Y and t = X - Y, both even or both odd. With
t = 2 j - (s modulo 2) samples lie in arrays [s, j]: what depends on s is one number per row of
such an array, what depends on t one per column, of even and of odd rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics.work_arrays import Scratch
from ..fractals.octave import Field

Whole = NDArray[np.int64]

PARITIES: Whole = np.array([[0], [1]], np.int64)
ROWS, COLUMNS = 1024, 2048
"""Rows and columns of a block, at most. Longer diagonals make fewer calls, but more vertices are
hashed that lie around its corners."""
SAMPLES = 98_304
"""Samples of a tile, about: its rows are about as long as the shorter side of the block, and the
number of rows follows from that."""
LEAST, MOST = 32, 128
"""Rows of a tile, even numbers."""
MULTIPLE = 16
"""The length of rows is a multiple of this, so that all begin at a cache line."""
MARGIN = MOST // 2 + MULTIPLE
"""Numbers before and behind the samples of a tile that may be read, but are of no use."""


@dataclass(frozen=True)
class Tile:
    """Samples worked on at once: rows, from an even one on, and columns of the array [s, j]."""

    rows: slice
    columns: slice

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows.stop - self.rows.start, self.columns.stop - self.columns.start

    def room(self, name: str, count: int, scratch: Scratch) -> Field:
        """Memory (count, n) for that many arrays of the tile's shape, each between margins."""
        return scratch(name, (count, math.prod(self.shape) + 2 * MARGIN))

    def samples(self, room: Field) -> Field:
        """The arrays (count, rows, columns) in a room."""
        return room[:, MARGIN:-MARGIN].reshape(len(room), *self.shape)


class Diagonals:
    """A block of so many columns and rows.

    Attributes
    ----------
    s : (rows,) from 0 on, an even number of them
    t : (2, columns) of even and of odd rows
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        rows: Whole = np.arange((width + height) // 2 * 2, dtype=np.int64)
        # Of each row, the columns that lie in the block
        half = rows // 2
        self._low = np.maximum(-half, rows - half - height + 1)
        self._high = np.minimum(width - half, rows - half + 1)
        self._first = int(self._low.min())
        columns: Whole = np.arange(self._first, int(self._high.max()) + MULTIPLE, dtype=np.int64)
        self.s, self.t = rows, 2 * columns - PARITIES

    def tiles(self) -> Iterator[Tile]:
        """All of the block."""
        some = min(max(SAMPLES // min(self.width, self.height) & ~1, LEAST), MOST)
        for start in range(0, self.s.size, some):
            rows = slice(start, min(start + some, self.s.size))
            first = int(self._low[rows].min())
            length = int(self._high[rows].max()) - first
            length += -length % MULTIPLE
            first -= self._first
            yield Tile(rows, slice(first, first + length))


class Upright:
    """The samples of a block where they belong, with a margin that takes what lies outside.

    Attributes
    ----------
    image : (height, width)
    """

    def __init__(self, block: Diagonals, scratch: Scratch, name: str = "upright") -> None:
        self._block = block
        self._room = scratch(name, (block.height, block.width + 2 * MOST))
        self.image = self._room[:, MOST : MOST + block.width]

    def put(self, tile: Tile, room: Field) -> None:
        """Take a tile from its room (n,).

        Samples of even rows are a parallelogram of the grid, and so are those of odd rows: in the
        tile as in the grid a step up, or to the next row of the same kind, is always as long.
        Where a parallelogram juts out of the block, both have margins.
        """
        block = self._block
        count, length = tile.shape
        below = self._room.shape[1]
        for odd in range(2):
            left = tile.rows.start + odd  # X of the first row at Y = 0
            low = max(left - block.width + 1, 0)
            high = min(left + count - 1, block.height)
            if low >= high:
                continue
            shape = high - low, count // 2
            start = (left + odd - int(block.t[0, tile.columns.start])) // 2 - low
            start += MARGIN + odd * length
            source = _strided(room, shape, start, (-1, 2 * length + 1))
            place = low * below + MOST + left - low
            np.copyto(_strided(self._room, shape, place, (below - 1, 2)), source)


def _strided(
    array: Field, shape: tuple[int, int], start: int, steps: tuple[int, int]
) -> NDArray[np.float32]:
    """Elements of a contiguous array, so many steps apart."""
    size = array.itemsize
    strides = steps[0] * size, steps[1] * size
    return np.ndarray(shape, array.dtype, array, start * size, strides)
