# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn rivers on all grids of an erosion, and on a terrain that does not erode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....hydrology import accumulate, border, find_lakes, route
from ....numerics.arrays import Doubles, Floats
from ....numerics.grid import Grid
from ....numerics.progress import Cancel
from ....numerics.resample import bilinear_exact
from ..base_level import BaseLevel
from ..grid_bending import before_bend
from ..grids import Grids, Level
from .course import Course
from .holding import HeldRivers
from .lines import APART, FloodPlain, Line, beds_along, on_all_grids, places_on, whole_ways
from .rivers import DrawnRivers

FLOOD = 1
"""Number of the grid on which rivers that end inland are led on."""
LAKE = 16
"""Cells of a hollow in which a river ends; it is led through smaller ones."""
LAST_BEND, BEND = 40009, 7919
"""Seeds of the bend of the finished terrain, and by the number of a grid."""


@dataclass(frozen=True)
class Ways:
    """The ways of drawn rivers over the terrain of an erosion.

    Attributes
    ----------
    lines : sequence of Line
        From their sources to an outlet or to another river.
    grid : Grid
        Cells of the finest grid in meters.
    unit : float
        Meters, the valley spacing.
    """

    lines: Sequence[Line]
    grid: Grid
    unit: float

    @classmethod
    def of(
        cls,
        courses: Sequence[Course],
        grids: Grids,
        levels: Sequence[Level],
        bases: Sequence[BaseLevel],
    ) -> Ways:
        """Lead drawn rivers on to the outlets of the grids of an erosion, coarsest grid first."""
        cells, coarse = cells_of(grids, levels[-1]), min(FLOOD, len(levels) - 1)
        below = levels[coarse].terrain, bases[coarse].outlets, cells_of(grids, levels[coarse])
        outlets, padding = bases[-1].outlets, levels[-1].padding
        lines = whole_ways(courses, cells, outlets, FloodPlain(*below), grids.unit, padding)
        return cls(lines, cells, grids.unit)

    def finished(self, base: BaseLevel, mouth: float | None = None) -> tuple[HeldRivers, BaseLevel]:
        """Return the rivers in the finished terrain, and its base level with their mouths, whose
        height is that of the lowest outlet by default."""
        at = [places_on(self.grid, line.course.line) for line in self.lines]
        beds = beds_along(self.lines, at, base.outlets)
        courses = [line.course for line in self.lines]
        held = HeldRivers(beds, courses, at, self.grid.dx / self.unit, self.unit)
        return held, base.with_mouths(beds.mouths, mouth)


@dataclass(frozen=True)
class OnGrids:
    """Drawn rivers on the grids of an erosion, coarsest first, and in the finished terrain.

    Attributes
    ----------
    held : sequence of HeldRivers
        The rivers on each grid.
    ways : Ways
        Their ways.
    mouth : float or None
        Height of the mouths in units of the valley spacing; None where they are as low as the
        lowest outlet.
    """

    held: Sequence[HeldRivers]
    ways: Ways
    mouth: float | None

    @classmethod
    def of(
        cls,
        courses: Sequence[Course],
        grids: Grids,
        levels: Sequence[Level],
        bases: Sequence[BaseLevel],
        seed: int,
        *,
        bent: bool,
    ) -> OnGrids:
        """Lay drawn rivers on the grids of an erosion with that seed, which are ``bent`` or not."""
        finest, unit, outlets = len(levels) - 1, grids.unit, bases[-1].outlets
        ways = Ways.of(courses, grids, levels, bases)

        def bend(number: int, places: Doubles) -> Doubles:
            if not bent:
                return places
            if number > finest:
                return before_bend(outlets.shape, seed + LAST_BEND, places, outlets)
            return before_bend(levels[number].terrain.shape, seed + BEND * number, places)

        held = [
            HeldRivers(
                beds_along(ways.lines, at, base.outlets),
                [line.course for line in ways.lines],
                at,
                grids.extent / level.resolution / unit,
                unit,
            )
            for level, base, at in zip(
                levels,
                bases,
                on_all_grids(ways.lines, ways.grid, range(len(levels)), bend),
                strict=True,
            )
        ]
        terrain = levels[-1].terrain.reshape(-1)
        lowest = [float(terrain[bed.cells].min()) for bed in held[-1].beds.beds]
        return cls(held, ways, None if bent else min(lowest, default=0.0))

    def bases(self, bases: Sequence[BaseLevel]) -> list[BaseLevel]:
        """Return the base levels of the grids with the mouths of the rivers."""
        pairs = zip(self.held, bases, strict=True)
        return [base.with_mouths(held.beds.mouths, self.mouth) for held, base in pairs]

    def finished(self, base: BaseLevel) -> tuple[HeldRivers, BaseLevel]:
        """Return the rivers in the finished terrain, and its base level with their mouths."""
        return self.ways.finished(base, self.mouth)


def cells_of(grids: Grids, level: Level) -> Grid:
    """Return the cells of a grid with the padding around it, in meters."""
    cell, (rows, columns) = grids.extent / level.resolution, level.terrain.shape
    x0 = (0.5 - level.padding) * cell - grids.width / 2
    y0 = (0.5 - level.padding) * cell - grids.depth / 2
    return Grid(columns, rows, x0, y0, cell, cell)


def on_terrain(
    courses: Sequence[Course],
    terrain: Floats,
    grid: Grid,
    unit: float,
    sea: float | None = None,
    cancelled: Cancel | None = None,
) -> DrawnRivers:
    """Return the beds of drawn rivers on a terrain, with their widths by its drainage area.

    A river that ends on land is led on to a lake, the sea or the border.

    Parameters
    ----------
    terrain : ndarray of float32, shape (H, W)
        Meters on the square cells of ``grid``.
    unit : float
        Meters, the valley spacing that the inflow counts in.
    sea : float, optional
        Height of the sea in meters, None without a sea.
    """
    outlets = border(terrain.shape)
    still = _still_water(terrain, grid.dx, sea, cancelled)
    below = FloodPlain(terrain, outlets, grid, APART, still)
    lines = whole_ways(courses, grid, outlets, below, unit, 0)
    ways = [line.course for line in lines]
    places = [places_on(grid, way.line) for way in ways]
    beds = beds_along(lines, places, outlets)
    held = HeldRivers(beds, ways, places, grid.dx / unit, unit)
    lowest = _lowest_around(terrain)
    levels = [bilinear_exact(lowest, *at.T) for at in places]
    areas: list[Doubles] = []
    if beds.beds:
        lowered = terrain.copy()
        held.hold(lowered)
        outlets.reshape(-1)[beds.mouths] = True
        tree = route(lowered, outlets, cancelled, given=held.given)
        area = accumulate(tree, held.with_inflow((grid.dx / unit) ** 2), cancelled).reshape(-1)
        areas = [area[bed.cells].astype(np.float64) for bed in beds.beds]
    return DrawnRivers.of(ways, beds, areas, [levels[bed.number] for bed in beds.beds], grid.dx)


def _still_water(
    terrain: Floats, spacing: float, sea: float | None, cancelled: Cancel | None
) -> Floats:
    """Return the levels of lakes and of the sea on a terrain; infinite on dry land."""
    tree = route(terrain, cancelled=cancelled)
    lakes = find_lakes(
        terrain, tree, spacing, min_area=LAKE * spacing * spacing, cancelled=cancelled
    )
    still = np.where(lakes.depth > 0, terrain + lakes.depth, np.float32(np.inf))
    if sea is not None:
        still[terrain <= sea] = sea
    return still.astype(np.float32)


def _lowest_around(terrain: Floats) -> Floats:
    """Return the lowest of the heights of each cell and of its neighbors."""
    padded = np.pad(terrain, 1, "edge")
    rows = np.minimum(np.minimum(padded[:-2], padded[1:-1]), padded[2:])
    lowest: Floats = np.minimum(np.minimum(rows[:, :-2], rows[:, 1:-1]), rows[:, 2:])
    return lowest
