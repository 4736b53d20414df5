# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenSimplex2S at points: the sum over the four vertices that can reach a point.

The formulas are those of :mod:`.simplex`. Here both ends of the cell's diagonal are worked on at
once, and then the nearest other vertices along both axes: that takes half the calls.
"""

from __future__ import annotations

import numpy as np

from .octave import Field
from .scratch import Scratch, zeros
from .signs import ONE, ONE_BITS, SIGN, TWO_BITS
from .skewed_points import SkewedPoints


def write_four(points: SkewedPoints, out: Field, scratch: Scratch) -> None:
    """Write the sum into ``out`` (n,); the offsets of the points are overwritten."""
    key = ("four", out.shape)
    work: _Work | None = scratch.kept.get(key)
    if work is None:
        work = scratch.kept[key] = _Work(out.size, scratch)
    # Offsets to the opposite end of the diagonal, and v - u and u - v
    before, apart = points.spare[:2], points.spare[2:]
    _write_ends(points, work, before, apart, out)
    _go_to_nearer_end(points, work)
    _add_others(points, work, before, apart, out)


class _Work:
    """Few arrays, used again and again: more would not stay in the cache. Views are made once.

    Attributes
    ----------
    kernels, first, second : (2, n) of two vertices at once, and of each
    nearer : what is left of the kernel at the nearer end, less 1
    fields, ends, along, across : (2, 2, n) what is hashed there, of each end, and of other vertices
        the components of gradients along the axis of the step and across
    upper : less than 0 where the opposite end is the nearer one
    masks, opposite : (2, n) whether the nearest other vertex along each axis lies ahead; at first,
        whether the opposite end is the nearer one
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
    """The ends of the diagonal, and which is nearer."""
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


def _go_to_nearer_end(points: SkewedPoints, work: _Work) -> None:
    """From now on, the points' cells and offsets are those of the nearer end."""
    np.bitwise_and(work.opposite, ONE_BITS, out=work.upper_bits)
    np.subtract(points.offsets, work.upper, out=points.offsets)
    points.advance(work.opposite, (1, 1))


def _add_others(points: SkewedPoints, work: _Work, moved: Field, apart: Field, out: Field) -> None:
    """The nearest other vertices along u and along v, ahead or behind."""
    offsets, kernels, masks = points.offsets, work.kernels, work.masks
    along, across, pairs = work.along, work.across, work.pairs
    # How far the one behind is nearer: negative where it is the one ahead. Then 2 there, else 0.
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
