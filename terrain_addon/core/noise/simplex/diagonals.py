# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks of a grid of square cells in diagonal order.

Sample (X, Y) of a block has the diagonal coordinates s = X + Y and t = X - Y, both even or both
odd. With t = 2 j - (s modulo 2), samples are stored in arrays [s, j]. A quantity that depends on s
only is one number per row; one that depends on t only is one number per column, for even and for
odd rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics.blocks import parts
from ...numerics.work_arrays import Scratch
from ..fractals.octave import Field

Whole = NDArray[np.int64]

PARITIES: Whole = np.array([[0], [1]], np.int64)
ROWS, COLUMNS = 1024, 2048
"""Largest rows and columns of a block. Longer diagonals need fewer calls, but more unused vertices
around the corners of the block are hashed."""
SAMPLES = 98_304
"""Approximate samples of a tile. Its rows are about as long as the shorter side of the block."""
LEAST, MOST = 32, 128
"""Limits of the rows of a tile; both even."""
MULTIPLE = 16
"""Row lengths are multiples of this, so that each row begins at a cache line."""
MARGIN = MOST // 2 + MULTIPLE
"""Elements before and after the samples of a tile that may be read but have no meaning."""


@dataclass(frozen=True)
class Tile:
    """Samples processed at once: rows and columns of the array [s, j]; the first row is even."""

    rows: slice
    columns: slice

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows.stop - self.rows.start, self.columns.stop - self.columns.start

    def room(self, name: str, count: int, scratch: Scratch) -> Field:
        """Return memory (count, n) for that many arrays of the tile's shape, with margins around
        each."""
        return scratch(name, (count, math.prod(self.shape) + 2 * MARGIN))

    def samples(self, room: Field) -> Field:
        """Return the arrays (count, rows, columns) within that memory."""
        return room[:, MARGIN:-MARGIN].reshape(len(room), *self.shape)


class Diagonals:
    """A block of a grid, with its diagonal coordinates.

    Attributes
    ----------
    s : ndarray, shape (rows,)
        From 0; an even number of rows.
    t : ndarray, shape (2, columns)
        For even and for odd rows.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        rows: Whole = np.arange((width + height) // 2 * 2, dtype=np.int64)
        # Columns of each row that lie in the block
        half = rows // 2
        self._low = np.maximum(-half, rows - half - height + 1)
        self._high = np.minimum(width - half, rows - half + 1)
        self._first = int(self._low.min())
        columns: Whole = np.arange(self._first, int(self._high.max()) + MULTIPLE, dtype=np.int64)
        self.s, self.t = rows, 2 * columns - PARITIES

    def tiles(self) -> Iterator[Tile]:
        """Yield the tiles that cover the block."""
        height = min(max(SAMPLES // min(self.width, self.height) & ~1, LEAST), MOST)
        for rows in parts(self.s.size, height):
            first = int(self._low[rows].min())
            length = int(self._high[rows].max()) - first
            length += -length % MULTIPLE
            first -= self._first
            yield Tile(rows, slice(first, first + length))


class Upright:
    """The samples of a block in grid order, with margins for samples of tiles outside the block.

    Attributes
    ----------
    image : ndarray, shape (height, width)
    """

    def __init__(self, block: Diagonals, scratch: Scratch, name: str = "upright") -> None:
        self._block = block
        self._room = scratch(name, (block.height, block.width + 2 * MOST))
        self.image = self._room[:, MOST : MOST + block.width]

    def put(self, tile: Tile, room: Field) -> None:
        """Copy a tile from its memory (n,).

        The samples of even rows form a parallelogram in the grid, and so do those of odd rows. In
        memory, tile and grid both have constant strides along its sides, so each is one strided
        copy. The margins cover the parts of a parallelogram outside the block.
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
    """Return a strided view of a contiguous array; start and steps in elements."""
    size = array.itemsize
    strides = steps[0] * size, steps[1] * size
    return np.ndarray(shape, array.dtype, array, start * size, strides)
