# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of the points of a line, spread smoothly over the plane around it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Doubles, Floats
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, poll
from ..numerics.resample import SplineAxis, spline, spline_coefficients

CELLS = 64
"""Cells of the lattice along its longer side: values vary over much more than a cell."""
POINTS = 512
"""The most points that a line is divided into."""
AROUND = 3
"""Nodes of the lattice beyond the reach, for the spline."""


def weighted_means(
    points: Doubles, values: Doubles, x: Doubles, y: Doubles, softness: float
) -> Doubles:
    """Return the means of the values of points, weighted by ``1 / (distance^2 + softness^2)^2``.

    ``points`` (k, 2), ``values`` (k, m), ``x`` and ``y`` (n,): (m, n). Smooth, within the range of
    the values, and near a point close to its value.

    Source: Donald Shepard, *A two-dimensional interpolation function for irregularly-spaced data*,
    1968.
    """
    square = (x[:, None] - points[:, 0]) ** 2 + (y[:, None] - points[:, 1]) ** 2
    weights = 1 / np.square(square + softness**2)
    return (weights @ values / weights.sum(axis=1)[:, None]).T


@dataclass(frozen=True)
class Spread:
    """Values around a line up to a reach, as coefficients of a spline on a lattice.

    The lattice follows from the line and the reach alone, so that all grids agree. Where a line
    bends or crosses itself, its nearest point jumps; these values do not.

    Attributes
    ----------
    x0, y0, spacing : float
        The first node and the distance of nodes, meters.
    fields : ndarray of float32, shape (m, rows, columns)
        Coefficients.
    """

    x0: float
    y0: float
    spacing: float
    fields: Floats

    @classmethod
    def of(cls, line: Doubles, values: Doubles, reach: float) -> Spread:
        """Spread the values of a line (n, 2) with values (n, m).

        Examples
        --------
        >>> line, values = np.array([[-50.0, 0], [50, 0]]), np.array([[0.0], [8.0]])
        >>> Spread.of(line, values, 20.0).on(Grid.points(60.0, 1.0, 3, 1)).round(1)
        array([[[1.6, 4. , 6.4]]], dtype=float32)
        """
        low: Doubles = line.min(axis=0) - reach
        extent: Doubles = line.max(axis=0) + reach - low
        spacing = float(extent.max()) / CELLS
        nodes_x, nodes_y = (_nodes(float(low[n]), float(extent[n]), spacing) for n in (0, 1))
        steps: Doubles = np.diff(line, axis=0)
        along: Doubles = np.append(0.0, np.cumsum(np.hypot(steps[:, 0], steps[:, 1])))
        count = int(np.clip(np.ceil(along[-1] / spacing), 1, POINTS))
        places: Doubles = (np.arange(count) + 0.5) / count * float(along[-1])
        points, means = interpolated(places, along, line), interpolated(places, along, values)
        x: Doubles = np.tile(nodes_x, len(nodes_y))
        y: Doubles = np.repeat(nodes_y, len(nodes_x))
        found = weighted_means(points, means, x, y, spacing).astype(np.float32)
        fields = found.reshape(-1, len(nodes_y), len(nodes_x))
        coefficients = np.stack([spline_coefficients(fields[n]) for n in range(len(fields))])
        start = low - (AROUND - 1) * spacing
        return cls(float(start[0]), float(start[1]), spacing, coefficients)

    def on(self, grid: Grid, cancelled: Cancel | None = None) -> Floats:
        """Return the values at the points of a grid, (m, ny, nx) float32."""
        poll(cancelled)
        rows = SplineAxis.at((grid.y - self.y0) / self.spacing, self.fields.shape[1])
        columns = SplineAxis.at((grid.x - self.x0) / self.spacing, self.fields.shape[2])
        every = range(len(self.fields))
        return np.stack([spline(self.fields[n], rows, columns, cancelled) for n in every])


def _nodes(start: float, extent: float, spacing: float) -> Doubles:
    """Return the coordinates of the nodes of a lattice."""
    steps = np.arange(-AROUND, round(extent / spacing) + AROUND + 2, dtype=np.float64)
    return start + spacing * steps


def interpolated(places: Doubles, along: Doubles, columns: Doubles) -> Doubles:
    """Return columns interpolated at places along a line: (places, columns)."""
    found = [np.interp(places, along, columns[:, n]) for n in range(columns.shape[1])]
    return np.stack(found, axis=1)
