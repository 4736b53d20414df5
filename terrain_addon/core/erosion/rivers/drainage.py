# SPDX-License-Identifier: GPL-3.0-or-later
"""The solution of the erosion by rivers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...hydrology import build_tree, spill_levels
from ...hydrology.d8 import NONE, Codes
from ...numerics.arrays import Doubles, Floats, Indices
from ...numerics.progress import Cancel
from ...numerics.resample import SplineAxis, blend_columns, blend_rows
from ...settings.plain_data import plain_data
from .beds import RockBeds
from .drawn.rivers import DrawnRivers
from .grids import Grids

TAPS = 3
"""Cells around a place that a B-spline depends on."""


@plain_data
@dataclass(frozen=True)
class Torus:
    """A grid of a terrain that repeats, or a window of it.

    Attributes
    ----------
    width, depth : float
        Meters after which the terrain repeats along its columns and rows.
    columns, rows : int
        Cells after which it repeats.
    first_column, first_row : int
        First cells of the window, counted from a period before the terrain: places in a window are
        then exact differences of those in the grid, and windows agree to the bit.
    """

    width: float
    depth: float
    columns: int
    rows: int
    first_column: int
    first_row: int

    @classmethod
    def of(cls, grids: Grids) -> Torus:
        """Return the whole grid of a terrain that repeats."""
        rows, columns = grids.finest.terrain.shape
        return cls(grids.width, grids.depth, columns, rows, columns, rows)

    def across(self, x: Doubles) -> Doubles:
        """Return world coordinates in meters in columns of the grid, from the first one on."""
        return (x / self.width + 1.5) * self.columns - 0.5

    def along(self, y: Doubles) -> Doubles:
        """Return world coordinates in meters in rows of the grid, from the first one on."""
        return (y / self.depth + 1.5) * self.rows - 0.5

    def cells(self, part: tuple[slice, slice]) -> tuple[slice, slice]:
        """Return some rows and columns of the window as those of the grid, from the first on."""
        rows, columns = (
            slice(first + one.start, first + one.stop)
            for first, one in zip((self.first_row, self.first_column), part, strict=True)
        )
        return rows, columns

    def around(self, x: Doubles, y: Doubles, reach: int) -> tuple[Torus, Indices, Indices]:
        """Return the window over some coordinates and ``reach`` cells around them, and its rows and
        columns of the grid."""
        (first_row, rows), (first_column, columns) = (
            _covered(places, count, reach)
            for places, count in ((self.along(y), self.rows), (self.across(x), self.columns))
        )
        return replace(self, first_column=first_column, first_row=first_row), rows, columns


def _covered(places: Doubles, count: int, reach: int) -> tuple[int, Indices]:
    """Return the first cell around some places, and the numbers of all within the period."""
    first = math.floor(float(places.min())) - reach
    cells = np.arange(first, math.ceil(float(places.max())) + reach + 1)
    return first, (cells % count).astype(np.intp)


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
    torus : Torus or None
        Where the grid lies, if the terrain repeats; it has no padding then.
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
    torus: Torus | None = None

    @property
    def arrays(self) -> list[NDArray[Any]]:
        """The arrays that it holds; an `ArrayCache` counts their bytes."""
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

    def with_lakes(
        self, cancelled: Cancel | None = None, *, size: tuple[float, float] | None = None
    ) -> Drainage:
        """Return the same with hollows filled to the level at which they run over.

        With a ``size``, meters across a terrain, none is dammed by what lies around that: there
        the ground is a mirror image.
        """
        directions = self.directions
        if size is not None:
            directions = np.full_like(directions, NONE)
            within = self.within(size)
            directions[within] = self.directions[within]
        tree = build_tree(directions, cancelled, wraps=self.torus is not None)
        return replace(self, height=spill_levels(self.height, tree, cancelled=cancelled))

    def around(
        self, x: Doubles, y: Doubles, reach: int
    ) -> tuple[Drainage, Callable[[Floats], Floats]]:
        """Return the part of a grid that repeats over some world coordinates in meters and
        ``reach`` cells around them, beyond the border too, and what takes this part of a field."""
        assert self.torus is not None
        torus, rows, columns = self.torus.around(x, y, reach + TAPS)

        def part(field: Any) -> Any:
            return field.take(rows, axis=0).take(columns, axis=1)

        cut = {
            name: part(getattr(self, name))
            for name in ("height", "directions", "area", "above_rivers", "deposition", "seabed")
            if getattr(self, name) is not None
        }
        return replace(self, torus=torus, **cut), part

    def columns(self, x: Doubles) -> SplineAxis:
        """Return where world coordinates in meters lie among the columns."""
        if self.torus is not None:
            places = self.torus.across(x) - self.torus.first_column
            return SplineAxis.at(places, self.height.shape[1])
        return SplineAxis.at((x - self.x0) / self.spacing, self.height.shape[1])

    def rows(self, y: Doubles) -> SplineAxis:
        """Return where world coordinates in meters lie among the rows."""
        if self.torus is not None:
            places = self.torus.along(y) - self.torus.first_row
            return SplineAxis.at(places, self.height.shape[0])
        return SplineAxis.at((y - self.y0) / self.spacing, self.height.shape[0])

    def sample(self, field: Floats, x: Doubles, y: Doubles) -> Floats:
        """Return (len(y), len(x)) float32: a field of this grid at world coordinates in meters."""
        return blend_rows(blend_columns(field, self.columns(x)), self.rows(y))
