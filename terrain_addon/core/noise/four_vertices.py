# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenSimplex2S at points: the sum over the four vertices that can reach a point.

The formulas are those of :mod:`.simplex`. Here both ends of the cell's diagonal are worked on at
once, and then the nearest other vertices along both axes: that takes half the calls. What differs
from point to point follows from signs, without comparisons: shifted by 31 bits, the bits of a
float32 are all set where it is negative, and "and" makes any number of them, or 0. A comparison
that writes numbers takes twice as long as either.
"""

from __future__ import annotations

import numpy as np

from .octave import Field
from .scratch import Scratch, zeros
from .skewed_points import SkewedPoints

ONE = np.float32(1)
ONE_BITS, TWO_BITS = np.array([1, 2], np.float32).view(np.int32)
SIGN = np.int32(31)
"""Bits to shift by."""


def write_four(points: SkewedPoints, out: Field, scratch: Scratch) -> None:
    """Write the sum into ``out`` (n,); the offsets of the points are overwritten."""
    work = _Work(points, scratch)
    _write_ends(points, work, out)
    _go_to_nearer_end(points, work)
    _add_others(points, work, out)


class _Work:
    """Few arrays, used again and again: more would not stay in the cache.

    Attributes
    ----------
    before : (2, n) offsets to the opposite end of the diagonal
    apart : (2, n) v - u and u - v
    nearer : what is left of the kernel at the nearer end, less 1
    kernels : (2, n) of two vertices at once
    fields : (2, 2, n) what is hashed there
    masks : (2, n) whether the opposite end is the nearer one, in the first row; later, whether the
        nearest other vertex along each axis lies ahead
    """

    def __init__(self, points: SkewedPoints, scratch: Scratch) -> None:
        shape = points.offsets.shape
        self.before, self.apart = points.spare[:2], points.spare[2:]
        self.kernels, self.fields = scratch("kernels", shape), scratch("vertices", (2, *shape))
        self.masks, self.zero = scratch("masks", shape, np.int32), zeros(shape[1:], scratch)
        self.nearer = self.masks[1].view(np.float32)  # needed until there are two masks


def _write_ends(points: SkewedPoints, work: _Work, out: Field) -> None:
    """The ends of the diagonal, and which is nearer."""
    offsets, (u, v), before, apart = points.offsets, points.offsets, work.before, work.apart
    kernels, (first, opposite), fields = work.kernels, work.kernels, work.fields
    lower = fields[0, 0]
    # What is left of the kernels there, less 1; that is never negative in the cell.
    np.subtract(offsets[::-1], offsets, out=apart)
    np.multiply(apart[1], v, out=first)
    np.multiply(u, u, out=opposite)
    np.subtract(first, opposite, out=first)
    np.subtract(ONE, offsets, out=before)
    np.subtract(before[1], u, out=lower)
    np.right_shift(lower.view(np.int32), SIGN, out=work.masks[0])
    np.subtract(first, lower, out=opposite)
    np.maximum(first, opposite, out=work.nearer)
    np.add(kernels, ONE, out=kernels)
    np.multiply(kernels, kernels, out=kernels)
    np.multiply(kernels, kernels, out=kernels)
    for step, offset, field in zip(((0, 0), (1, 1)), (offsets, before), fields, strict=True):
        points.write(step, field)
        np.multiply(field, offset, out=field)
    along_u, along_v = fields[:, 0], fields[:, 1]
    np.add(along_u, along_v, out=along_u)
    np.multiply(along_u, kernels, out=along_u)
    np.subtract(along_u[0], along_u[1], out=out)


def _go_to_nearer_end(points: SkewedPoints, work: _Work) -> None:
    """From now on, the points' cells and offsets are those of the nearer end."""
    opposite, one = work.masks[0], work.fields[0, 0]
    np.bitwise_and(opposite, ONE_BITS, out=one.view(np.int32))
    np.subtract(points.offsets, one, out=points.offsets)
    points.advance(opposite, (1, 1))


def _add_others(points: SkewedPoints, work: _Work, out: Field) -> None:
    """The nearest other vertices along u and along v, ahead or behind."""
    offsets, kernels, moved, masks = points.offsets, work.kernels, work.before, work.masks
    # Components of gradients along the axis of the step, and across
    along, across = work.fields
    # How far the one behind is nearer: negative where it is the one ahead
    behind = np.subtract(work.apart, offsets, out=across)
    np.abs(behind, out=kernels)
    np.add(kernels, work.nearer, out=kernels)
    np.maximum(kernels, work.zero, out=kernels)
    np.multiply(kernels, kernels, out=kernels)
    np.multiply(kernels, kernels, out=kernels)
    np.right_shift(behind.view(np.int32), SIGN, out=masks)
    two = np.bitwise_and(masks, TWO_BITS, out=behind.view(np.int32)).view(np.float32)
    np.add(offsets, ONE, out=moved)
    np.subtract(moved, two, out=moved)
    points.write((-1, 0), (along[0], across[0]), (masks[0], (2, 0)))
    points.write((0, -1), (across[1], along[1]), (masks[1], (0, 2)))
    np.multiply(along, moved, out=along)
    np.multiply(across, offsets[::-1], out=across)
    np.add(along, across, out=along)
    np.multiply(along, kernels, out=along)
    np.add(out, along[0], out=out)
    np.add(out, along[1], out=out)
