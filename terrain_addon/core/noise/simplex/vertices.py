# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells of simplex lattices, and the vertices around them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...numerics.work_arrays import Scratch
from ..fractals.octave import Axis, Field, Octave
from ..hashing.cells import whole_cells
from ..hashing.corners import CornerHash, CornerQuery
from ..hashing.lookup import Span, lookup
from ..hashing.torus import Torus

SKEW = (3**0.5 - 1) / 2
UNSKEW = (3 - 3**0.5) / 6
SKEW_MATRIX = np.array([[1 + SKEW, SKEW], [SKEW, 1 + SKEW]])
ROTATION = np.full((3, 3), 2 / 3) - np.eye(3)
"""Turns the 3D lattice so that its long diagonal points along z."""


class Vertices:
    """The cells of points in an integer lattice, and what is around them.

    A vertex is named by its steps from the corner of the cell, as in :class:`Corners`.

    Attributes
    ----------
    rest : list of ndarray of float32
        Offset of each point from that corner along each axis, 0 to 1.
    fields : callable
        Returns the fields hashed at a vertex.
    """

    def __init__(
        self,
        coords: Axis,
        octave: Octave,
        hashing: CornerHash,
        reach: tuple[int, int],
        scratch: Scratch,
        torus: Torus | None = None,
        name: str = "",
        span: Callable[[], Span | None] = lambda: None,
    ) -> None:
        self._scratch, self._name = scratch, name
        self.rest: list[Field] = []
        cells = scratch(f"{name}cells", coords.shape, np.float64)
        for axis, (coord, cell) in enumerate(zip(coords, cells, strict=True)):
            rest = scratch(f"{name}rest{axis}", coord.shape)
            np.floor(coord, out=cell)
            # Float64 up to here, so that cells far from the origin are as smooth as near.
            np.subtract(coord, cell, out=rest, casting="same_kind")
            self.rest.append(rest)
        first, last = reach
        whole = whole_cells(cells, octave.wide, scratch, name)
        self.fields = lookup(
            CornerQuery(hashing, octave, first, last - first + 1, torus, name), whole, scratch, span
        ).fields

    def offset(self, steps: Sequence[Field]) -> Sequence[Field]:
        """Return the offsets of the points from a vertex, one array per axis; valid until the next
        call."""
        offsets = self._scratch.rows(f"{self._name}offset", (len(steps), *steps[0].shape))
        for rest, step, out in zip(self.rest, steps, offsets, strict=True):
            np.subtract(rest, step, out=out)
        return offsets


def span_after(
    matrix: NDArray[np.float64], bounds: tuple[tuple[float, float], ...] | None
) -> list[tuple[float, float]] | None:
    """Return the least and greatest cell of a box after a linear map, with one to spare for
    rounding."""
    if bounds is None:
        return None
    ends = matrix[:, :, None] * np.array(bounds)[None]
    return [
        (math.floor(low) - 1.0, math.floor(high) + 1.0)
        for low, high in zip(
            ends.min(axis=2).sum(axis=1), ends.max(axis=2).sum(axis=1), strict=True
        )
    ]


def slopes_from_lattice(
    matrix: NDArray[np.float64], octave: Octave, slopes: Sequence[Field], out: Field
) -> None:
    """Write slopes along x and y into ``out`` (2, n), of those along the axes of a lattice.

    ``matrix`` is the map to lattice coordinates; where the octave repeats, its torus has its own.
    """
    if octave.period is not None:
        matrix = Torus(matrix, octave.period).matrix
    # Elementwise, as the order of a matrix product's sums may depend on its size.
    for axis, target in enumerate(out):
        np.multiply(slopes[0], np.float32(matrix[0, axis]), out=target)
        for row, slope in zip(matrix[1:], slopes[1:], strict=True):
            target += slope * np.float32(row[axis])


def cubic_vertices(
    octave: Octave, coords: Axis, hashing: CornerHash, seeds: tuple[int, int], scratch: Scratch
) -> tuple[Vertices, Vertices]:
    """Return the cells of 3D points (3, n) in two cubic lattices, half a cell apart, with two
    seeds."""
    torus = None
    if octave.period is not None:
        torus = Torus(ROTATION, octave.period)
        coords = torus.place(coords)
    else:
        coords = np.subtract((coords[0] + coords[1] + coords[2]) * (2 / 3), coords)

    def span() -> Span | None:
        return None if torus else span_after(ROTATION, octave.bounds)

    first, second = (replace(octave, seed=seed & 0xFFFFFFFF) for seed in seeds)
    return (
        Vertices(coords, first, hashing, (0, 1), scratch, torus, "first", span),
        Vertices(coords + 0.5, second, hashing, (0, 1), scratch, torus, "second", span),
    )
