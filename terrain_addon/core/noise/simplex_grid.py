# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenSimplex2 and OpenSimplex2S in 2D on a grid, tile by tile.

The formulas are those of the noise at points: with the offset (u, v) from a vertex in skewed
coordinates its kernel is max(r - ((u - v) u + v v), 0)**4. Of OpenSimplex2, three vertices are in
reach: the two corners at the ends of the cell's diagonal and the nearer of the others. Of
OpenSimplex2S, a fourth one: with the offset (u, v) from the nearer of the first two corners, the
nearest other vertex along u lies ahead of it where 2 u - v > 0, else behind it, and that along v
where 2 v - u > 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .corners import CornerHash
from .fractal import FractalSum
from .octave import Axis, Field
from .registry import GridPlan
from .scratch import Scratch
from .simplex import GRADIENTS_2, GRADIENTS_2S
from .skewed_grid import SkewedAxes, SkewedTile, VertexHash, skewed_axes

BLOCK = 512
"""Rows and columns whose vertices are hashed at once. Squares have the fewest around them."""
TILE = (32, 512)
"""Rows and columns worked on at once: arrays of that size stay in the cache."""
LARGEST_TABLE = 2**19
"""Vertices around a block, of all octaves, that are hashed at once: two for each sample."""
FARTHEST = 2.0**26
"""Cells from the origin beyond which sums of parts are less precise than single points."""


class Work:
    """Work arrays of one tile, for all its octaves.

    Attributes
    ----------
    tile : the samples in their cells
    difference : u - v
    moved : (2, ...) offsets from vertices other than the corner of the cell
    """

    def __init__(self, shape: tuple[int, int], scratch: Scratch) -> None:
        self.tile = SkewedTile(shape, scratch)
        self.moved = scratch("moved", (2, *shape))
        names = ("difference", "rest", "square", "upper", "ahead")
        self.difference, self._rest, self._square, self.upper, self.ahead = (
            scratch(name, shape) for name in names
        )
        self.leads = scratch("leads", shape, np.bool_)
        self.zero = scratch("zero", shape)  # np.maximum with a scalar is slower
        self.zero.fill(0)

    def contribution(
        self, radius: float, offsets: NDArray[np.float32], gradients: NDArray[np.float32]
    ) -> Field:
        """Kernel times gradient times offset of one vertex; destroys the gradients.

        ``difference`` must be u - v of those offsets.
        """
        rest, square = self._rest, self._square
        u, v = offsets
        np.multiply(self.difference, u, out=rest)
        np.multiply(v, v, out=square)
        rest += square
        np.subtract(np.float32(radius), rest, out=rest)
        np.maximum(rest, self.zero, out=rest)
        rest *= rest
        rest *= rest
        gradients *= offsets
        along_u, along_v = gradients
        along_u += along_v
        along_u *= rest
        return along_u


def add_opensimplex2(work: Work, out: Field) -> None:
    """Of the cell's four corners, the two at the ends of its diagonal and one of the others."""
    tile, moved, difference = work.tile, work.moved, work.difference
    u, v = tile.offsets
    np.subtract(u, v, out=difference)
    out += work.contribution(0.75, tile.offsets, tile.gradients(0, 0))
    np.subtract(tile.offsets, np.float32(1), out=moved)
    out += work.contribution(0.75, moved, tile.gradients(1, 1))
    # 0 where u leads, at the vertex (1, 0); -1 where v does, at (0, 1)
    side = np.floor(difference, out=work.upper)
    moved[0] -= side
    np.add(v, side, out=moved[1])
    np.subtract(moved[0], moved[1], out=difference)
    out += work.contribution(0.75, moved, tile.moved_gradients(1, 0, (side, (1, -1))))


def add_opensimplex2s(work: Work, out: Field) -> None:
    """The two corners at the ends of the cell's diagonal, and the two nearest other vertices."""
    tile, moved, difference, upper = work.tile, work.moved, work.difference, work.upper
    offsets, (u, v) = tile.offsets, tile.offsets
    np.subtract(u, v, out=difference)
    out += work.contribution(1.0, offsets, tile.gradients(0, 0))
    np.subtract(offsets, np.float32(1), out=moved)
    np.add(u, moved[1], out=upper)
    out += work.contribution(1.0, moved, tile.gradients(1, 1))
    np.floor(upper, out=upper)
    upper += np.float32(1)  # 1 where the opposite corner is the nearer one, else 0
    offsets -= upper
    np.copyto(moved, offsets)
    np.add(u, difference, out=moved[0])
    gradients = _across(work, 0, (-1, 0), (2, 0))
    out += work.contribution(1.0, moved, gradients)
    np.subtract(u, v, out=difference)
    np.subtract(v, difference, out=moved[1])
    np.copyto(moved[0], u)
    gradients = _across(work, 1, (0, -1), (0, 2))
    out += work.contribution(1.0, moved, gradients)


def _across(
    work: Work, axis: int, behind: tuple[int, int], move: tuple[int, int]
) -> NDArray[np.float32]:
    """Gradients of the nearest other vertex along one axis, ahead of the nearer corner or behind.

    ``work.moved[axis]`` is positive where it lies ahead, and becomes the offset along that axis.
    """
    away, ahead = work.moved[axis], work.ahead
    np.greater(away, work.zero, out=work.leads)
    np.copyto(ahead, work.leads)
    np.add(work.tile.offsets[axis], np.float32(1), out=away)
    away -= ahead
    away -= ahead
    np.subtract(work.moved[0], work.moved[1], out=work.difference)
    return work.tile.moved_gradients(*behind, (work.upper, (1, 1)), (ahead, move))


Evaluate = Callable[[Work, Field], None]
KINDS: dict[str, tuple[Evaluate, CornerHash, tuple[int, int]]] = {
    "opensimplex2": (add_opensimplex2, GRADIENTS_2, (0, 1)),
    "opensimplex2s": (add_opensimplex2s, GRADIENTS_2S, (-1, 2)),
}
"""How a tile of an octave is added, what is hashed at vertices, least and greatest step to them."""


class SimplexGrid(GridPlan):
    """All octaves of simplex noise on one grid."""

    def __init__(self, kind: str, x: Axis, y: Axis, total: FractalSum) -> None:
        self.total = total
        self.evaluate, self.hashing, self.reach = KINDS[kind]
        self.axes = [skewed_axes(octave, x, y) for octave in total.octaves]
        self.factors = [
            total.amplitude(number) if total.plain else 1.0 for number in range(len(self.axes))
        ]
        self.rows = math.ceil(y.size / math.ceil(y.size / BLOCK))

    def fill(self, start: int, stop: int, out: Field, scratch: Scratch) -> None:
        for left in range(0, out.shape[1], BLOCK):
            target = out[:, left : left + BLOCK]
            columns = slice(left, left + target.shape[1])
            self._block(self._hash(slice(start, stop), columns, scratch), target, scratch)

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

    def _block(
        self, octaves: list[tuple[SkewedAxes, VertexHash]], target: Field, scratch: Scratch
    ) -> None:
        height, width = TILE
        for top in range(0, target.shape[0], height):
            for left in range(0, target.shape[1], width):
                rows, columns = slice(top, top + height), slice(left, left + width)
                part = target[rows, columns]
                self._tile(octaves, rows, columns, part, scratch)

    def _tile(
        self,
        octaves: list[tuple[SkewedAxes, VertexHash]],
        rows: slice,
        columns: slice,
        target: Field,
        scratch: Scratch,
    ) -> None:
        shape = (target.shape[0], target.shape[1])
        work = Work(shape, scratch)
        noise, amplitude, summed = (scratch(n, shape) for n in ("octave", "amplitude", "summed"))
        plain = self.total.plain
        summed.fill(0)
        for number, (axes, vertices) in enumerate(octaves):
            work.tile.locate(axes, vertices, rows, columns)
            if plain:
                self.evaluate(work, summed)
            else:
                noise.fill(0)
                self.evaluate(work, noise)
                self.total.add(number, noise, summed, amplitude, scratch)
        np.copyto(target, summed)


def simplex_grid(kind: str, x: Axis, y: Axis, total: FractalSum) -> SimplexGrid | None:
    """A plan for that grid, or None if it lies too far from the origin."""
    reach = [abs(end) for octave in total.octaves for axis in octave.bounds or () for end in axis]
    return SimplexGrid(kind, x, y, total) if max(reach) < FARTHEST else None
