# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenSimplex2 and OpenSimplex2S (K.jpg, 2020), value for value as FastNoiseLite has them.

In 2D the work is done in skewed coordinates (u, v). There the squared distance to a vertex is
2/3 (u u - u v + v v), and a gradient g has the components g - G2 (gx + gy), so nothing needs to be
unskewed. The radius of the kernels is the height of a triangle: a sum of clamped kernels over all
corners of the skewed cell equals the published choice of three, without branches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..params import Setting
from .cells import copy_lines, corner_shape, split
from .fastnoise import PRIMES, doubled, gradients
from .octave import Axis, Field, Octave
from .registry import Basis, register_basis
from .scratch import Scratch
from .tables import GRADIENTS_2D, GRADIENTS_3D
from .torus import Torus

SKEW = (3**0.5 - 1) / 2
UNSKEW = (3 - 3**0.5) / 6
SKEW_MATRIX = np.array([[1 + SKEW, SKEW], [SKEW, 1 + SKEW]])
ROTATION = np.full((3, 3), 2 / 3) - np.eye(3)
"""Turns the 3D lattice so that its long diagonal points along z."""

Lines = NDArray[np.int64]


def skewed_gradients(scale: float) -> tuple[Field, ...]:
    """FastNoiseLite's 2D gradients in skewed coordinates, times the scale of the noise."""
    table = np.stack(GRADIENTS_2D).astype(np.float64)
    table = (table - UNSKEW * table.sum(axis=0)) * (scale * (2 / 3) ** 4)
    return doubled(tuple(table.astype(np.float32)))


_GRADIENTS_2 = skewed_gradients(99.83685446303647)
_GRADIENTS_2S = skewed_gradients(18.24196194486065)
_GRADIENTS_3D = doubled(GRADIENTS_3D)


def kernel(rest: Field, scratch: Scratch) -> Field:
    """max(rest, 0) ** 4, in place."""
    zero = scratch("zero", rest.shape)  # np.maximum with a scalar is five times slower
    zero.fill(0)
    np.maximum(rest, zero, out=rest)
    rest *= rest
    rest *= rest
    return rest


def skewed_kernel(u: Field, v: Field, radius: float, scratch: Scratch) -> Field:
    """Kernel of corners at skewed offsets u, v; ``radius`` is 3/2 of its squared radius."""
    rest = scratch("rest", np.broadcast_shapes(u.shape, v.shape))
    np.subtract(u, v, out=rest)
    rest *= u
    rest += v * v
    np.subtract(np.float32(radius), rest, out=rest)
    return kernel(rest, scratch)


class Vertices:
    """Cell and offset of points in a (possibly periodic) integer lattice."""

    def __init__(
        self, matrix: NDArray[np.float64], octave: Octave, coords: Axis, scratch: Scratch
    ) -> None:
        self.scratch, self.torus = scratch, None
        if octave.period is not None:
            self.torus = Torus(matrix, octave.period)
            coords = self.torus.place(coords)
        elif len(matrix) == 2:
            coords += (coords[0] + coords[1]) * SKEW
        else:
            coords = np.subtract((coords[0] + coords[1] + coords[2]) * (2 / 3), coords)
        self.coords = coords
        self.shift(0.0)

    def shift(self, by: float) -> None:
        """Work in the lattice whose vertices lie at whole numbers minus ``by``."""
        if by:
            self.coords = self.coords + by
        self.offset = self.scratch("offset", self.coords.shape)
        self.cell = split(self.coords, self.scratch, self.offset)
        self._base = self.scratch("base", self.coords.shape, np.uint32)
        copy_lines(self.cell, self._base, self.scratch)
        self._base *= np.array(PRIMES[: len(self.cell)], np.uint32)[:, None]

    def keys(self, steps: Sequence[NDArray[Any]]) -> list[NDArray[np.uint32]]:
        """Hash keys of the vertices at whole steps from the cell, one array per axis."""
        if self.torus is None:
            return [
                base + step.astype(np.int64).astype(np.uint32) * np.uint32(prime)
                for base, step, prime in zip(self._base, steps, PRIMES, strict=False)
            ]
        lines = [
            cell.astype(np.int64) + step.astype(np.int64)
            for cell, step in zip(self.cell, steps, strict=True)
        ]
        lines = self.torus.reduce(list(np.broadcast_arrays(*lines)))
        return [
            line.astype(np.uint32) * np.uint32(prime)
            for line, prime in zip(lines, PRIMES, strict=False)
        ]

    def corners(self) -> tuple[list[NDArray[np.uint32]], list[Field]]:
        """Keys and offsets of the corners of the cell, which broadcast to [..., y, x, point]."""
        axes = len(self.cell)
        shapes = [corner_shape(axis, axes, 2, 1) for axis in range(axes)]
        steps = [np.arange(2).reshape(shape) for shape in shapes]
        offsets = [
            offset - step.astype(np.float32)
            for offset, step in zip(self.offset, steps, strict=True)
        ]
        return self.keys(steps), offsets


def _contribution(
    seed: int,
    keys: Sequence[NDArray[np.uint32]],
    offsets: Sequence[Field],
    weight: Field,
    table: tuple[Field, ...],
    scratch: Scratch,
) -> Field:
    """Sum over all corners of weight * (gradient . offset), (n,)."""
    fields = gradients(np.uint32(seed & 0xFFFFFFFF), keys, scratch, table)
    total = fields[0]
    for axis, (field, offset) in enumerate(zip(fields, offsets, strict=True)):
        field *= offset
        if axis:
            total += field
    total *= weight
    total = total.reshape(-1, total.shape[-1])
    for row in total[1:]:
        total[0] += row
    return total[0]


def opensimplex2_2d(octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
    """Kernels of the four corners of the skewed cell."""
    vertices = Vertices(SKEW_MATRIX, octave, coords, scratch)
    keys, offsets = vertices.corners()
    weight = skewed_kernel(offsets[0], offsets[1], 0.75, scratch)
    np.copyto(out, _contribution(octave.seed, keys, offsets, weight, _GRADIENTS_2, scratch))


def opensimplex2s_2d(octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
    """Kernels of two corners of the cell and of the two nearest of the eight others in reach."""
    vertices = Vertices(SKEW_MATRIX, octave, coords, scratch)
    u, v = vertices.offset
    upper = (u + v > 1).astype(np.float32)
    steps = scratch("steps", (2, 4, out.size))
    steps[:, 0], steps[:, 1] = 0, 1
    difference = u - v
    # Along u the third vertex is two away from the middle of the cell if it is nearer, else one;
    # along v it is the one of the triangle. The fourth is its mirror image.
    steps[0, 2] = 2 * (u + difference > upper) + upper - 1
    steps[1, 2] = upper
    steps[0, 3] = upper
    steps[1, 3] = 2 * (v - difference > upper) + upper - 1
    offsets = [u - steps[0], v - steps[1]]
    weight = skewed_kernel(offsets[0], offsets[1], 1.0, scratch)
    keys = vertices.keys([steps[0], steps[1]])
    np.copyto(out, _contribution(octave.seed, keys, offsets, weight, _GRADIENTS_2S, scratch))


def opensimplex2s_3d(octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
    """Vertices near the point, of two cubic lattices half a cell apart.

    Corners are numbered by flips from the nearest vertex: [z, y, x], 1 for the farther side.
    """
    vertices = Vertices(ROTATION, octave, coords, scratch)
    found: list[tuple[list[NDArray[np.uint32]], list[Field], Field]] = []
    for by in (0.0, 0.5):
        if by:
            vertices.shift(by)
        near = (vertices.offset >= 0.5).astype(np.float32)
        steps = np.stack([near, 1 - near], axis=1)
        offsets = vertices.offset[:, None] - steps
        shapes = [corner_shape(axis, 3, 2, out.size) for axis in range(3)]
        keys = vertices.keys([s.reshape(shape) for s, shape in zip(steps, shapes, strict=True)])
        x, y, z = (o.reshape(shape) for o, shape in zip(offsets, shapes, strict=True))
        weight = kernel((np.float32(0.75) - x * x) - (y * y + z * z), scratch)
        found.append((keys, [x, y, z], weight))
    _leave_out(found[0][2], found[1][2])
    out.fill(0)
    for (keys, offsets, weight), seed in zip(
        found, (octave.seed, octave.seed + 1293373), strict=True
    ):
        out += _contribution(seed, keys, offsets, weight, _GRADIENTS_3D, scratch)
    out *= np.float32(9.046026385208288)


def _leave_out(first: Field, second: Field) -> None:
    """Zero the weights (flip z, y, x, n) of vertices that the published noise leaves out.

    Their kernels reach here, but by so little that they are hardly seen.
    """
    for x, y, z in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        one, both = (z, y, x), (1 - z, 1 - y, 1 - x)
        reached = first[one] > 0
        first[both][reached] = 0
        second[one][reached] = 0
        second[both][second[one] > 0] = 0
    first[1, 1, 1] = 0
    second[1, 1, 1] = 0


def opensimplex2_3d(octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
    """Of each of two cubic lattices, the nearest vertex and the next along one axis.

    As published, other vertices are left out although their kernels reach here, by up to 0.0001
    before scaling.
    """
    vertices = Vertices(ROTATION, octave, coords, scratch)
    for by, seed in ((0.0, octave.seed), (0.5, ~octave.seed)):
        if by:
            vertices.shift(by)
        nearest = (vertices.offset > 0.5).astype(np.float32)
        d = vertices.offset - nearest
        away = np.abs(d)
        along_x = (away[0] >= away[1]) & (away[0] >= away[2])
        along_y = ~along_x & (away[1] > away[0]) & (away[1] >= away[2])
        along = np.stack([along_x, along_y, ~along_x & ~along_y])
        towards = np.where(vertices.offset > 0.5, np.float32(-1), np.float32(1)) * along
        steps = np.stack([nearest, nearest + towards], axis=1)
        offsets = [d_axis - np.stack([0 * t, t]) for d_axis, t in zip(d, towards, strict=True)]
        x, y, z = (offset * offset for offset in offsets)
        weight = kernel((np.float32(0.6) - x) - (y + z), scratch)
        keys = vertices.keys(list(steps))
        total = _contribution(seed, keys, offsets, weight, _GRADIENTS_3D, scratch)
        if by:
            out += total
        else:
            np.copyto(out, total)
    out *= np.float32(32.69428253173828125)


class Simplex(Basis):
    """A basis on a triangular lattice."""

    dimensions = (2, 3)
    settings: tuple[Setting, ...] = ()
    single_precision = True

    def __init__(self, name: str, label: str, help: str, evaluate: Mapping[int, Any]) -> None:
        self.name, self.label, self.help = name, label, help
        self._evaluate = evaluate

    def points(
        self,
        octave: Octave,
        coords: Axis,
        out: Field,
        scratch: Scratch,
        settings: Mapping[str, Any],
    ) -> None:
        self._evaluate[len(coords)](octave, coords, out, scratch)


register_basis(
    Simplex(
        "opensimplex2",
        "OpenSimplex2",
        "Gradient noise on triangles, without the grid directions of Perlin noise",
        {2: opensimplex2_2d, 3: opensimplex2_3d},
    )
)
register_basis(
    Simplex(
        "opensimplex2s",
        "OpenSimplex2S",
        "The smoother kind of OpenSimplex2, with softer and rounder forms",
        {2: opensimplex2s_2d, 3: opensimplex2s_3d},
    )
)
