# SPDX-License-Identifier: GPL-3.0-or-later
"""Skewed lattices that repeat over a rectangle.

Simplex noise lives on a lattice whose rows do not line up with x and y, so no rectangle repeats
exactly. A :class:`Torus` maps the rectangle onto the nearest parallelogram with whole corners and
takes lattice points modulo its sides. The noise is then stretched by less than one cell over the
whole period.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..fractals.octave import Axis

LARGEST = 2**63 - 2**53
"""Most vertices of the parallelogram, or in 3D of a block as high as it is long: their numbers must
fit a signed 64-bit integer, also a few cells beyond the border."""


class Torus:
    """A period of x and y in a lattice that is reached through a linear map.

    Parameters
    ----------
    matrix : ndarray of float64, shape (axes, axes)
        Map from coordinates to lattice coordinates.
    period : tuple of int
        Lengths along x and y.

    ValueError for more than :data:`LARGEST` vertices.
    """

    def __init__(self, matrix: NDArray[np.float64], period: tuple[int, int]) -> None:
        self.period = np.array(period, np.float64)[:, None]
        lengths = np.ones(len(matrix))
        lengths[:2] = period
        # The third side only completes a basis; nothing is taken modulo it.
        lengths[2:] = max(period)
        sides = np.rint(matrix * lengths)
        self.matrix = sides / lengths
        self.matrix[:, 2:] = matrix[:, 2:]
        self.sides = sides.astype(np.int64)
        adjugate = np.rint(np.linalg.inv(sides) * np.linalg.det(sides))
        # In Python's integers: float64 would round sums of products.
        self.determinant = sum(
            int(a) * int(b) for a, b in zip(adjugate[0], sides[:, 0], strict=True)
        )
        if abs(self.determinant) > LARGEST:
            raise ValueError(
                f"Simplex noise cannot repeat after {period[0]:.4g} x {period[1]:.4g} cells in one "
                "octave: use fewer octaves, a smaller lacunarity or a shorter period"
            )
        self.adjugate = adjugate.astype(np.int64)

    def place(self, coords: Axis) -> Axis:
        """Return lattice coordinates (axes, n) of points (axes, n), whose x and y may be
        overwritten."""
        coords[:2] = np.remainder(coords[:2], self.period)
        # Elementwise, as the order of a matrix product's sums may depend on its size.
        return np.stack(
            [sum(row[k] * coords[k] for k in range(1, len(row))) + row[0] * coords[0]
             for row in self.matrix]
        )  # fmt: skip

    def reduce(self, lines: Sequence[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
        """Reduce whole lattice coordinates, one array per axis, modulo the two sides."""
        result = list(lines)
        for side in range(2):
            turns = (
                sum(self.adjugate[side, k] * lines[k] for k in range(len(lines)))
                // self.determinant
            )
            for axis in range(len(lines)):
                result[axis] = result[axis] - turns * self.sides[axis, side]
        return result
