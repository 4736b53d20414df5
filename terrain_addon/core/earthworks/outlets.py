# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the water of a lake leaves."""

from __future__ import annotations

import numpy as np

from ..hydrology import route
from ..hydrology.d8 import NONE, flat_offsets
from ..numerics.arrays import Doubles, Floats
from ..numerics.grid import Grid
from ..numerics.progress import Cancel
from .areas import Areas

FALL = 2e-4
"""Meters by which a channel falls in each meter."""
ROUNDS = 3
"""Of smoothing of a path from cell to cell."""


def outlet_path(
    height: Floats, grid: Grid, areas: Areas, area: int, level: float, cancelled: Cancel | None
) -> Doubles:
    """Return points (n, 4) from a lake to the border of the terrain: x, y, height of the bed, and
    1.

    The path is that of the water on ``height``, in which the basins are carved. Its bed begins at
    the level of the lake and falls. A lake beyond the grid has none.
    """
    within = areas.beyond(area, grid, 0.0, cancelled) < 0
    if not within.any():
        x, y = areas.points(area)[0][0, :2]
        column, row = round((x - grid.x0) / grid.dx), round((y - grid.y0) / grid.dy)
        if not (0 <= column < grid.nx and 0 <= row < grid.ny):
            return np.empty((0, 4))
        within[row, column] = True
    directions = route(height, cancelled=cancelled).directions.reshape(-1)
    offsets = flat_offsets(grid.nx).tolist()
    cell = int(np.where(within, height, np.inf).argmin())
    cells = [cell]
    while directions[cell] != NONE:
        cell += offsets[directions[cell]]
        cells.append(cell)
    row, column = np.divmod(np.array(cells), grid.nx)
    plan = np.stack([grid.x[column], grid.y[row]], axis=1)
    for _ in range(ROUNDS if len(plan) > 2 else 0):
        plan[1:-1] = (plan[:-2] + 2 * plan[1:-1] + plan[2:]) / 4
    steps = np.hypot(*np.diff(plan, axis=0).T)
    steps[within.reshape(-1)[cells[:-1]]] = 0  # the water of the lake is level
    bed = level - FALL * np.append(0.0, np.cumsum(steps))
    return np.stack([*plan.T, bed, np.ones(len(bed))], axis=1)
