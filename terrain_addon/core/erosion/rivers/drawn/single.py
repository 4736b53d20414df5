# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn rivers on a terrain that does not erode."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....hydrology import accumulate, border, route
from ....numerics.arrays import Doubles, Floats
from ....numerics.grid import Grid
from ....numerics.progress import Cancel
from ....numerics.resample import bilinear_exact
from .course import Course
from .holding import HeldRivers
from .lines import beds_along, places_on, whole_ways
from .rivers import DrawnRivers


def on_terrain(
    courses: Sequence[Course],
    terrain: Floats,
    grid: Grid,
    unit: float,
    cancelled: Cancel | None = None,
) -> DrawnRivers:
    """Return the beds of drawn rivers on a terrain, with their widths by its drainage area.

    Parameters
    ----------
    terrain : (H, W) float32 meters on the square cells of ``grid``
    unit : meters, the valley spacing that the inflow counts in
    """
    outlets = border(terrain.shape)
    lines = whole_ways(courses, grid, outlets, None, unit, 0)
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


def _lowest_around(terrain: Floats) -> Floats:
    """Return the lowest of the heights of each cell and of its neighbors."""
    padded = np.pad(terrain, 1, "edge")
    rows = np.minimum(np.minimum(padded[:-2], padded[1:-1]), padded[2:])
    lowest: Floats = np.minimum(np.minimum(rows[:, :-2], rows[:, 1:-1]), rows[:, 2:])
    return lowest
