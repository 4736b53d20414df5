# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenSimplex2 and OpenSimplex2S in 3D: two cubic lattices, half a cell apart, in rotated
coordinates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ...numerics.work_arrays import Scratch, zeros
from ..fractals.octave import Axis, Field, Octave
from ..hashing.corners import CornerHash
from ..hashing.fastnoise_hash import GRADIENTS_3D, gradient_hash
from .vertices import Vertices, cubic_vertices

_GRADIENTS_3D = gradient_hash(GRADIENTS_3D)


def cube_rest(offsets: Sequence[Field], radius: float, scratch: Scratch) -> Field:
    """Compute a kernel, max(radius - squared distance, 0); valid until the next call."""
    rest, zero = scratch("rest", offsets[0].shape), zeros(offsets[0].shape, scratch)
    np.subtract(np.float32(radius), offsets[0] * offsets[0], out=rest)
    for offset in offsets[1:]:
        rest -= offset * offset
    return np.maximum(rest, zero, out=rest)


def cube_kernel(offsets: Sequence[Field], radius: float, scratch: Scratch) -> Field:
    """Return the fourth power of :func:`cube_rest`; valid until the next call."""
    kernel = cube_rest(offsets, radius, scratch)
    kernel *= kernel
    kernel *= kernel
    return kernel


class CubeSum:
    """Sum over vertices of cubic lattices of a kernel times the gradient times the offset.

    Parameters
    ----------
    radius : float
        Squared, of the kernels.
    out : ndarray of float32, shape (n,)
        What is added to.
    """

    def __init__(self, radius: float, out: Field, scratch: Scratch) -> None:
        self.radius, self.out, self.scratch = radius, out, scratch
        out.fill(0)

    def add(
        self, vertices: Vertices, step: Sequence[Field], taken: NDArray[np.bool_] | None = None
    ) -> Field:
        """Add a vertex, where taken if that is given; return its kernel, until the next call."""
        offsets, fields = vertices.offset(step), vertices.fields(step)
        slant = fields[0]
        for axis, (field, offset) in enumerate(zip(fields, offsets, strict=True)):
            field *= offset
            if axis:
                slant += field
        kernel = cube_kernel(offsets, self.radius, self.scratch)
        slant *= kernel
        np.add(self.out, slant, out=self.out, where=True if taken is None else taken)
        return kernel


def nearest_vertices(
    octave: Octave, coords: Axis, hashing: CornerHash, seeds: tuple[int, int], scratch: Scratch
) -> Iterator[tuple[Vertices, list[Field]]]:
    """Yield, of each of two cubic lattices, the nearest vertex and the next along one axis."""
    for vertices in cubic_vertices(octave, coords, hashing, seeds, scratch):
        rest = np.stack(vertices.rest)
        near = (rest > 0.5).astype(np.float32)
        away = np.abs(rest - near)
        along_x = (away[0] >= away[1]) & (away[0] >= away[2])
        along_y = ~along_x & (away[1] > away[0]) & (away[1] >= away[2])
        along = np.stack([along_x, along_y, ~along_x & ~along_y])
        yield vertices, list(near)
        yield vertices, list(np.where(along, 1 - near, near))


def add_pairs(total: CubeSum, octave: Octave, coords: Axis) -> None:
    """Add the vertices of OpenSimplex2: of each of two cubic lattices, the nearest vertex and the
    next along one axis.

    As published, other vertices are left out although their kernels reach here, by up to 0.0001
    before scaling.
    """
    seeds = (octave.seed, ~octave.seed)
    for vertices, step in nearest_vertices(octave, coords, _GRADIENTS_3D, seeds, total.scratch):
        total.add(vertices, step)


def add_near(total: CubeSum, octave: Octave, coords: Axis) -> None:
    """Add the vertices of OpenSimplex2S: those near the point, of two cubic lattices half a cell
    apart.

    As published, vertices whose kernels reach here but hardly are left out: those across two axes
    where the one across the third axis is in reach, and in the second lattice the one across an
    axis where that of the first is.
    """
    seeds = (octave.seed, octave.seed + 1293373)
    lattices = cubic_vertices(octave, coords, _GRADIENTS_3D, seeds, total.scratch)
    steps = [_near_and_far(vertices) for vertices in lattices]

    def add(lattice: int, flips: tuple[int, ...], taken: NDArray[np.bool_] | None) -> Field:
        """Add a vertex across those axes from the nearest, where taken; return its kernel."""
        step = [steps[lattice][axis in flips][axis] for axis in range(3)]
        return total.add(lattices[lattice], step, taken)

    for lattice in range(2):
        add(lattice, (), None)
    for axis in range(3):
        others = tuple(other for other in range(3) if other != axis)
        missed = add(0, (axis,), None) <= 0
        add(0, others, missed)
        reached = add(1, (axis,), missed) > 0
        add(1, others, ~(missed & reached))


def _near_and_far(vertices: Vertices) -> tuple[list[Field], list[Field]]:
    """Return steps to the nearer and to the farther side of the cell along each axis."""
    near = [(rest >= 0.5).astype(np.float32) for rest in vertices.rest]
    return near, [1 - side for side in near]


KINDS_3D: dict[str, tuple[Callable[[CubeSum, Octave, Axis], None], float, float]] = {
    "opensimplex2": (add_pairs, 0.6, 32.69428253173828125),
    "opensimplex2s": (add_near, 0.75, 9.046026385208288),
}
"""What is added, the squared radius of kernels, and what brings the sum to -1..1."""


def simplex_points_3d(
    kind: str, octave: Octave, coords: Axis, out: Field, scratch: Scratch
) -> None:
    """Write one octave at points (3, n), whose x and y may be overwritten, into ``out`` (n,)."""
    add, radius, scale = KINDS_3D[kind]
    add(CubeSum(radius, out, scratch), octave, coords)
    out *= np.float32(scale)
