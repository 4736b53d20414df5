# SPDX-License-Identifier: GPL-3.0-or-later
"""The bases of simplex noise, and its grids along the diagonals of squares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ...numerics.axis import SquareGrid
from ...numerics.blocks import even_parts
from ...numerics.work_arrays import Scratch
from ...settings.params import Setting
from ..basis import Basis, GridPlan, register_basis
from ..fractals.fbm import FractalSum, RunningSum
from ..fractals.octave import Axis, Field, Octave
from ..hashing.cells import Cells
from ..hashing.fastnoise_hash import GRADIENTS_2D, gradient_hash
from .diagonals import COLUMNS, ROWS, Tile, Upright
from .kernel_rows import Kernel, KernelGrid, KernelRows, TileSums, diagonal_columns
from .points import SCALES, simplex_in_cells, simplex_points
from .points_3d import simplex_points_3d
from .skewed_points import skew
from .slopes import simplex_slopes

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


class Simplex(Basis):
    """A basis on a triangular lattice."""

    dimensions = (2, 3)
    settings: tuple[Setting, ...] = ()
    single_precision = True

    def __init__(self, name: str, label: str, help: str, spline_points: int) -> None:
        """``spline_points`` of the plane; in space, noise has small jumps, as FastNoiseLite's."""
        self.name, self.label, self.help = name, label, help
        self.spline_points = {2: spline_points}

    def prepare(
        self, octaves: tuple[Octave, ...], dimensions: int
    ) -> tuple[tuple[Octave, ...], Callable[[Axis], None] | None]:
        if dimensions == 3 or any(octave.period or octave.shift for octave in octaves):
            return octaves, None
        return tuple(replace(octave, skewed=True) for octave in octaves), skew

    def points(self, octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
        write = simplex_points if len(coords) == 2 else simplex_points_3d
        write(self.name, octave, coords, out, scratch)

    def slopes(self, octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
        simplex_slopes(self.name, octave, coords, out, scratch)

    def has_cells(self, octaves: tuple[Octave, ...], dimensions: int) -> bool:
        return all(octave.skewed for octave in octaves)

    def in_cells(
        self, octave: Octave, cells: Cells, factor: float, out: Field, scratch: Scratch
    ) -> None:
        simplex_in_cells(self.name, octave, cells, factor, out, scratch)

    def plan_grid(
        self, x: Axis, y: Axis, z: float | None, total: FractalSum, square: SquareGrid | None
    ) -> GridPlan | None:
        if z is not None or square is None:
            return None
        octaves = total.octaves
        reach = [abs(end) for octave in octaves for axis in octave.bounds or () for end in axis]
        if not KernelGrid.suits(octaves, square, max(reach)):
            return None
        return DiagonalGrid(self.name, square, (y.size, x.size), total)


register_basis(
    Simplex(
        "opensimplex2",
        "OpenSimplex2",
        "Gradient noise on triangles, without the grid directions of Perlin noise",
        spline_points=24,
    )
)
register_basis(
    Simplex(
        "opensimplex2s",
        "OpenSimplex2S",
        "The smoother kind of OpenSimplex2, with softer and rounder forms",
        spline_points=20,
    )
)
