# SPDX-License-Identifier: GPL-3.0-or-later
"""The basis of cellular noise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...numerics.axis import SquareGrid
from ...numerics.work_arrays import Scratch
from ..basis import Basis, GridPlan, register_basis
from ..fractals.fbm import FractalSum
from ..fractals.octave import Axis, Field, Octave
from .grid import CellularGrid
from .points import SETTINGS, cellular_points
from .slopes import cellular_slopes


class Cellular(Basis):
    """Distances to scattered points, as a basis."""

    name = "cellular"
    label = "Cellular"
    help = "Distances to scattered points: cells, cracks, scales and cobbles"
    dimensions = (2, 3)
    settings = SETTINGS
    single_precision = True

    def __init__(self, settings: Mapping[str, Any] | None = None) -> None:
        self._settings = settings or {s.name: s.default for s in SETTINGS}

    def with_settings(self, settings: Mapping[str, Any]) -> Basis:
        return Cellular(settings)

    def points(self, octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
        cellular_points(octave, coords, out, scratch, self._settings)

    def slopes(self, octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
        cellular_slopes(octave, coords, out, scratch, self._settings)

    def plan_grid(
        self, x: Axis, y: Axis, z: float | None, total: FractalSum, square: SquareGrid | None
    ) -> GridPlan | None:
        return CellularGrid(x, y, total, self._settings) if z is None else None


register_basis(Cellular())
