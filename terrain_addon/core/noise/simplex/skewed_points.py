# SPDX-License-Identifier: GPL-3.0-or-later
"""Points in the skewed square lattice of 2D simplex noise, and what is hashed around them."""

from __future__ import annotations

from ...numerics.work_arrays import Scratch
from ..fractals.octave import Axis, Field, Octave
from ..hashing.cells import Cells, split
from ..hashing.corners import CornerHash, CornerQuery, MaskedMove
from ..hashing.lookup import lookup
from ..hashing.torus import Torus
from .vertices import SKEW, SKEW_MATRIX, span_after


def skew(coords: Axis) -> None:
    """Bring coordinates (2, n) to those of the skewed lattice, in place."""
    part = coords[0] + coords[1]
    part *= SKEW
    coords += part


class SkewedPoints:
    """Points in their cells.

    Parameters
    ----------
    cells : Cells
        Cells of the skewed lattice.
    hashing : CornerHash
        What lies at a vertex.
    reach : tuple of int
        The least and the greatest step to a vertex.

    Attributes
    ----------
    offsets : ndarray, shape (2, n)
        u and v from the corner of the cell, 0 to 1 (rounded, so 1 is possible).
    spare : ndarray, shape (4, n)
        Work arrays.
    write : callable
        Writes the fields of a vertex, as :meth:`Corners.write`.
    advance : callable
        Moves every point's cell on, as :meth:`Corners.advance`.
    """

    def __init__(
        self,
        octave: Octave,
        cells: Cells,
        hashing: CornerHash,
        reach: tuple[int, int],
        scratch: Scratch,
        torus: Torus | None = None,
    ) -> None:
        self.offsets, self.spare = cells.offset, cells.spare
        vertices = lookup(
            CornerQuery(hashing, octave, reach[0], reach[1] - reach[0] + 1, torus),
            cells.whole,
            scratch,
            lambda: None if torus else span_after(SKEW_MATRIX, octave.bounds),
        )
        self.write, self.advance = vertices.write, vertices.advance
        self._scratch, self._shape = scratch, (hashing.fields, self.offsets.shape[1])

    def at(self, step: tuple[int, int], *moves: MaskedMove) -> Field:
        """Return what :meth:`write` writes, as fields (k, n) that are valid until the next call."""
        self.write(step, self._scratch.rows("fields_there", self._shape), *moves)
        return self._scratch("fields_there", self._shape)


def skewed_points(
    octave: Octave, coords: Axis, hashing: CornerHash, reach: tuple[int, int], scratch: Scratch
) -> SkewedPoints:
    """Return the skewed points of points (2, n) in lattice units, skewed if the octave says so;
    overwritten."""
    torus = None
    if octave.period is not None:
        torus = Torus(SKEW_MATRIX, octave.period)
        coords = torus.place(coords)
    elif not octave.skewed:
        skew(coords)
    cells = split(coords, octave, scratch)
    return SkewedPoints(octave, cells, hashing, reach, scratch, torus)
