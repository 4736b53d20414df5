# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenSimplex2 and OpenSimplex2S at points together with their slopes.

A vertex at the offset d, with the gradient g and a left of its kernel, adds ``a^4 (g . d)``, whose
slope is ``a^4 g + 4 a^3 (g . d) grad a``. Sums run over the same vertices as those of the noise
alone: :class:`SlopeSum` and :class:`CubeSlopeSum` only add more at each. They are along the axes of
the lattice, and are brought to x and y once, in the end.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...numerics.work_arrays import Scratch
from ..fractals.octave import Axis, Field, Octave
from ..hashing.corners import MaskedMove
from .points import KINDS, KernelSum
from .points_3d import KINDS_3D, CubeSum, cube_rest
from .skewed_points import SkewedPoints, skewed_points
from .vertices import ROTATION, SKEW_MATRIX, Vertices, slopes_from_lattice


class SlopeSum(KernelSum):
    """The sum over vertices of a triangular lattice, and its slopes along u and v.

    With d = (u, v), grad a is ``-(2 u - v, 2 v - u)``.

    Parameters
    ----------
    out : ndarray of float32, shape (3, ...)
        The value and both slopes; complete after :meth:`finish`.
    """

    def __init__(self, points: SkewedPoints, radius: float, out: Field, scratch: Scratch) -> None:
        super().__init__(points, radius, out, scratch)
        out.fill(0)
        shape = points.offsets.shape
        self.steep, self.part = scratch("steep", shape), scratch("steep_part", shape)
        self.cubed, self.slant = scratch("cubed", shape[1:]), scratch("slant", shape[1:])
        self.steep.fill(0)

    def add(self, rest: Field, offsets: Field, step: tuple[int, int], *moves: MaskedMove) -> None:
        value, slopes = self.out[0], self.out[1:]
        cubed, slant, part = self.cubed, self.slant, self.part
        gradient = self.points.at(step, *moves)
        np.maximum(rest, self.zero, out=rest)
        np.multiply(rest, rest, out=cubed)
        np.multiply(cubed, rest, out=cubed)
        np.multiply(gradient, offsets, out=part)
        np.add(part[0], part[1], out=slant)
        np.multiply(slant, cubed, out=slant)
        np.multiply(offsets, slant, out=part)
        np.add(self.steep, part, out=self.steep)
        np.multiply(slant, rest, out=slant)
        np.add(value, slant, out=value)
        np.multiply(cubed, rest, out=cubed)
        np.multiply(gradient, cubed, out=gradient)
        np.add(slopes, gradient, out=slopes)

    def finish(self) -> None:
        """Take the slope of the kernels into account: as it is linear in d, once for all."""
        np.add(self.steep, self.steep, out=self.part)
        np.subtract(self.part, self.steep[::-1], out=self.part)
        np.multiply(self.part, np.float32(4), out=self.part)
        np.subtract(self.out[1:], self.part, out=self.out[1:])


class CubeSlopeSum(CubeSum):
    """The sum over vertices of cubic lattices, and its slopes along the axes of the lattices.

    Here grad a is ``-2 d``. ``out`` is (4, n): the value and the three slopes.
    """

    def add(
        self, vertices: Vertices, step: Sequence[Field], taken: NDArray[np.bool_] | None = None
    ) -> Field:
        offsets, gradient = vertices.offset(step), vertices.fields(step)
        rest = cube_rest(offsets, self.radius, self.scratch)
        terms = self.scratch("slope_terms", self.out.shape)
        value, *slopes = terms
        np.multiply(gradient[0], offsets[0], out=value)
        for g, d in zip(gradient[1:], offsets[1:], strict=True):
            value += g * d
        cubed = rest * rest * rest
        value *= cubed
        steep = value * np.float32(-8)
        kernel = np.multiply(cubed, rest, out=cubed)
        value *= rest
        for g, d, slope in zip(gradient, offsets, slopes, strict=True):
            np.multiply(g, kernel, out=slope)
            slope += steep * d
        np.add(self.out, terms, out=self.out, where=True if taken is None else taken)
        return kernel


def simplex_slopes(kind: str, octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
    """Write value, x slope and y slope of one octave into ``out`` (3, n), slopes per lattice cell.

    ``coords`` (2 or 3, n) are overwritten. In 3D, where vertices are left out as published, the
    noise has tiny steps; slopes are those on either side.
    """
    if len(coords) == 3:
        add_cubes, radius, scale = KINDS_3D[kind]
        along = scratch("cube_slopes", (4, out.shape[1]))
        add_cubes(CubeSlopeSum(radius, along, scratch), octave, coords)
        along *= np.float32(scale)
        np.copyto(out[0], along[0])
        slopes_from_lattice(ROTATION, octave, [*along[1:]], out[1:])
        return
    add, radius, gradients, reach = KINDS[kind]
    points = skewed_points(octave, coords, gradients, reach, scratch)
    along = scratch("lattice_slopes", out.shape)
    total = SlopeSum(points, radius, along, scratch)
    add(total)
    total.finish()
    np.copyto(out[0], along[0])
    slopes_from_lattice(SKEW_MATRIX, octave, [*along[1:]], out[1:])
