# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenSimplex2 and OpenSimplex2S in 2D on a grid of square cells, along its diagonals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...numerics.axis import SquareGrid
from ...numerics.blocks import even_parts
from ...numerics.work_arrays import Scratch
from ..basis import GridPlan
from ..fractals.fbm import FractalSum, RunningSum
from ..fractals.octave import Field
from ..hashing.fastnoise_hash import gradient_hash
from ..hashing.fastnoise_tables import GRADIENTS_2D
from .diagonals import COLUMNS, ROWS, Tile, Upright
from .kernel_rows import Kernel, KernelGrid, KernelRows, TileSums, diagonal_columns
from .points import SCALES

KERNELS = {
    kind: Kernel(
        radius=radius,
        turned=turned,
        hashing=gradient_hash(diagonal_columns(GRADIENTS_2D, SCALES[kind], turned=turned)),
    )
    for kind, radius, turned in (("opensimplex2", 1 / 2, False), ("opensimplex2s", 2 / 3, True))
}


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
        """Return the sum of all octaves, in its memory (n,)."""
        sums = TileSums(self.kernel, tile, scratch)
        if self.total.plain:
            for number, octave in enumerate(octaves):
                octave.add(tile, sums, begun=number > 0)
            return sums.room[0]
        room = tile.room("summed", 1, scratch)
        running = RunningSum(self.total, tile.samples(room)[0], scratch, noise=sums.fields[0])
        for number, octave in enumerate(octaves):
            octave.add(tile, sums, begun=False)
            running.add(number)
        return room[0]
