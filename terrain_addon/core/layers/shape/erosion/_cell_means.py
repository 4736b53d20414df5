# SPDX-License-Identifier: GPL-3.0-or-later
"""Detail on elevation data whose samples are means over cells: the means stay those of the data."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

import numpy as np

from ....numerics.arrays import Doubles, Floats
from ....numerics.grid import Grid
from ....numerics.resample import SplineAxis, spline
from ...context import LayerContext

SAMPLES = 4
"""Samples of the detail along a cell, from which its mean is found."""
PASSES = 4
"""Corrections of the spline, whose means over cells are not its coefficients."""
MARGIN = 2 * PASSES + 3
"""Cells beyond those of a window that its heights depend on."""
BEYOND = 2
"""Cells beyond the border of the terrain, like those at it."""
OVER_CELL = (1 / 384, 19 / 96, 115 / 192, 19 / 96, 1 / 384)
"""Mean of a cubic B-spline over its own cell and its neighbors: the quartic B-spline."""
FALL = (0.3, 0.7)
"""Range of the factor between the heights of forms and of those half as wide, in terrain: noise in
the data falls less, and forms that it lacks fall more."""
DEEPEST = 0.16
"""Largest depth of detail in cells."""
GULLY = 5.0
"""Depth of gullies relative to the height of forms of their width, as a standard deviation over a
whole terrain, of which gullies cover the slopes."""
STEPS = 2.0**20
"""Distinct positions in a cell, so that they are exact whatever the window."""


def without_means(
    made: Floats, context: LayerContext, cell: float, make: Callable[[LayerContext], Floats]
) -> Floats:
    """Return heights whose mean over each cell is about that of the terrain below in the cell's
    middle.

    A smooth surface through samples of elevation data has the samples there, while its means over
    cells are too low on crests and too high in valleys. The difference is interpolated smoothly.

    Parameters
    ----------
    made : ndarray of float32, shape (ny, nx)
        Meters, heights with detail on the grid of the context.
    cell : float
        Side of a cell in meters; whole cells cover the terrain.
    make : callable
        Returns the heights with detail in any context.

    Returns
    -------
    ndarray of float32, shape (ny, nx)
        Those of the context where its points are no closer than cells.
    """
    grid = context.grid
    if max(grid.dx, grid.dy) >= cell:
        return context.height.copy()
    sides = context.size_x, context.size_y
    counts = [max(round(side / cell), 1) for side in sides]
    whole = Grid.pixels(*sides, *(SAMPLES * count for count in counts))
    (x, i, nx), (y, j, ny) = (
        _covered(places, side, count, context.seamless)
        for places, side, count in zip((grid.x, grid.y), sides, counts, strict=True)
    )
    lattice = whole.window(SAMPLES * i, SAMPLES * j, SAMPLES * nx, SAMPLES * ny)
    below = context.heights_below(lattice)
    fine = make(dataclasses.replace(context, grid=lattice, height=below, produced={}))
    centers = context.heights_below(Grid.pixels(*sides, *counts).window(i, j, nx, ny))
    excess = np.zeros((ny, nx), np.float32)
    for a in range(SAMPLES):
        for b in range(SAMPLES):
            excess += fine[a::SAMPLES, b::SAMPLES] - centers
    excess /= np.float32(SAMPLES**2)
    coefficients = np.pad(_coefficients(excess), BEYOND, "edge")
    rows = SplineAxis.at(y - j + BEYOND, ny + 2 * BEYOND)
    columns = SplineAxis.at(x - i + BEYOND, nx + 2 * BEYOND)
    return made - spline(coefficients, rows, columns, context.cancelled)


def _covered(places: Doubles, side: float, count: int, seamless: bool) -> tuple[Doubles, int, int]:
    """Return the positions in cells, and the first cell and the number of cells that they depend
    on, also beyond the border of a seamless terrain."""
    positions = np.round(((places / side + 0.5) * count - 0.5) * STEPS) / STEPS
    first = math.floor(positions[0]) - MARGIN
    last = math.ceil(positions[-1]) + MARGIN
    if seamless:
        return positions, first, last - first + 1
    first, last = max(first, 0), min(last, count - 1)
    first, last = min(first, count - 1), max(last, 0)
    return positions, first, max(last - first, 0) + 1


def _coefficients(means: Floats) -> Floats:
    """Return the coefficients of a B-spline whose means over cells are about the given ones."""
    found = means.copy()
    for _ in range(PASSES):
        found += means - _over_cells(_over_cells(found).T).T
    return found


def _over_cells(field: Floats) -> Floats:
    """Return the means over rows of cells of the B-spline with these coefficients."""
    padded = np.pad(field, ((BEYOND, BEYOND), (0, 0)), "edge")
    total = np.zeros_like(field)
    for number, weight in enumerate(OVER_CELL):
        total += np.float32(weight) * padded[number : number + len(field)]
    return total


def detail_depth(data: Floats, cell: float) -> float:
    """Return meters of the depth of gullies that continue the forms of elevation data below its
    spacing.

    The heights of its forms of two and of four cells tell how they fall from one width to the next
    (Haar wavelets).

    Parameters
    ----------
    data : ndarray of float32, shape (H, W)
        Heights in meters, without voids.
    cell : float
        Meters between its samples.
    """
    narrow = _forms(data)
    wide = _forms(_halves(data))
    fall = narrow / wide if wide > 0 else FALL[0]
    return min(GULLY * narrow * min(max(fall, FALL[0]), FALL[1]), DEEPEST * cell)


def _halves(field: Floats) -> Floats:
    """Return the means of 2 x 2 samples."""
    rows, columns = (max(count // 2, 1) for count in field.shape)
    blocks = np.pad(field, [(0, count % 2) for count in field.shape], "edge")
    blocks = blocks[: 2 * rows, : 2 * columns]
    return blocks.reshape(rows, 2, columns, 2).mean((1, 3), dtype=np.float32)


def _forms(field: Floats) -> float:
    """Return the standard deviation of samples from the means of 2 x 2."""
    means = _halves(field)
    rows, columns = (2 * count for count in means.shape)
    part = field[:rows, :columns]
    blocks = means.repeat(2, 0).repeat(2, 1)[: part.shape[0], : part.shape[1]]
    return float(np.std(part - blocks, dtype=np.float64))
