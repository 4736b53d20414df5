# SPDX-License-Identifier: GPL-3.0-or-later
"""Bases that are lattice noises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...numerics.axis import SquareGrid
from ...numerics.work_arrays import Scratch
from ...settings.params import Setting
from ..basis import Basis, GridPlan
from ..fractals.fbm import FractalSum
from ..fractals.octave import Axis, Field, Octave
from ..hashing.cells import Cells, split
from .grid import LatticeGrid
from .lattice import Lattice
from .points import lattice_in_cells
from .slopes import lattice_slopes


@dataclass(frozen=True, kw_only=True)
class LatticeNoise(Lattice, Basis):
    """A :class:`Lattice` as a basis."""

    name: str
    label: str
    help: str
    dimensions: tuple[int, ...] = (2,)
    single_precision: bool = False
    settings: tuple[Setting, ...] = ()
    spline_points: Mapping[int, int] = field(default_factory=dict[int, int])

    def points(self, octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
        self.in_cells(octave, split(self.in_space(coords), octave, scratch), 1.0, out, scratch)

    def has_cells(self, octaves: tuple[Octave, ...], dimensions: int) -> bool:
        return dimensions == 3 or not self.plane_of_3d

    def in_cells(
        self, octave: Octave, cells: Cells, factor: float, out: Field, scratch: Scratch
    ) -> None:
        lattice_in_cells(self, octave, cells, factor, out, scratch)

    def slopes(self, octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
        lattice_slopes(self, octave, coords, out, scratch)

    def plan_grid(
        self, x: Axis, y: Axis, z: float | None, total: FractalSum, square: SquareGrid | None
    ) -> GridPlan:
        return LatticeGrid(self, x, y, z, total)
