# SPDX-License-Identifier: GPL-3.0-or-later
"""The solution of the erosion by rivers."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

from ...hydrology import build_tree, spill_levels
from ...hydrology.d8 import Codes
from ...numerics.arrays import Doubles, Floats
from ...numerics.progress import Cancel
from ...numerics.resample import SplineAxis, blend_columns, blend_rows
from ...settings.plain_data import plain_data
from .beds import RockBeds
from .drawn.rivers import DrawnRivers


@plain_data
@dataclass(frozen=True)
class Drainage:
    """An eroded terrain with its rivers, on a padded grid of square cells.

    Attributes
    ----------
    height : ndarray of float32, shape (h, w)
        Meters, eroded.
    directions : ndarray of uint8, shape (h, w)
        Codes, where the water of each cell goes; `NONE` at the outlets.
    area : ndarray of float32, shape (h, w)
        Square meters of drainage area, times the rain.
    above_rivers : ndarray of float32, shape (h, w)
        Meters above the river that a cell drains into, infinite where there is none downstream.
    deposit : ndarray of float32, shape (h, w)
        Meters of sediment laid down.
    seabed : ndarray of float32, shape (h, w) or None
        Meters, 0 or less: the terrain before erosion below the sea; None without a sea.
    spacing : float
        Meters between cells.
    x0, y0 : float
        Meters, center of cell [0, 0].
    unit : float
        Meters, the valley spacing, unit of all lengths in the solver.
    sea : float or None
        Meters, or None.
    beds : Beds or None
        Layers of hard and soft rock, or None.
    drawn : DrawnRivers or None
        Beds of the rivers that were drawn, or None.
    """

    height: Floats
    directions: Codes
    area: Floats
    above_rivers: Floats
    deposition: Floats
    seabed: Floats | None
    spacing: float
    x0: float
    y0: float
    unit: float
    sea: float | None
    beds: RockBeds | None = None
    drawn: DrawnRivers | None = None

    @property
    def arrays(self) -> list[NDArray[Any]]:
        """Its arrays, for an `ArrayCache`."""
        fields = (self.height, self.directions, self.area, self.above_rivers, self.deposition)
        seabed = [] if self.seabed is None else [self.seabed]
        return [*fields, *seabed, *(() if self.drawn is None else self.drawn.arrays)]

    def within(self, size: tuple[float, float]) -> tuple[slice, slice]:
        """Return the cells of the terrain, ``size`` meters wide and deep, without the padding."""
        rows, columns = (
            slice(
                math.floor((-side / 2 - start) / self.spacing + 0.5),
                math.ceil((side / 2 - start) / self.spacing + 0.5),
            )
            for side, start in zip(size[::-1], (self.y0, self.x0), strict=True)
        )
        return rows, columns

    def with_lakes(self, cancelled: Cancel | None = None) -> Drainage:
        """Return the same with hollows filled to the level at which they run over."""
        tree = build_tree(self.directions, cancelled)
        return replace(self, height=spill_levels(self.height, tree, cancelled=cancelled))

    def columns(self, x: Doubles) -> SplineAxis:
        """Return where world coordinates in meters lie among the columns."""
        return SplineAxis.at((x - self.x0) / self.spacing, self.height.shape[1])

    def rows(self, y: Doubles) -> SplineAxis:
        """Return where world coordinates in meters lie among the rows."""
        return SplineAxis.at((y - self.y0) / self.spacing, self.height.shape[0])

    def sample(self, field: Floats, x: Doubles, y: Doubles) -> Floats:
        """Return (len(y), len(x)) float32: a field of this grid at world coordinates in meters."""
        return blend_rows(blend_columns(field, self.columns(x)), self.rows(y))
