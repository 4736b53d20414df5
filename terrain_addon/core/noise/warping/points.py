# SPDX-License-Identifier: GPL-3.0-or-later
"""Displacement by one octave of a domain warp: random vectors at lattice points, blended.

Value for value as in FastNoiseLite (Jordan Peck, 2020).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...numerics.work_arrays import Scratch, constant
from ..fractals.octave import Axis, Field, Octave
from ..hashing.cells import split
from ..hashing.corners import CornerHash, CornerQuery, Fields, Keys
from ..hashing.fastnoise_hash import (
    GRADIENTS_3D,
    PRIMES,
    VECTORS_2D,
    VECTORS_3D,
    hash_into,
    look_up,
)
from ..hashing.lookup import lookup
from ..lattice.interpolants import HERMITE
from ..lattice.points import fade
from ..simplex.points import KernelSum, add_triangle, skewed_columns
from ..simplex.points_3d import cube_kernel, nearest_vertices
from ..simplex.skewed_points import skewed_points

Displace = Callable[[Octave, Axis, Field, Scratch], None]
SECOND_SEED = 1293373
"""Added to the seed for the second of the two cubic lattices."""


def random_vectors(*parts: tuple[int, Sequence[Field]]) -> CornerHash:
    """Return the columns of tables, looked up by the bits of the hash from a number on."""
    masks = [constant(columns[0].size - 1, np.uint32) for _, columns in parts]
    starts = [constant(start, np.uint32) for start, _ in parts]

    def write(state: Any, keys: Keys, scratch: Scratch, outs: Fields) -> None:
        value = hash_into(outs[-1], keys)
        number = 0
        for (_, columns), start, mask in zip(parts, starts, masks, strict=True):
            bits = outs[number].view(np.uint32)
            np.right_shift(value, start, out=bits)
            np.bitwise_and(bits, mask, out=bits)
            look_up(bits, columns, scratch, outs[number : number + len(columns)])
            number += len(columns)

    return CornerHash(write, PRIMES, fields=sum(len(columns) for _, columns in parts))


_VECTORS_2 = random_vectors((1, VECTORS_2D))
_VECTORS_3 = random_vectors((2, VECTORS_3D))
_VECTORS_AND_GRADIENTS_2 = random_vectors((8, VECTORS_2D), (1, skewed_columns(1.0)))
_VECTORS_AND_GRADIENTS_3 = random_vectors((8, VECTORS_3D), (2, GRADIENTS_3D))


def _basic_grid(vectors: CornerHash) -> Displace:
    """Return the vectors at the corners of a square or cubic cell, blended along each axis."""

    def displace(octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
        cells = split(coords, octave, scratch)
        weights = cells.spare[: len(coords)]
        assert HERMITE.fade is not None
        HERMITE.fade(cells.offset, weights)
        corners = lookup(CornerQuery(vectors, octave, 0, 2), cells.whole, scratch)
        fade(weights, corners.write, (), out, scratch)

    return displace


class Displacements(KernelSum):
    """Sum of kernels times vectors, and times gradients where these are hashed too."""

    def contribute(self, kernel: Field, offsets: Field, fields: Field) -> None:
        vectors, gradients = fields[:2], fields[2:]
        if len(gradients):
            np.multiply(gradients, offsets, out=gradients)
            along_u, along_v = gradients
            np.add(along_u, along_v, out=along_u)
            np.multiply(kernel, along_u, out=kernel)
        self.add_product(vectors, kernel)


def _triangles(vectors: CornerHash) -> Displace:
    """Return the vectors at the corners of a triangle."""

    def displace(octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
        points = skewed_points(octave, coords, vectors, (0, 1), scratch)
        add_triangle(Displacements(points, 0.75, out, scratch))

    return displace


def _cubes(vectors: CornerHash) -> Displace:
    """Return the vectors at the nearest two vertices of each of two cubic lattices."""

    def displace(octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
        out.fill(0)
        seeds = (octave.seed, octave.seed + SECOND_SEED)
        for vertices, step in nearest_vertices(octave, coords, vectors, seeds, scratch):
            offsets, fields = vertices.offset(step), vertices.fields(step)
            weight = cube_kernel(offsets, 0.6, scratch)
            if len(fields) > 3:
                weight *= sum(g * offset for g, offset in zip(fields[3:], offsets, strict=True))
            for part, field in zip(out, fields[:3], strict=True):
                field *= weight
                part += field

    return displace


SCALES = {"opensimplex2": 38.283687591552734375, "opensimplex2_reduced": 16.0}
"""What makes the largest displacement on triangles about 1."""

DISPLACEMENTS: dict[tuple[str, int], tuple[Displace, float]] = {
    ("opensimplex2", 2): (_triangles(_VECTORS_AND_GRADIENTS_2), SCALES["opensimplex2"]),
    ("opensimplex2_reduced", 2): (
        _triangles(_VECTORS_2),
        SCALES["opensimplex2_reduced"] * (2 / 3) ** 4,
    ),
    ("basic_grid", 2): (_basic_grid(_VECTORS_2), 1.0),
    ("opensimplex2", 3): (_cubes(_VECTORS_AND_GRADIENTS_3), 32.69428253173828125),
    ("opensimplex2_reduced", 3): (_cubes(_VECTORS_3), 7.71604938271605),
    ("basic_grid", 3): (_basic_grid(_VECTORS_3), 1.0),
}
"""By kind and number of dimensions: writes the displacement of points (axes, n) in lattice units,
which are overwritten, and the factor that makes its largest about 1."""
