# SPDX-License-Identifier: GPL-3.0-or-later
"""Displacement by a domain warp on a grid: what :mod:`.displacement` does, but faster.

A warp on a square lattice is two value noises, one per component, and made as such. One on
triangles is made along the diagonals of a grid of square cells; of others it is made tile by tile,
with the skewed coordinates of columns and rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ...numerics.axis import SquareGrid
from ...numerics.blocks import SAMPLES, even_parts
from ...numerics.work_arrays import Scratch
from ..fractals.fbm import FRACTALS, fractal_sum
from ..fractals.octave import Axis, Field, Octave
from ..hashing.fastnoise_tables import GRADIENTS_2D, VECTORS_2D
from ..lattice.grid import LatticeGrid
from ..lattice.interpolants import HERMITE
from ..lattice.lattice import Lattice
from ..simplex.diagonals import COLUMNS, ROWS, Upright
from ..simplex.kernel_rows import Kernel, KernelGrid, TileSums, diagonal_columns
from ..simplex.points import add_triangle
from ..simplex.skewed_grid import SkewedAxes, SkewedTile, VertexHash, skewed_axes
from .points import SCALES, TRIANGLES, Displacements, random_vectors

Steps = Sequence[tuple[Octave, float]]
"""Octaves and their amplitudes."""

Pushed = tuple[slice, slice, Sequence[Field]]
"""Rows, columns and their displacement along x and y, valid until the next tile."""
Block = list[tuple[SkewedAxes, VertexHash, np.float32]]
"""Per octave the samples of a block, the vertices around them, and a factor."""

BLOCK = 1024
"""Rows and columns, at most, whose vertices are hashed at once."""
LARGEST_TABLE = 2**19
"""Vertices around a block that are hashed at once."""

_KERNELS = {
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
_COMPONENTS = [
    Lattice(random_vectors((1, (column,))), HERMITE, gradient=False) for column in VECTORS_2D
]


def displacement_tiles(
    kind: str,
    steps: Steps,
    x: Axis,
    y: Axis,
    square: SquareGrid | None,
    poll: Callable[[], None],
) -> Iterator[Pushed]:
    """Displacement by all octaves, where all start from the grid, tile by tile of the grid.

    ``poll`` is called every few milliseconds of work; it may raise to stop.
    """
    if not (x.size and y.size and steps):
        return iter(())
    if kind == "basic_grid":
        return _lattice(steps, x, y, poll)
    if square is not None and KernelGrid.suits([octave for octave, _ in steps], square):
        return _along_diagonals(kind, steps, square, (y.size, x.size), poll)
    return _triangles(kind, steps, x, y, poll)


def _along_diagonals(
    kind: str,
    steps: Steps,
    square: SquareGrid,
    shape: tuple[int, int],
    poll: Callable[[], None],
) -> Iterator[Pushed]:
    kernel, octaves = _KERNELS[kind], [octave for octave, _ in steps]
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


def _lattice(steps: Steps, x: Axis, y: Axis, poll: Callable[[], None]) -> Iterator[Pushed]:
    first = steps[0][1]
    total = fractal_sum(
        FRACTALS["fbm"],
        tuple(octave for octave, _ in steps),
        gain=steps[1][1] / first if len(steps) > 1 and first else 0.0,
        weighted_strength=0.0,
        ping_pong_strength=0.0,
        normalise=False,
        dimensions=2,
        settings={},
    )
    scratch = Scratch()
    plans = [LatticeGrid(lattice, x, y, None, total) for lattice in _COMPONENTS]
    for rows in even_parts(y.size, min(BLOCK, plans[0].rows)):
        push = scratch("push", (2, rows.stop - rows.start, x.size))
        for component, plan in zip(push, plans, strict=True):
            plan.fill(rows.start, rows.stop, component, scratch, poll)
        push *= np.float32(first)
        yield rows, slice(0, x.size), [*push]


def _triangles(
    kind: str, steps: Steps, x: Axis, y: Axis, poll: Callable[[], None]
) -> Iterator[Pushed]:
    vectors, scale = TRIANGLES[kind]
    axes = [skewed_axes(octave, x, y) for octave, _ in steps]
    factors = [np.float32(amplitude * scale) for _, amplitude in steps]
    scratch = Scratch()
    for rows in even_parts(y.size, BLOCK):
        for columns in even_parts(x.size, BLOCK):
            block: Block = []
            for number, (whole, factor) in enumerate(zip(axes, factors, strict=True)):
                part = whole.part(rows, columns)
                vertices = VertexHash(part, vectors, (0, 1), 1.0)
                if vertices.size <= LARGEST_TABLE:
                    vertices.tabulate(f"table{number}", scratch)
                block.append((part, vertices, factor))
            width = columns.stop - columns.start
            for part in even_parts(rows.stop - rows.start, max(1, SAMPLES // width)):
                poll()
                push = _tile(block, part, width, vectors.fields, scratch)
                yield slice(rows.start + part.start, rows.start + part.stop), columns, [*push]


def _tile(block: Block, rows: slice, width: int, fields: int, scratch: Scratch) -> Field:
    """Sum of all octaves on some rows of a block."""
    shape = (rows.stop - rows.start, width)
    total, push = scratch("total", (2, *shape)), scratch("push", (2, *shape))
    tile = SkewedTile(shape, scratch, fields)
    for number, (axes, vertices, factor) in enumerate(block):
        tile.locate(axes, vertices, rows, slice(0, width))
        add_triangle(Displacements(tile, 0.75, push, scratch, begun=False))
        if number:
            push *= factor
            total += push
        else:
            np.multiply(push, factor, out=total)
    return total
