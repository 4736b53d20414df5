# SPDX-License-Identifier: GPL-3.0-or-later
"""Displacement by a domain warp on a grid of square cells, along its diagonals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...numerics.axis import SquareGrid
from ...numerics.blocks import even_parts
from ...numerics.work_arrays import Scratch
from ..fractals.octave import Field, Octave
from ..hashing.fastnoise_tables import GRADIENTS_2D, VECTORS_2D
from ..simplex.diagonals import COLUMNS, ROWS, Upright
from ..simplex.kernel_rows import Kernel, KernelGrid, TileSums, diagonal_columns
from .points import SCALES, random_vectors

KERNELS = {
    "opensimplex2": Kernel(
        radius=1 / 2,
        turned=False,
        hashing=random_vectors((8, VECTORS_2D), (1, diagonal_columns(GRADIENTS_2D, 1.0))),
        vectors=2,
    ),
    "opensimplex2_reduced": Kernel(
        radius=1 / 2,
        turned=False,
        hashing=random_vectors((1, VECTORS_2D)),
        vectors=2,
        gradients=False,
    ),
}


def displacement_tiles(
    kind: str,
    steps: Sequence[tuple[Octave, float]],
    square: SquareGrid,
    shape: tuple[int, int],
    poll: Callable[[], None],
) -> Iterator[tuple[slice, slice, Sequence[Field]]]:
    """Sum of octaves with amplitudes, which all start from the grid, tile by tile.

    Yields rows, columns and their displacement along x and y, which is valid until the next tile.
    ``poll`` is called every few milliseconds of work; it may raise to stop.
    """
    kernel, octaves = KERNELS[kind], [octave for octave, _ in steps]
    factors = [amplitude * SCALES[kind] for _, amplitude in steps]
    grid, scratch = KernelGrid(kernel, octaves, factors, square, shape), Scratch()
    for rows in even_parts(shape[0], ROWS):
        for columns in even_parts(shape[1], COLUMNS):
            block, summed = grid.block(rows, columns)
            parts = [Upright(block, scratch, name) for name in ("push_x", "push_y")]
            for tile in block.tiles():
                poll()
                sums = TileSums(kernel, tile, scratch)
                for number, octave in enumerate(summed):
                    octave.add(tile, sums, begun=number > 0)
                for part, room in zip(parts, sums.room, strict=True):
                    part.put(tile, room)
            yield rows, columns, [grid.seen(part.image) for part in parts]
