# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenSimplex2 and OpenSimplex2S in 2D on a grid, tile by tile.

Grids of square cells are worked on along their diagonals, others row by row.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ...numerics.axis import SquareGrid
from ...numerics.blocks import SAMPLES, even_parts
from ...numerics.work_arrays import Scratch
from ..basis import GridPlan
from ..fractals.fbm import FractalSum
from ..fractals.octave import FARTHEST, Axis, Field
from ..hashing.fastnoise_hash import gradient_hash
from ..hashing.fastnoise_tables import GRADIENTS_2D
from .diagonals import COLUMNS, ROWS, Tile, Upright
from .kernel_rows import Kernel, KernelGrid, KernelRows, TileSums, diagonal_columns
from .points import KINDS, SCALES, KernelSum
from .skewed_grid import SkewedAxes, SkewedTile, VertexHash, skewed_axes

BLOCK = 512
"""Rows and columns whose vertices are hashed at once. Squares have the fewest around them."""
LARGEST_TABLE = 2**19
"""Vertices around a block, of all octaves, that are hashed at once: two for each sample."""
KERNELS = {
    kind: Kernel(
        radius=radius,
        turned=turned,
        hashing=gradient_hash(diagonal_columns(GRADIENTS_2D, SCALES[kind], turned=turned)),
    )
    for kind, radius, turned in (("opensimplex2", 1 / 2, False), ("opensimplex2s", 2 / 3, True))
}


class SimplexGrid(GridPlan):
    """All octaves of simplex noise on one grid."""

    def __init__(self, kind: str, x: Axis, y: Axis, total: FractalSum) -> None:
        self.total = total
        self.add, self.radius, self.hashing, self.reach = KINDS[kind]
        self.axes = [skewed_axes(octave, x, y) for octave in total.octaves]
        self.factors = [
            total.amplitude(number) if total.plain else 1.0 for number in range(len(self.axes))
        ]
        self.rows = math.ceil(y.size / math.ceil(y.size / BLOCK))

    def fill(
        self, start: int, stop: int, out: Field, scratch: Scratch, poll: Callable[[], None]
    ) -> None:
        for columns in even_parts(out.shape[1], BLOCK):
            poll()
            octaves = self._hash(slice(start, stop), columns, scratch)
            width = columns.stop - columns.start
            for rows in even_parts(stop - start, max(1, SAMPLES // width)):
                poll()
                self._tile(octaves, rows, slice(0, width), out[rows, columns], scratch)

    def _hash(
        self, rows: slice, columns: slice, scratch: Scratch
    ) -> list[tuple[SkewedAxes, VertexHash]]:
        """Every octave of a block, in tables as far as these are small."""
        octaves: list[tuple[SkewedAxes, VertexHash]] = []
        room = LARGEST_TABLE
        for number, axes in enumerate(self.axes):
            part = axes.part(rows, columns)
            vertices = VertexHash(part, self.hashing, self.reach, self.factors[number])
            if vertices.size <= room:
                vertices.tabulate(f"table{number}", scratch)
                room -= vertices.size
            octaves.append((part, vertices))
        return octaves

    def _tile(
        self,
        octaves: list[tuple[SkewedAxes, VertexHash]],
        rows: slice,
        columns: slice,
        target: Field,
        scratch: Scratch,
    ) -> None:
        shape = (target.shape[0], target.shape[1])
        tile = SkewedTile(shape, scratch, self.hashing.fields)
        noise, amplitude, summed = (scratch(n, shape) for n in ("octave", "amplitude", "summed"))
        plain = self.total.plain
        for number, (axes, vertices) in enumerate(octaves):
            tile.locate(axes, vertices, rows, columns)
            if plain:
                self.add(KernelSum(tile, self.radius, summed, scratch, begun=number > 0))
            else:
                self.add(KernelSum(tile, self.radius, noise, scratch, begun=False))
                self.total.add(number, noise, summed, amplitude, scratch)
        np.copyto(target, summed)


class DiagonalGrid(GridPlan):
    """All octaves of simplex noise on a grid of square cells."""

    def __init__(
        self, kind: str, grid: SquareGrid, shape: tuple[int, int], total: FractalSum
    ) -> None:
        self.kernel, self.total = KERNELS[kind], total
        octaves = total.octaves
        factors = [total.amplitude(k) if total.plain else 1.0 for k in range(len(octaves))]
        self.grid = KernelGrid(self.kernel, octaves, factors, grid, shape)
        self.rows = even_parts(shape[0], ROWS)[0].stop

    def fill(
        self, start: int, stop: int, out: Field, scratch: Scratch, poll: Callable[[], None]
    ) -> None:
        for columns in even_parts(out.shape[1], COLUMNS):
            block, octaves = self.grid.block(slice(start, stop), columns)
            upright = Upright(block, scratch)
            for tile in block.tiles():
                poll()
                upright.put(tile, self._sum(octaves, tile, scratch))
            np.copyto(out[:, columns], self.grid.seen(upright.image))

    def _sum(self, octaves: list[KernelRows], tile: Tile, scratch: Scratch) -> Field:
        """The room that the sum of all octaves is in."""
        sums = TileSums(self.kernel, tile, scratch)
        noise = sums.fields[0]
        if self.total.plain:
            for number, octave in enumerate(octaves):
                octave.add(tile, sums, begun=number > 0)
            return sums.room[0]
        amplitude, room = scratch("amplitude", tile.shape), tile.room("summed", 1, scratch)
        for number, octave in enumerate(octaves):
            octave.add(tile, sums, begun=False)
            self.total.add(number, noise, tile.samples(room)[0], amplitude, scratch)
        return room[0]


def simplex_grid(
    kind: str, x: Axis, y: Axis, total: FractalSum, square: SquareGrid | None
) -> GridPlan | None:
    """A plan for that grid, or None if it lies too far from the origin."""
    octaves = total.octaves
    reach = [abs(end) for octave in octaves for axis in octave.bounds or () for end in axis]
    if not max(reach) < FARTHEST:
        return None
    if square is not None and KernelGrid.suits(octaves, square):
        return DiagonalGrid(kind, square, (y.size, x.size), total)
    return SimplexGrid(kind, x, y, total)
