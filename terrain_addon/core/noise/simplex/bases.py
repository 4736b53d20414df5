# SPDX-License-Identifier: GPL-3.0-or-later
"""The bases of simplex noise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ...numerics.axis import SquareGrid
from ...numerics.work_arrays import Scratch
from ...settings.params import Setting
from ..basis import Basis, GridPlan, register_basis
from ..fractals.fbm import FractalSum
from ..fractals.octave import Axis, Field, Octave
from ..hashing.cells import Cells
from .grid import DiagonalGrid
from .kernel_rows import KernelGrid
from .points import simplex_in_cells, simplex_points
from .points_3d import simplex_points_3d
from .skewed_points import skew
from .slopes import simplex_slopes


class Simplex(Basis):
    """A basis on a triangular lattice."""

    dimensions = (2, 3)
    settings: tuple[Setting, ...] = ()
    single_precision = True

    def __init__(self, name: str, label: str, help: str, spline_points: int) -> None:
        """``spline_points`` of the plane; in space, noise has small jumps, as FastNoiseLite's."""
        self.name, self.label, self.help = name, label, help
        self.spline_points = {2: spline_points}

    def prepare(
        self, octaves: tuple[Octave, ...], dimensions: int
    ) -> tuple[tuple[Octave, ...], Callable[[Axis], None] | None]:
        if dimensions == 3 or any(octave.period or octave.shift for octave in octaves):
            return octaves, None
        return tuple(replace(octave, skewed=True) for octave in octaves), skew

    def points(self, octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
        write = simplex_points if len(coords) == 2 else simplex_points_3d
        write(self.name, octave, coords, out, scratch)

    def slopes(self, octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
        simplex_slopes(self.name, octave, coords, out, scratch)

    def has_cells(self, octaves: tuple[Octave, ...], dimensions: int) -> bool:
        return all(octave.skewed for octave in octaves)

    def in_cells(
        self, octave: Octave, cells: Cells, factor: float, out: Field, scratch: Scratch
    ) -> None:
        simplex_in_cells(self.name, octave, cells, factor, out, scratch)

    def plan_grid(
        self, x: Axis, y: Axis, z: float | None, total: FractalSum, square: SquareGrid | None
    ) -> GridPlan | None:
        if z is not None or square is None:
            return None
        octaves = total.octaves
        reach = [abs(end) for octave in octaves for axis in octave.bounds or () for end in axis]
        if not KernelGrid.suits(octaves, square, max(reach)):
            return None
        return DiagonalGrid(self.name, square, (y.size, x.size), total)


register_basis(
    Simplex(
        "opensimplex2",
        "OpenSimplex2",
        "Gradient noise on triangles, without the grid directions of Perlin noise",
        spline_points=24,
    )
)
register_basis(
    Simplex(
        "opensimplex2s",
        "OpenSimplex2S",
        "The smoother kind of OpenSimplex2, with softer and rounder forms",
        spline_points=20,
    )
)
