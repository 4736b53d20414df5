# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenSimplex2 and OpenSimplex2S in 3D: two cubic lattices, half a cell apart, in rotated
coordinates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from .corners import CornerHash
from .fastnoise import gradient_hash
from .lookup import Step
from .octave import Axis, Field, Octave
from .scratch import Scratch
from .tables import GRADIENTS_3D
from .vertices import Vertices, cubic_vertices

_GRADIENTS_3D = gradient_hash(GRADIENTS_3D)


def fourth_power(rest: Field, scratch: Scratch) -> Field:
    """max(rest, 0) ** 4, in place."""
    zero = scratch("zero", rest.shape)  # np.maximum with a scalar is five times slower
    zero.fill(0)
    np.maximum(rest, zero, out=rest)
    rest *= rest
    rest *= rest
    return rest


def cube_kernel(offsets: Sequence[Field], radius: float, scratch: Scratch) -> Field:
    """max(radius - squared distance, 0) ** 4; valid until the next call."""
    weight = scratch("rest", offsets[0].shape)
    np.subtract(np.float32(radius), offsets[0] * offsets[0], out=weight)
    for offset in offsets[1:]:
        weight -= offset * offset
    return fourth_power(weight, scratch)


def _cube_term(
    vertices: Vertices, step: Sequence[Step], radius: float, scratch: Scratch
) -> tuple[Field, Field]:
    """Kernel of one vertex of a cubic lattice, and its gradient times the offset."""
    offsets, fields = vertices.offset(step), vertices.fields(step)
    total = fields[0]
    for axis, (field, offset) in enumerate(zip(fields, offsets, strict=True)):
        field *= offset
        if axis:
            total += field
    return cube_kernel(offsets, radius, scratch), total


def nearest_vertices(
    octave: Octave, coords: Axis, hashing: CornerHash, seeds: tuple[int, int], scratch: Scratch
) -> Iterator[tuple[Vertices, list[Step]]]:
    """Of each of two cubic lattices, the nearest vertex and the next along one axis."""
    for vertices in cubic_vertices(octave, coords, hashing, seeds, scratch):
        rest = np.stack(vertices.rest)
        near = (rest > 0.5).astype(np.float32)
        away = np.abs(rest - near)
        along_x = (away[0] >= away[1]) & (away[0] >= away[2])
        along_y = ~along_x & (away[1] > away[0]) & (away[1] >= away[2])
        along = np.stack([along_x, along_y, ~along_x & ~along_y])
        yield vertices, list(near)
        yield vertices, list(np.where(along, 1 - near, near))


def opensimplex2_3d(octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
    """Of each of two cubic lattices, the nearest vertex and the next along one axis.

    As published, other vertices are left out although their kernels reach here, by up to 0.0001
    before scaling.
    """
    out.fill(0)
    seeds = (octave.seed, ~octave.seed)
    for vertices, step in nearest_vertices(octave, coords, _GRADIENTS_3D, seeds, scratch):
        weight, value = _cube_term(vertices, step, 0.6, scratch)
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
