# SPDX-License-Identifier: GPL-3.0-or-later
"""Water in all arms of braided rivers: a sheet at the level of the river, which shows where the
ground of its belt lies lower."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..erosion.surface.along_rivers import least, left_of, steady
from ..erosion.surface.braids import steep_share
from ..hydrology import RiverLine
from ..numerics.arrays import Bools, Doubles, Floats, Indices
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, poll
from ..numerics.resample import triangular
from ..recipe.recipe import Recipe

FULL = 0.6
"""Height of the water between the bottom of the deepest arm and the bars."""
BARS = 0.45
"""Share of a cross-section that lies below the bars' usual height."""
DEEPEST = 0.3
"""Height of the bars above the deepest arm, in widths of the river as one channel, from which on a
valley is no belt."""
LOWER = 0.1, 1.5
"""Share of a cross-section that lies so deep below the bed of the river, in the height of the bars
above that, from which on it is no belt: water would leave it."""
NARROWEST = 6.0
"""Cells in half of the narrowest belts: in others, arms fall between samples."""
LOOKS = 33
"""Places across a belt at which its ground is looked at."""
EDGE = 1.05, 1.35
"""Half widths of a belt between which its water sinks below the ground."""
SINKING = 0.1
"""Depth to which it sinks, in widths of the river as one channel."""
SEEN = 3.0
"""Depth that colors it, in its height above the ground: beds are shallower than rivers are deep."""
BETWEEN = 0.5
"""Distance of places along and across a belt at which its water stands, in cells."""


@dataclass(frozen=True)
class Sheet:
    """Water over some cells of a grid.

    Attributes
    ----------
    row, column : ndarray of int64, shape (n,)
        Its points on the grid.
    level, depth : ndarray of float64, shape (n,)
        Meters of its height, and of the depth that its color shows.
    flow, width : ndarray of float64, shape (n,)
        Square meters of drainage area, and meters, of the river as one channel.
    quads : ndarray of int64, shape (m, 4)
        Points of each cell.
    """

    row: Indices
    column: Indices
    level: Doubles
    depth: Doubles
    flow: Doubles
    width: Doubles
    quads: Indices

    def wets(self, row: Indices, column: Indices) -> Bools:
        """Return whether points of the grid lie below the water."""
        size = (
            int(max(self.row.max(), row.max())) + 1,
            int(max(self.column.max(), column.max())) + 1,
        )
        wet = np.zeros(size, bool)
        wet[self.row, self.column] = self.depth > 0
        return wet[row, column]


def sheet(
    recipe: Recipe,
    rivers: Sequence[RiverLine],
    height: Floats,
    grid: Grid,
    cancelled: Cancel | None = None,
) -> Sheet | None:
    """Return the water of braided reaches of rivers; None where there is none.

    Parameters
    ----------
    recipe : Recipe
        Tells how wide belts are.
    rivers : sequence of RiverLine
        Those of the heights, as :func:`.water_meshes.found_rivers` finds them.
    height : ndarray of float32, shape (ny, nx)
        Meters on the points of the ``grid``.
    """
    widths = [layer.settings.braided_width for layer in recipe.active]
    bed, belt = max(widths, key=lambda one: one[1], default=(0.0, 0.0))
    if belt <= 0 or recipe.seamless or recipe.water.river_width <= 0:
        return None
    sums = np.zeros((4, height.size))
    for river in rivers:
        poll(cancelled)
        natural = river.width / recipe.water.river_width
        _add(sums, river, bed * natural, belt / 2 * natural, height, grid)
    known = sums[0] > 0
    if not known.any():
        return None
    level, flow, width = sums[1:] / np.maximum(sums[0], 1e-12)
    level[~known] = -np.inf
    wet = (level > height.ravel()).reshape(height.shape)
    cells = wet[:-1, :-1] | wet[:-1, 1:] | wet[1:, :-1] | wet[1:, 1:]
    there = known.reshape(height.shape)
    cells &= there[:-1, :-1] & there[:-1, 1:] & there[1:, :-1] & there[1:, 1:]
    corner = np.flatnonzero(np.pad(cells, ((0, 1), (0, 1))))
    if not corner.size:
        return None
    corners = np.stack([corner, corner + 1, corner + grid.nx + 1, corner + grid.nx], axis=1)
    points, quads = np.unique(corners, return_inverse=True)
    row, column = np.divmod(points, grid.nx)
    depth = SEEN * np.maximum(level[points] - height.ravel()[points], 0)
    return Sheet(
        row, column, level[points], depth, flow[points], width[points], quads.reshape(-1, 4)
    )


def _add(
    sums: Doubles, river: RiverLine, bed: Doubles, half: Doubles, height: Floats, grid: Grid
) -> None:
    """Add the levels of the water in the belt of a river, ``half`` meters wide to either side, with
    their weights, to (4, cells) sums: weight, level, flow and width."""
    cell = max(grid.dx, grid.dy)
    if half.max() < NARROWEST * cell:
        return
    run = np.append(0.0, np.cumsum(np.hypot(np.diff(river.x), np.diff(river.y))))
    at: Doubles = np.arange(0.0, run[-1], BETWEEN * cell)
    x, y, flow, bed, half = (
        np.interp(at, run, line) for line in (river.x, river.y, river.flow, bed, half)
    )
    count = round(4 * float(np.median(half)) / (BETWEEN * cell))
    if at.size < 2 * count:
        return
    deepest = _heights(height, grid, x, y)
    x, y = (steady(steady(line, count // 2), count) for line in (x, y))  # the middle of the belt
    normal = left_of((x, y))
    away = np.linspace(-1, 1, LOOKS)[:, None] * half
    across = _heights(height, grid, x + away * normal[0], y + away * normal[1])
    lowest, bars = np.quantile(across, [LOWER[0], BARS], axis=0)
    deepest, lowest, bars = (steady(line, count // 2) for line in (deepest, lowest, bars))
    slope = steady(-np.gradient(bars, BETWEEN * cell), 2 * count)
    share = steep_share(np.maximum(slope, 1e-9), bed) * (half >= NARROWEST * cell)
    share *= np.clip(2 - (bars - deepest) / (DEEPEST / 2 * bed), 0, 1)
    share *= (bars > deepest) & (lowest > deepest - LOWER[1] * (bars - deepest))
    share = np.clip(2 * steady(least(np.clip(share, 0, 1), count // 4), count), 0, 1)
    level = deepest + FULL * (bars - deepest)
    points = np.flatnonzero(share > 0)
    if not points.size:
        return
    most = EDGE[1] * half[points]
    looks = np.linspace(-1, 1, 2 * int(np.ceil(float(most.max()) / (BETWEEN * cell))) + 1)
    ramp = np.clip(EDGE[1] * (1 - np.abs(looks)) / (EDGE[1] - EDGE[0]), 0, 1)[:, None]
    # At its edges and ends the sheet dips below the ground.
    level = level[points] - (1 - ramp * share[points]) * (SINKING * bed)[points]
    column = np.rint((x[points] + looks[:, None] * most * normal[0][points] - grid.x[0]) / grid.dx)
    row = np.rint((y[points] + looks[:, None] * most * normal[1][points] - grid.y[0]) / grid.dy)
    inside = (row >= 0) & (row < grid.ny) & (column >= 0) & (column < grid.nx)
    place = (row * grid.nx + column)[inside].astype(np.intp)
    weight = np.broadcast_to(ramp * share[points] + 1e-3, inside.shape)[inside]
    values = [
        np.broadcast_to(one, inside.shape)[inside] for one in (level, flow[points], bed[points])
    ]
    sums[0] += np.bincount(place, weight, minlength=sums.shape[1])
    for total, value in zip(sums[1:], values, strict=True):
        total += np.bincount(place, weight * value, minlength=sums.shape[1])


def _heights(height: Floats, grid: Grid, x: Doubles, y: Doubles) -> Doubles:
    """Return the heights of the surface at any points; beyond the border those at it."""
    row = np.clip((y - grid.y[0]) / grid.dy, 0, grid.ny - 1)
    column = np.clip((x - grid.x[0]) / grid.dx, 0, grid.nx - 1)
    return triangular(height, row, column)
