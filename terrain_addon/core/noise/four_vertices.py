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
    before : (2, n) offsets from the opposite end of the diagonal
    ahead, nearer : v - u, and what is left of the kernel at the nearer end, less 1
    kernels, along, across : (2, n) of two vertices at once
    masks : (2, n) whether the opposite end is the nearer one, in the first row; later, whether the
        nearest other vertex along each axis lies ahead
    """

    def __init__(self, points: SkewedPoints, scratch: Scratch) -> None:
        shape = points.offsets.shape
        self.before, (self.ahead, self.nearer) = points.spare[:2], points.spare[2:]
        self.kernels, self.along, self.across = (
            scratch(name, shape) for name in ("kernels", "along", "across")
        )
        self.masks, self.zero = scratch("masks", shape, np.int32), zeros(shape[1:], scratch)


def _write_ends(points: SkewedPoints, work: _Work, out: Field) -> None:
    """The ends of the diagonal, and which is nearer."""
    offsets, (u, v), before = points.offsets, points.offsets, work.before
    ahead, nearer, kernels, along, across = (
        work.ahead, work.nearer, work.kernels, work.along, work.across,
    )  # fmt: skip
    # What is left of the kernels there, which is never negative in the cell
    (first, opposite), (upper, lower) = kernels, across
    np.subtract(v, u, out=ahead)
    np.multiply(ahead, v, out=first)
    np.multiply(u, u, out=opposite)
    np.add(first, opposite, out=first)
    np.subtract(ONE, first, out=first)
    np.subtract(offsets, ONE, out=before)
    np.add(u, before[1], out=upper)
    np.add(first, upper, out=opposite)
    np.subtract(first, opposite, out=lower)
    np.right_shift(lower.view(np.int32), SIGN, out=work.masks[0])
    np.maximum(first, opposite, out=nearer)
    np.subtract(nearer, ONE, out=nearer)
    np.multiply(kernels, kernels, out=kernels)
    np.multiply(kernels, kernels, out=kernels)
    points.write((0, 0), along)
    points.write((1, 1), across)
    np.multiply(along, offsets, out=along)
    np.multiply(across, before, out=across)
    np.add(along[0], along[1], out=along[0])
    np.add(across[0], across[1], out=across[0])
    np.multiply(along[0], first, out=along[0])
    np.multiply(across[0], opposite, out=across[0])
    np.add(along[0], across[0], out=out)


def _go_to_nearer_end(points: SkewedPoints, work: _Work) -> None:
    """From now on, the points' cells and offsets are those of the nearer end."""
    opposite, one = work.masks[0], work.across[0]
    np.bitwise_and(opposite, ONE_BITS, out=one.view(np.int32))
    np.subtract(points.offsets, one, out=points.offsets)
    points.advance(opposite, (1, 1))


def _add_others(points: SkewedPoints, work: _Work, out: Field) -> None:
    """The nearest other vertices along u and along v, ahead or behind."""
    offsets, (u, v), masks = points.offsets, points.offsets, work.masks
    moved, kernels, along, across = work.before, work.kernels, work.along, work.across
    behind = across  # how far the one behind is nearer: negative where it is the one ahead
    np.subtract(work.ahead, u, out=behind[0])
    np.add(work.ahead, v, out=behind[1])
    np.negative(behind[1], out=behind[1])
    np.abs(behind, out=kernels)
    np.add(kernels, work.nearer, out=kernels)
    np.maximum(kernels, work.zero, out=kernels)
    np.multiply(kernels, kernels, out=kernels)
    np.multiply(kernels, kernels, out=kernels)
    np.right_shift(behind.view(np.int32), SIGN, out=masks)
    two = np.bitwise_and(masks, TWO_BITS, out=behind.view(np.int32)).view(np.float32)
    np.add(offsets, ONE, out=moved)
    np.subtract(moved, two, out=moved)
    # Components of gradients along the axis of the step are in one array, those across in another.
    points.write((-1, 0), (along[0], across[0]), (masks[0], (2, 0)))
    points.write((0, -1), (across[1], along[1]), (masks[1], (0, 2)))
    np.multiply(along, moved, out=along)
    np.multiply(across, offsets[::-1], out=across)
    np.add(along, across, out=along)
    np.multiply(along, kernels, out=along)
    np.add(out, along[0], out=out)
    np.add(out, along[1], out=out)
