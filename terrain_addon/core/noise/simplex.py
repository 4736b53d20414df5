# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenSimplex2 and OpenSimplex2S (K.jpg, 2020), value for value as FastNoiseLite has them.

In 2D the work is done in skewed coordinates (u, v). There the squared distance to a vertex is
2/3 (u u - u v + v v), and a gradient g has the components g - G2 (gx + gy), so nothing needs to be
unskewed. The radius of the kernels is the height of a triangle: a sum of clamped kernels over all
corners of the skewed cell equals the published choice of three, without branches.

In 3D there are two cubic lattices, half a cell apart, in rotated coordinates.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from .corners import CornerHash, Step
from .fastnoise import gradient_hash
from .octave import Axis, Field, Octave
from .scratch import Scratch
from .tables import GRADIENTS_2D, GRADIENTS_3D
from .vertices import UNSKEW, Vertices, cubic_vertices, skewed_vertices


def skewed_gradients(scale: float) -> CornerHash:
    """FastNoiseLite's 2D gradients in skewed coordinates, times the scale of the noise."""
    table = np.stack(GRADIENTS_2D).astype(np.float64)
    table = (table - UNSKEW * table.sum(axis=0)) * (scale * (2 / 3) ** 4)
    return gradient_hash(tuple(table.astype(np.float32)))


GRADIENTS_2 = skewed_gradients(99.83685446303647)
GRADIENTS_2S = skewed_gradients(18.24196194486065)
_GRADIENTS_3D = gradient_hash(GRADIENTS_3D)


def fourth_power(rest: Field, scratch: Scratch) -> Field:
    """max(rest, 0) ** 4, in place."""
    zero = scratch("zero", rest.shape)  # np.maximum with a scalar is five times slower
    zero.fill(0)
    np.maximum(rest, zero, out=rest)
    rest *= rest
    rest *= rest
    return rest


class SkewedKernels:
    """Kernels max(r - (u u - u v + v v), 0) ** 4 of vertices at skewed offsets u, v.

    ``radius`` is r, 3/2 of the squared radius. Those of the corners of the cell follow from the
    first one by two additions each.
    """

    def __init__(self, vertices: Vertices, radius: float, scratch: Scratch) -> None:
        self._vertices, self._radius, self._scratch = vertices, np.float32(radius), scratch
        u, v = vertices.rest
        self._difference = np.subtract(u, v, out=scratch("difference", u.shape))
        self._first = scratch("first_rest", u.shape)
        np.multiply(self._difference, u, out=self._first)
        square = np.multiply(v, v, out=scratch("square", u.shape))
        self._first += square
        np.subtract(self._radius, self._first, out=self._first)

    def at(self, step: Sequence[Step]) -> Field:
        """The kernel of one vertex; valid until the next call."""
        rest = self._scratch("rest", self._first.shape)
        right, up = step
        if isinstance(right, int) and isinstance(up, int):
            self._corner(right, up, rest)
        else:
            u, v = self._vertices.offset(step)
            np.subtract(u, v, out=rest)
            rest *= u
            rest += np.multiply(v, v, out=self._scratch("square", rest.shape))
            np.subtract(self._radius, rest, out=rest)
        return fourth_power(rest, self._scratch)

    def _corner(self, right: int, up: int, out: Field) -> None:
        """What is left of the kernel at a corner of the cell; steps are 0 or 1."""
        before_u, before_v = self._vertices.offset((1, 1))
        if right:
            np.add(self._first, before_u, out=out)
            out += self._vertices.rest[1] if up else self._difference
        elif up:
            np.add(self._first, before_v, out=out)
            out -= self._difference
        else:
            np.copyto(out, self._first)


def add_skewed(
    vertices: Vertices,
    steps: Iterable[tuple[Step, Step]],
    radius: float,
    out: Field,
    scratch: Scratch,
) -> None:
    """Write the sum of the contributions of vertices at those steps from the cell."""
    kernels = SkewedKernels(vertices, radius, scratch)
    for number, step in enumerate(steps):
        weight = kernels.at(step)
        u, v = vertices.offset(step)
        along_u, along_v = vertices.fields(step)
        along_u *= u
        along_v *= v
        along_u += along_v
        if number:
            along_u *= weight
            out += along_u
        else:
            np.multiply(along_u, weight, out=out)


def skewed_2(vertices: Vertices, out: Field, scratch: Scratch) -> None:
    """OpenSimplex2: kernels of the four corners of the skewed cell."""
    corners = itertools.product((0, 1), (0, 1))
    add_skewed(vertices, corners, 0.75, out, scratch)


def skewed_2s(vertices: Vertices, out: Field, scratch: Scratch) -> None:
    """OpenSimplex2S: two corners of the cell and the two nearest of the eight others in reach."""
    u, v = vertices.rest
    upper = (u + v > 1).astype(np.float32)
    difference = u - v
    # The third vertex is one step, or two, along u from the middle of the cell, and belongs to
    # the triangle along v; the fourth is its mirror image.
    along_u = (u + difference > upper).astype(np.float32)
    along_v = (v - difference > upper).astype(np.float32)
    for along in (along_u, along_v):
        along += along
        along += upper
        along -= 1
    steps = ((0, 0), (1, 1), (along_u, upper), (upper, along_v))
    add_skewed(vertices, steps, 1.0, out, scratch)


def opensimplex2_2d(octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
    skewed_2(skewed_vertices(octave, coords, GRADIENTS_2, (0, 1), scratch), out, scratch)


def opensimplex2s_2d(octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
    skewed_2s(skewed_vertices(octave, coords, GRADIENTS_2S, (-1, 2), scratch), out, scratch)


def _cube_term(
    vertices: Vertices, step: Sequence[Step], radius: float, scratch: Scratch
) -> tuple[Field, Field]:
    """Kernel of one vertex of a cubic lattice, and its gradient times the offset."""
    offsets = vertices.offset(step)
    weight = scratch("rest", offsets[0].shape)
    np.subtract(np.float32(radius), offsets[0] * offsets[0], out=weight)
    for offset in offsets[1:]:
        weight -= offset * offset
    fields = vertices.fields(step)
    total = fields[0]
    for axis, (field, offset) in enumerate(zip(fields, offsets, strict=True)):
        field *= offset
        if axis:
            total += field
    return fourth_power(weight, scratch), total


def opensimplex2_3d(octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
    """Of each of two cubic lattices, the nearest vertex and the next along one axis.

    As published, other vertices are left out although their kernels reach here, by up to 0.0001
    before scaling.
    """
    out.fill(0)
    seeds = (octave.seed, ~octave.seed)
    for vertices in cubic_vertices(octave, coords, _GRADIENTS_3D, seeds, scratch):
        rest = np.stack(vertices.rest)
        near = (rest > 0.5).astype(np.float32)
        away = np.abs(rest - near)
        along_x = (away[0] >= away[1]) & (away[0] >= away[2])
        along_y = ~along_x & (away[1] > away[0]) & (away[1] >= away[2])
        along = np.stack([along_x, along_y, ~along_x & ~along_y])
        second = np.where(along, 1 - near, near)
        for step in (near, second):
            weight, value = _cube_term(vertices, list(step), 0.6, scratch)
            weight *= value
            out += weight
    out *= np.float32(32.69428253173828125)


def opensimplex2s_3d(octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
    """Vertices near the point, of two cubic lattices half a cell apart.

    As published, vertices whose kernels reach here but hardly are left out: those across two axes
    where the one across the third axis is in reach, and in the second lattice the one across an
    axis where that of the first is.
    """
    seeds = (octave.seed, octave.seed + 1293373)
    lattices = cubic_vertices(octave, coords, _GRADIENTS_3D, seeds, scratch)
    steps = [_near_and_far(vertices) for vertices in lattices]
    out.fill(0)

    def add(lattice: int, flips: tuple[int, ...], taken: NDArray[np.bool_] | None) -> Field:
        """Add a vertex across those axes from the nearest, where taken; return its kernel."""
        step = [steps[lattice][axis in flips][axis] for axis in range(3)]
        weight, value = _cube_term(lattices[lattice], step, 0.75, scratch)
        value *= weight
        np.add(out, value, out=out, where=True if taken is None else taken)
        return weight

    for lattice in range(2):
        add(lattice, (), None)
    for axis in range(3):
        others = tuple(other for other in range(3) if other != axis)
        missed = add(0, (axis,), None) <= 0
        add(0, others, missed)
        reached = add(1, (axis,), missed) > 0
        add(1, others, ~(missed & reached))
    out *= np.float32(9.046026385208288)


def _near_and_far(vertices: Vertices) -> tuple[list[Field], list[Field]]:
    """Steps to the nearer and to the farther side of the cell along each axis."""
    near = [(rest >= 0.5).astype(np.float32) for rest in vertices.rest]
    return near, [1 - side for side in near]
