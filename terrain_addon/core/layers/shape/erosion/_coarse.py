# SPDX-License-Identifier: GPL-3.0-or-later
"""The smoothed terrain below, for layers that follow its broad form."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....numerics.arrays import Doubles, Floats
from ....numerics.grid import Grid
from ....numerics.resample import SplineAxis, spline_at
from ...context import LayerContext
from ...seamless import CellSize, noise_cells

MARGIN = 3
"""Lattice points beyond the samples that a B-spline needs."""


@dataclass(frozen=True)
class Coarse:
    """The terrain below on a lattice with a fixed origin, so that all windows agree.

    ``columns`` and ``rows`` are the positions of the context's grid on it, ``i0`` and ``j0`` the
    numbers of its first column and row. On a seamless terrain whole cells fit its extent, and
    ``spacing_y`` between rows differs a little from ``spacing``.
    """

    height: Floats
    spacing: float
    columns: SplineAxis
    rows: SplineAxis
    i0: int
    j0: int
    spacing_y: float

    def at(self, field: Floats, x: Doubles, y: Doubles) -> Floats:
        """Return a field on the lattice at scattered places in meters: (n,) float32."""
        height, width = field.shape
        rows = SplineAxis.at(y / self.spacing_y - self.j0, height)
        return spline_at(field, rows, SplineAxis.at(x / self.spacing - self.i0, width))


def coarse_heights(context: LayerContext, spacing: float, margin: int = 0) -> Coarse:
    """Return the terrain below at points ``spacing`` meters apart, with ``margin`` more on each
    side.

    Never finer than the context's own grid.
    """
    spacing = max(spacing, context.grid.dx, context.grid.dy)
    margin += MARGIN
    cells = CellSize(spacing, spacing, None)
    if context.seamless:
        cells = noise_cells(context, spacing, seamless=True)
    (i0, nx), (j0, ny) = (
        _covered(axis, cell, margin)
        for axis, cell in ((context.grid.x, cells.x), (context.grid.y, cells.y))
    )
    lattice = Grid(nx, ny, 0.0, 0.0, cells.x, cells.y, i0, j0)
    return Coarse(
        context.heights_below(lattice),
        cells.x,
        SplineAxis.at(context.grid.x / cells.x - i0, nx),
        SplineAxis.at(context.grid.y / cells.y - j0, ny),
        i0,
        j0,
        cells.y,
    )


def _covered(axis: Doubles, spacing: float, margin: int) -> tuple[int, int]:
    """Return first lattice point and number of points over an axis."""
    first = int(np.floor(axis[0] / spacing)) - margin
    last = int(np.ceil(axis[-1] / spacing)) + margin
    return first, last - first + 1


MOST_PASSES = 200


def passes_over(distance: float, dx: float, dy: float) -> int:
    """Return the number of passes, a cell each, that carry material over a distance in meters.

    `Grid.with_margin` limits the margin around a terrain to half its extent, so a large distance
    alone cannot multiply the work.
    """
    return min(max(round(distance / max(dx, dy)), 1), MOST_PASSES)
