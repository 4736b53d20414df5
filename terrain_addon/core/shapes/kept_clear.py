# SPDX-License-Identifier: GPL-3.0-or-later
"""Where nothing else may stand: along lines and in areas."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Bools, Doubles
from ..numerics.grid import Grid
from .areas import winding, winding_at
from .nearest import nearest
from .segments import Segments
from .shape import Shape

CELL = 8.0
"""Side in meters of the cells that share their nearest segment."""


@dataclass(frozen=True)
class KeptClear:
    """Ground along the lines of a shape and in its areas that is kept clear.

    Attributes
    ----------
    shape : Shape
        Lines and areas.
    half : float or None
        Meters to either side of open and closed lines, times the radius of their points; None where
        areas are meant.
    margin : float
        Meters around areas.

    Examples
    --------
    >>> road = KeptClear(Shape.of("Road", [[(0, 0), (100, 0)]]), half=4.0)
    >>> road.holds(np.array([50.0, 50.0]), np.array([3.0, 5.0]))
    array([ True, False])
    """

    shape: Shape
    half: float | None = None
    margin: float = 0.0

    def holds(self, x: Doubles, y: Doubles) -> Bools:
        """Return which points (n,) in meters are kept clear."""
        found = np.zeros(len(x), bool)
        lines = self.shape.borders if self.half is None else self.shape.lines
        if not len(x) or not len(lines):
            return found
        if self.half is None:
            reach, radius = self.margin, np.zeros(len(self.shape.line_points))
        else:
            radius = self.half * self.shape.line_points[:, 3]
            reach = float(radius.max())
        near = self._inside_box(x, y, lines, reach)
        if near.any():
            found[near] = self._exact(x[near], y[near], lines, radius, reach)
        return found

    @staticmethod
    def _inside_box(x: Doubles, y: Doubles, lines: Segments, reach: float) -> Bools:
        ends = np.concatenate([lines.start, lines.end])
        low, high = ends.min(axis=0) - reach, ends.max(axis=0) + reach
        return (x >= low[0]) & (x <= high[0]) & (y >= low[1]) & (y <= high[1])

    def _exact(
        self, x: Doubles, y: Doubles, lines: Segments, radius: Doubles, reach: float
    ) -> Bools:
        """Compare points with the segment that is nearest to the middle of their cell."""
        columns, rows = (np.floor(one / CELL).astype(np.intp) for one in (x, y))
        i0, j0 = int(columns.min()), int(rows.min())
        nx, ny = int(columns.max()) - i0 + 1, int(rows.max()) - j0 + 1
        cells = Grid(nx, ny, CELL / 2, CELL / 2, CELL, CELL, i0, j0)
        found = nearest(lines, cells, reach + CELL * math.sqrt(0.5))
        segment = found.segment[rows - j0, columns - i0]
        held = np.zeros(len(x), bool)
        if self.half is None:
            held = winding(self.shape.areas, cells)[rows - j0, columns - i0] != 0
            at = np.flatnonzero(segment >= 0)  # near a border
            held[at] = winding_at(self.shape.areas, x[at], y[at]) != 0
            if not self.margin:
                return held
        at = np.flatnonzero(segment >= 0)
        which = segment[at]
        from_start = np.stack([x[at], y[at]], axis=1) - lines.start[which]
        along = np.clip((from_start * lines.tangent[which]).sum(axis=1), 0, lines.length[which])
        away = np.hypot(*(from_start - along[:, None] * lines.tangent[which]).T)
        if self.half is None:
            held[at] |= away <= self.margin
            return held
        share = along / np.maximum(lines.length[which], 1e-9)
        first, second = radius[lines.first[which]], radius[lines.second[which]]
        held[at] = away <= first + share * (second - first)
        return held
