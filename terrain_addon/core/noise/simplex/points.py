# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenSimplex2 and OpenSimplex2S (K.jpg, 2020), value for value as in FastNoiseLite.

In 2D the work is done in skewed coordinates (u, v). There the squared distance to a vertex is
2/3 (u u - u v + v v), and a gradient g has the components g - G2 (gx + gy), so nothing needs to be
unskewed. The radius of the kernels is the height of a triangle, so that of the vertices outside a
point's triangle none reaches it.

With offsets (u, v) in the cell and d = u - v, the kernel of the corner of the cell is
``a = r - (d u + v v)`` before it is clamped and raised to the fourth power. Those of the other
vertices that can reach the point follow by additions, without branches:

* the opposite corner: a + (u + v - 1),
* the nearer of the other two corners: a + max(u - 1 + d, v - 1 - d),
* of OpenSimplex2S, with (p, q) the offsets from the nearer of the first two corners, whose kernel
  is b: the nearest other vertices along u and v, b + abs(p + d) - 1 and b + abs(q - d) - 1.

:class:`KernelSum` adds vertex by vertex. :func:`write_four` adds two vertices of OpenSimplex2S at
once, which is faster.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...numerics.work_arrays import Scratch, zeros
from ..fractals.octave import Axis, Field, Octave
from ..hashing.cells import Cells
from ..hashing.corners import CornerHash, MaskedMove
from ..hashing.fastnoise_hash import GRADIENTS_2D, gradient_hash
from ..hashing.sign_masks import ONE, ONE_BITS, SIGN, TWO_BITS, Mask
from .skewed_points import SkewedPoints, skewed_points
from .vertices import UNSKEW


def write_four(points: SkewedPoints, out: Field, scratch: Scratch) -> None:
    """Write the sum into ``out`` (n,); the offsets of the points are overwritten."""
    key = ("four", out.shape)
    work: _Work | None = scratch.kept.get(key)
    if work is None:
        work = scratch.kept[key] = _Work(out.size, scratch)
    # Offsets to the opposite end of the diagonal, and v - u and u - v
    before, apart = points.spare[:2], points.spare[2:]
    _write_ends(points, work, before, apart, out)
    # From now on, the points' cells and offsets are those of the nearer end.
    np.bitwise_and(work.opposite, ONE_BITS, out=work.upper_bits)
    np.subtract(points.offsets, work.upper, out=points.offsets)
    points.advance(work.opposite, (1, 1))
    _add_others(points, work, before, apart, out)


class _Work:
    """Few arrays, used again and again: more would not stay in the cache. Views are made once.

    Attributes
    ----------
    kernels, first, second : ndarray, shape (2, n)
        Of two vertices at once, and of each.
    nearer : ndarray of float32, shape (n,)
        Kernel at the nearer end, less 1.
    fields, ends, along, across : ndarray, shape (2, 2, n)
        What is hashed there, of each end, and of other vertices the components of gradients along
        the axis of the step and across.
    upper : ndarray of float32, shape (n,)
        Less than 0 where the opposite end is the nearer one.
    masks, opposite : ndarray, shape (2, n)
        Whether the nearest other vertex along each axis lies ahead; at first, whether the opposite
        end is the nearer one.
    """

    def __init__(self, count: int, scratch: Scratch) -> None:
        shape = (2, count)
        self.kernels, self.fields = scratch("kernels", shape), scratch("vertices", (2, *shape))
        self.masks, self.zero = scratch("masks", shape, np.int32), zeros(shape[1:], scratch)
        self.first, self.second = self.kernels
        self.opposite = self.masks[0]
        self.nearer = self.masks[1].view(np.float32)  # needed until there are two masks
        self.along, self.across = self.ends = list(self.fields)
        self.pairs = [list(pair) for pair in self.fields]
        self.across_bits = self.across.view(np.int32)
        self.along_u, self.along_v = self.fields[:, 0], self.fields[:, 1]
        self.upper = self.along_u[0]
        self.upper_bits = self.upper.view(np.int32)


def _write_ends(points: SkewedPoints, work: _Work, before: Field, apart: Field, out: Field) -> None:
    """Write the ends of the diagonal, and which is nearer."""
    offsets, kernels, first, opposite = points.offsets, work.kernels, work.first, work.second
    along_u, upper = work.along_u, work.upper
    u = offsets[0]
    # What is left of the kernels there, less 1; that is never negative in the cell.
    np.subtract(offsets[::-1], offsets, out=apart)
    np.multiply(apart[1], offsets[1], out=first)
    np.multiply(u, u, out=opposite)
    np.subtract(first, opposite, out=first)
    np.subtract(ONE, offsets, out=before)
    np.subtract(before[1], u, out=upper)
    np.right_shift(work.upper_bits, SIGN, out=work.opposite)
    np.subtract(first, upper, out=opposite)
    np.maximum(first, opposite, out=work.nearer)
    np.add(kernels, ONE, out=kernels)
    np.multiply(kernels, kernels, out=kernels)
    np.multiply(kernels, kernels, out=kernels)
    points.write((0, 0), work.pairs[0])
    points.write((1, 1), work.pairs[1])
    np.multiply(work.ends[0], offsets, out=work.ends[0])
    np.multiply(work.ends[1], before, out=work.ends[1])
    np.add(along_u, work.along_v, out=along_u)
    np.multiply(along_u, kernels, out=along_u)
    np.subtract(along_u[0], along_u[1], out=out)


def _add_others(points: SkewedPoints, work: _Work, moved: Field, apart: Field, out: Field) -> None:
    """Add the nearest other vertices along u and along v, ahead or behind."""
    offsets, kernels, masks = points.offsets, work.kernels, work.masks
    along, across, pairs = work.along, work.across, work.pairs
    # How far the one behind is nearer: negative where it is the one ahead. There 2, else 0.
    behind = np.subtract(apart, offsets, out=across)
    np.abs(behind, out=kernels)
    np.add(kernels, work.nearer, out=kernels)
    np.maximum(kernels, work.zero, out=kernels)
    np.multiply(kernels, kernels, out=kernels)
    np.multiply(kernels, kernels, out=kernels)
    np.right_shift(work.across_bits, SIGN, out=masks)
    np.bitwise_and(masks, TWO_BITS, out=work.across_bits)
    np.add(offsets, ONE, out=moved)
    np.subtract(moved, across, out=moved)
    points.write((-1, 0), (pairs[0][0], pairs[1][0]), (masks[0], (2, 0)))
    points.write((0, -1), (pairs[1][1], pairs[0][1]), (masks[1], (0, 2)))
    np.multiply(along, moved, out=along)
    np.multiply(across, offsets[::-1], out=across)
    np.add(along, across, out=along)
    np.multiply(along, kernels, out=along)
    np.add(out, along[0], out=out)
    np.add(out, along[1], out=out)


def skewed_columns(scale: float) -> tuple[Field, ...]:
    """Return FastNoiseLite's 2D gradients in skewed coordinates, times the scale of the noise."""
    table = np.stack(GRADIENTS_2D).astype(np.float64)
    table = (table - UNSKEW * table.sum(axis=0)) * (scale * (2 / 3) ** 4)
    return tuple(table.astype(np.float32))


SCALES = {"opensimplex2": 99.83685446303647, "opensimplex2s": 18.24196194486065}
"""What brings the sums to -1..1."""
GRADIENTS_2, GRADIENTS_2S = (gradient_hash(skewed_columns(scale)) for scale in SCALES.values())


class KernelSum:
    """Sum over vertices of a kernel times the gradient times the offset.

    Parameters
    ----------
    out : ndarray of float32
        The sum; the first vertex overwrites it.

    Attributes
    ----------
    u, v : ndarray of float32, shape (n,)
        Offsets from the corner of the cell.
    before : ndarray, shape (2, ...)
        Offsets from the opposite corner.
    difference : ndarray of float32, shape (n,)
        u - v.
    first : ndarray of float32, shape (n,)
        Kernel at the corner of the cell.
    """

    def __init__(self, points: SkewedPoints, radius: float, out: Field, scratch: Scratch) -> None:
        self.points, self.out, self.scratch, self._begun = points, out, scratch, False
        self.u, self.v = u, v = points.offsets[0], points.offsets[1]
        self.before = points.spare[:2]
        self.difference, self.first = points.spare[2], points.spare[3]
        self.rest, self.zero = scratch("rest", u.shape), zeros(u.shape, scratch)
        np.subtract(u, v, out=self.difference)
        np.multiply(self.difference, u, out=self.first)
        np.multiply(v, v, out=self.rest)
        np.add(self.first, self.rest, out=self.first)
        np.subtract(np.float32(radius), self.first, out=self.first)
        np.subtract(points.offsets, ONE, out=self.before)

    def add(self, rest: Field, offsets: Field, step: tuple[int, int], *moves: MaskedMove) -> None:
        """Add a vertex at those offsets, so many steps from the cell; destroys ``rest``."""
        np.maximum(rest, self.zero, out=rest)
        np.multiply(rest, rest, out=rest)
        np.multiply(rest, rest, out=rest)
        self.contribute(rest, offsets, self.points.at(step, *moves))

    def contribute(self, kernel: Field, offsets: Field, fields: Field) -> None:
        """Add the kernel times what the fields come to; both are destroyed."""
        np.multiply(fields, offsets, out=fields)
        along_u = fields[0]
        np.add(along_u, fields[1], out=along_u)
        self.add_product(along_u, kernel)

    def add_product(self, fields: Field, kernel: Field) -> None:
        """Add the product to the sum, or begin the sum with it; overwrites the fields."""
        if not self._begun:
            self._begun = True
            np.multiply(fields, kernel, out=self.out)
            return
        np.multiply(fields, kernel, out=fields)
        np.add(self.out, fields, out=self.out)


def add_triangle(total: KernelSum) -> None:
    """Add the vertices of OpenSimplex2: the ends of its diagonal and the nearer other one."""
    before, difference, first, rest = total.before, total.difference, total.first, total.rest
    u, v, before_u, before_v = total.u, total.v, before[0], before[1]
    np.add(first, u, out=rest)
    np.add(rest, before_v, out=rest)
    total.add(rest, before, (1, 1))
    np.add(before_u, difference, out=rest)
    np.subtract(before_v, difference, out=before_v)
    np.maximum(rest, before_v, out=rest)
    np.add(rest, first, out=rest)
    total.add(first, total.points.offsets, (0, 0))
    # The vertex (1, 0) where u leads, and (0, 1) where v does
    leads, side = total.scratch("leads", u.shape, np.int32), difference
    np.right_shift(difference.view(np.int32), SIGN, out=leads)
    np.bitwise_and(leads, ONE_BITS, out=side.view(np.int32))
    np.add(before_u, side, out=before_u)
    np.subtract(v, side, out=before_v)
    total.add(rest, before, (1, 0), (leads, (-1, 1)))


def add_four(total: KernelSum) -> None:
    """Add the vertices of OpenSimplex2S: the ends of the cell's diagonal, and the two nearest
    other vertices."""
    before, first, rest = total.before, total.first, total.rest
    offsets, (nearer, upper) = total.points.offsets, total.scratch.rows("nearer", before.shape)
    np.add(total.u, before[1], out=upper)
    np.maximum(upper, total.zero, out=nearer)
    np.add(nearer, first, out=nearer)
    np.subtract(nearer, ONE, out=nearer)
    np.add(first, upper, out=rest)
    total.add(rest, before, (1, 1))
    total.add(first, offsets, (0, 0))
    # Whether the opposite corner is the nearer one
    opposite = _not_negative(upper, upper)
    np.bitwise_and(opposite, ONE_BITS, out=rest.view(np.int32))
    np.subtract(offsets, rest, out=offsets)
    total.points.advance(opposite, (1, 1))
    # The nearest other vertex along each axis, ahead of the nearer corner or behind it
    for axis, move in enumerate(((2, 0), (0, 2))):
        away = before[axis]
        (np.subtract if axis else np.add)(offsets[axis], total.difference, out=away)
        np.abs(away, out=rest)
        np.add(rest, nearer, out=rest)
        ahead = _not_negative(away, first)
        np.bitwise_and(ahead, TWO_BITS, out=away.view(np.int32))
        np.subtract(offsets[axis], away, out=away)
        np.add(away, ONE, out=away)
        np.copyto(before[1 - axis], offsets[1 - axis])
        behind = (-move[0] // 2, -move[1] // 2)
        total.add(rest, before, behind, (ahead, move))


def _not_negative(numbers: Field, out: Field) -> Mask:
    """Return a mask in the memory of ``out``."""
    mask = out.view(np.int32)
    np.right_shift(numbers.view(np.int32), SIGN, out=mask)
    return np.invert(mask, out=mask)


KINDS: dict[str, tuple[Callable[[KernelSum], None], float, CornerHash, tuple[int, int]]] = {
    "opensimplex2": (add_triangle, 0.75, GRADIENTS_2, (0, 1)),
    "opensimplex2s": (add_four, 1.0, GRADIENTS_2S, (-1, 2)),
}
"""What is added, the kernels' radius, what is hashed at vertices, least and greatest step there."""


def simplex_points(kind: str, octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
    """Write one octave at points (2, n), which are overwritten, into ``out`` (n,)."""
    _, _, gradients, reach = KINDS[kind]
    _write_sum(kind, skewed_points(octave, coords, gradients, reach, scratch), out, scratch)


def simplex_in_cells(
    kind: str, octave: Octave, cells: Cells, factor: float, out: Field, scratch: Scratch
) -> None:
    """Write one octave at points in the cells of the skewed lattice, times a factor."""
    _, _, gradients, reach = KINDS[kind]
    _write_sum(kind, SkewedPoints(octave, cells, gradients, reach, scratch), out, scratch)
    if factor != 1:
        np.multiply(out, np.float32(factor), out=out)


def _write_sum(kind: str, points: SkewedPoints, out: Field, scratch: Scratch) -> None:
    if kind == "opensimplex2s":
        write_four(points, out, scratch)
        return
    add, radius, _, _ = KINDS[kind]
    add(KernelSum(points, radius, out, scratch))
