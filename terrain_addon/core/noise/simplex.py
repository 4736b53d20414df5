# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenSimplex2 and OpenSimplex2S (K.jpg, 2020), value for value as FastNoiseLite has them.

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
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from .fastnoise import gradient_hash
from .lookup import Move
from .octave import Axis, Field, Octave
from .scratch import Scratch
from .skewed_points import SkewedPoints
from .tables import GRADIENTS_2D
from .vertices import UNSKEW


def skewed_columns(scale: float) -> tuple[Field, ...]:
    """FastNoiseLite's 2D gradients in skewed coordinates, times the scale of the noise."""
    table = np.stack(GRADIENTS_2D).astype(np.float64)
    table = (table - UNSKEW * table.sum(axis=0)) * (scale * (2 / 3) ** 4)
    return tuple(table.astype(np.float32))


GRADIENTS_2 = gradient_hash(skewed_columns(99.83685446303647))
GRADIENTS_2S = gradient_hash(skewed_columns(18.24196194486065))
ZERO, ONE = np.float32(0), np.float32(1)


class Points(Protocol):
    """Points in their cells, and what is hashed at the vertices around them."""

    u: Field
    v: Field
    spare: Field

    def at(self, step: tuple[int, int], *moves: Move) -> Sequence[Field]: ...


class KernelSum:
    """Sum over vertices of a kernel times the gradient times the offset.

    Attributes
    ----------
    difference, first : u - v, and what is left of the kernel at the corner of the cell
    before_u, before_v : offsets from the opposite corner
    """

    def __init__(self, points: Points, radius: float, out: Field, scratch: Scratch) -> None:
        self.points, self.out = points, out
        self._empty = True
        self.difference, self.first, self.before_u, self.before_v = points.spare
        self.rest = scratch("rest", points.u.shape)
        u, v = points.u, points.v
        np.subtract(u, v, out=self.difference)
        np.multiply(self.difference, u, out=self.first)
        np.multiply(v, v, out=self.rest)
        np.add(self.first, self.rest, out=self.first)
        np.subtract(np.float32(radius), self.first, out=self.first)
        np.subtract(u, ONE, out=self.before_u)
        np.subtract(v, ONE, out=self.before_v)

    def add(self, rest: Field, u: Field, v: Field, step: tuple[int, int], *moves: Move) -> None:
        """Add a vertex at the offset (u, v), so many steps from the cell; destroys ``rest``."""
        np.maximum(rest, ZERO, out=rest)
        rest *= rest
        rest *= rest
        self.contribute(rest, u, v, self.points.at(step, *moves))
        self._empty = False

    def contribute(self, kernel: Field, u: Field, v: Field, fields: Sequence[Field]) -> None:
        """Add the kernel times what the fields, which are destroyed, come to."""
        along_u, along_v = fields
        along_u *= u
        along_v *= v
        along_u += along_v
        self.sum(along_u, kernel, self.out)

    def sum(self, field: Field, kernel: Field, out: Field) -> None:
        """Add a product, or write the first one."""
        if self._empty:
            np.multiply(field, kernel, out=out)
        else:
            field *= kernel
            out += field


def add_triangle(total: KernelSum) -> None:
    """OpenSimplex2: of the cell's corners, the ends of its diagonal and the nearer other one."""
    u, v, before_u, before_v = total.points.u, total.points.v, total.before_u, total.before_v
    difference, first, rest = total.difference, total.first, total.rest
    np.add(first, u, out=rest)
    np.add(rest, before_v, out=rest)
    total.add(rest, before_u, before_v, (1, 1))
    np.add(before_u, difference, out=rest)
    np.subtract(before_v, difference, out=before_v)
    np.maximum(rest, before_v, out=rest)
    np.add(rest, first, out=rest)
    total.add(first, u, v, (0, 0))
    # 0 where u leads, at the vertex (1, 0); 1 where v does, at (0, 1)
    side = np.less(u, v, out=difference)
    np.add(before_u, side, out=before_u)
    np.subtract(v, side, out=before_v)
    total.add(rest, before_u, before_v, (1, 0), (side, (-1, 1)))


def add_four(total: KernelSum, scratch: Scratch) -> None:
    """OpenSimplex2S: the ends of the cell's diagonal, and the two nearest other vertices."""
    u, v, before_u, before_v = total.points.u, total.points.v, total.before_u, total.before_v
    first, rest = total.first, total.rest
    nearer, upper = scratch("nearer", (2, u.size))
    np.add(u, before_v, out=upper)
    np.maximum(upper, ZERO, out=nearer)
    np.add(nearer, first, out=nearer)
    np.subtract(nearer, ONE, out=nearer)
    np.add(first, upper, out=rest)
    total.add(rest, before_u, before_v, (1, 1))
    total.add(first, u, v, (0, 0))
    # 1 where the opposite corner is the nearer one, else 0
    np.greater_equal(upper, ZERO, out=upper)
    np.subtract(u, upper, out=u)
    np.subtract(v, upper, out=v)
    away, ahead = before_u, before_v
    np.add(u, total.difference, out=away)
    _aside(rest, nearer, away, u, ahead)
    total.add(rest, ahead, v, (-1, 0), (upper, (1, 1)), (away, (2, 0)))
    np.subtract(v, total.difference, out=away)
    _aside(rest, nearer, away, v, ahead)
    total.add(rest, u, ahead, (0, -1), (upper, (1, 1)), (away, (0, 2)))


def _aside(rest: Field, nearer: Field, away: Field, along: Field, offset: Field) -> None:
    """The nearest other vertex along one axis, ahead of the nearer corner or behind it.

    ``away`` is positive where it lies ahead; it becomes 1 there, else 0. Writes the offset along
    that axis from it, and to ``rest`` what is left of its kernel.
    """
    np.abs(away, out=rest)
    np.add(rest, nearer, out=rest)
    np.greater(away, ZERO, out=away)
    np.add(along, ONE, out=offset)
    np.subtract(offset, away, out=offset)
    np.subtract(offset, away, out=offset)


def opensimplex2_2d(octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
    """Write one octave at points (2, n), which are overwritten, into ``out`` (n,)."""
    points = SkewedPoints(octave, coords, GRADIENTS_2, (0, 1), scratch)
    add_triangle(KernelSum(points, 0.75, out, scratch))


def opensimplex2s_2d(octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
    """Write one octave at points (2, n), which are overwritten, into ``out`` (n,)."""
    points = SkewedPoints(octave, coords, GRADIENTS_2S, (-1, 2), scratch)
    add_four(KernelSum(points, 1.0, out, scratch), scratch)
