# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenSimplex2 and OpenSimplex2S in 2D on a grid, tile by tile.

The formulas are those of ``simplex.py``. With offsets (u, v) in the cell and d = u - v, the
kernel of the corner of the cell is ``a = r - (d u + v v)`` before it is clamped and raised to the
fourth power; those of all other vertices follow by additions:

* the opposite corner: a + (u + v - 1),
* the nearer of the other two corners: a + max(u - 1 + d, v - 1 - d),
* of OpenSimplex2S, with (p, q) the offsets from the nearer of the first two corners, whose kernel
  is b = a + max(u + v - 1, 0): the nearest other vertices along u and v, b + abs(p + d) - 1 and
  b + abs(q - d) - 1.
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
    """Work arrays of one tile, for all its octaves, and what the formulas share.

    Attributes
    ----------
    tile : the samples in their cells
    difference : u - v
    first : what is left of the kernel at the corner of the cell
    before : (2, ...) u - 1 and v - 1
    """

    def __init__(self, shape: tuple[int, int], scratch: Scratch) -> None:
        self.tile = SkewedTile(shape, scratch)
        self.before = scratch("before", (2, *shape))
        names = ("difference", "first", "rest", "nearer", "upper")
        self.difference, self.first, self.rest, self.nearer, self.upper = (
            scratch(name, shape) for name in names
        )
        self.leads = scratch("leads", shape, np.bool_)
        self.zero = scratch("zero", shape)  # np.maximum with a scalar is slower
        self.zero.fill(0)

    def start(self, radius: float) -> None:
        u, v = self.tile.offsets
        np.subtract(u, v, out=self.difference)
        np.multiply(self.difference, u, out=self.first)
        np.multiply(v, v, out=self.rest)
        self.first += self.rest
        np.subtract(np.float32(radius), self.first, out=self.first)
        np.subtract(self.tile.offsets, np.float32(1), out=self.before)

    def contribution(
        self, rest: Field, offsets: NDArray[np.float32], gradients: NDArray[np.float32]
    ) -> Field:
        """max(rest, 0)**4 times gradient times offset; destroys ``rest`` and the gradients."""
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
    work.start(0.75)
    tile, first, rest, before = work.tile, work.first, work.rest, work.before
    u, v = tile.offsets
    before_u, before_v = before
    np.add(first, u, out=rest)
    rest += before_v
    out += work.contribution(rest, before, tile.gradients(1, 1))
    np.add(before_u, work.difference, out=rest)
    before_v -= work.difference
    np.maximum(rest, before_v, out=rest)
    rest += first
    out += work.contribution(first, tile.offsets, tile.gradients(0, 0))
    # 0 where u leads, at the vertex (1, 0); -1 where v does, at (0, 1)
    side = np.floor(work.difference, out=work.difference)
    before_u -= side
    np.add(v, side, out=before_v)
    out += work.contribution(rest, before, tile.moved_gradients(1, 0, (side, (1, -1))))


def add_opensimplex2s(work: Work, out: Field) -> None:
    """The two corners at the ends of the cell's diagonal, and the two nearest other vertices."""
    work.start(1.0)
    tile, first, rest, before = work.tile, work.first, work.rest, work.before
    nearer, upper, difference = work.nearer, work.upper, work.difference
    offsets, (u, v) = tile.offsets, tile.offsets
    np.add(u, before[1], out=upper)
    np.maximum(upper, work.zero, out=nearer)
    nearer += first
    nearer -= np.float32(1)
    np.add(first, upper, out=rest)
    out += work.contribution(rest, before, tile.gradients(1, 1))
    out += work.contribution(first, offsets, tile.gradients(0, 0))
    np.floor(upper, out=upper)
    upper += np.float32(1)  # 1 where the opposite corner is the nearer one, else 0
    offsets -= upper
    np.copyto(before, offsets)
    np.add(u, difference, out=before[0])
    gradients = _across(work, before[0], u, (-1, 0), (2, 0))
    out += work.contribution(rest, before, gradients)
    np.subtract(v, difference, out=before[1])
    gradients = _across(work, before[1], v, (0, -1), (0, 2))
    np.copyto(before[0], u)
    out += work.contribution(rest, before, gradients)


def _across(
    work: Work, away: Field, along: Field, behind: tuple[int, int], move: tuple[int, int]
) -> NDArray[np.float32]:
    """The nearest other vertex along one axis, ahead of the nearer corner or behind it.

    ``away`` is positive where it lies ahead, and becomes the offset along that axis from it;
    its kernel is left in ``work.rest``. Returns its gradients.
    """
    ahead = work.first
    np.greater(away, work.zero, out=work.leads)
    np.copyto(ahead, work.leads)
    np.abs(away, out=work.rest)
    work.rest += work.nearer
    np.add(along, np.float32(1), out=away)
    away -= ahead
    away -= ahead
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
