# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of shapes for layers that follow them: distances and values around each line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from ... import noise
from ...numerics.arrays import Doubles, Floats
from ...numerics.blocks import row_bands
from ...numerics.grid import Grid
from ...numerics.progress import Cancel
from ...shapes import Nearest, Segments, Shape, Spread, interpolated, nearest, thinned
from ..context import LayerContext
from ..seamless import noise_cells

BAND = 2**18
"""Samples whose distances are computed at once."""
OCTAVES = 5
"""Of the noise that makes what follows a line uneven."""
TOLERANCE = 1e-3
"""Of a width: points of a line that change it by less are left out."""
PARTS = 64
"""Parts that a line is divided into, so that values vary along it."""
SHORT = 1.4
"""Widths over which an end falls to nothing; a shorter one falls less."""
TURN = 0.6
"""Sine of the angle from the direction of a line from which a side counts fully."""


def lines_of(shape: Shape, width: float) -> Iterator[tuple[Doubles, bool]]:
    """Yield points (n, 4) of each line of a shape, and whether it is closed; then its last point is
    the first one again. Points that change a layer of that width hardly are left out."""
    for points, closed in shape.curves():
        every = np.concatenate([points, points[:1]]) if closed else points
        columns = every * [1.0, 1.0, 1.0, width]
        yield every[thinned(columns, np.zeros(1, np.intp), TOLERANCE * width)], closed


def divided(points: Doubles, taper: float, width: float) -> tuple[Doubles, Doubles]:
    """Return a line with more points, and the share of the height of each that its ends leave.

    ``taper`` is the share of the length over which either end falls. An end that is shorter than
    some ``width`` falls less.
    """
    steps: Doubles = np.diff(points[:, :2], axis=0)
    along: Doubles = np.append(0.0, np.cumsum(np.hypot(steps[:, 0], steps[:, 1])))
    length = float(along[-1])
    if not length:
        return points, np.ones(len(points))
    every: Doubles = np.union1d(along, np.linspace(0, length, PARTS + 1))
    found = interpolated(every, along, points)
    if not taper:
        return found, np.ones(len(found))
    fall = taper * length
    lost = 1 - np.clip(np.minimum(every, length - every) / fall, 0, 1)
    return found, 1 - fall / max(SHORT * width, fall) * lost**2


def bands(context: LayerContext) -> Iterator[tuple[slice, Grid]]:
    """Yield the rows of the grid and their windows, few enough for distances."""
    grid = context.grid
    for rows in row_bands(grid.shape, context.cancelled, BAND):
        context.progress(rows.start / grid.ny)
        yield rows, grid.window(0, rows.start, grid.nx, rows.stop - rows.start)


def bumps(context: LayerContext, size: float, seed: int) -> Floats:
    """Return noise around 0 with bumps up to a size in meters."""
    cells = noise_cells(context, size, seamless=False)
    return noise.sample_grid(
        "perlin",
        context.grid.across / cells.x,
        context.grid.along / cells.y,
        period=cells.count,
        seed=context.seed + seed,
        fractal="fbm",
        octaves=OCTAVES,
        cancelled=context.cancelled,
    )


def left_share(found: Nearest) -> Doubles:
    """Return 1 on the left of lines, 0 on their right; from one to the other around a free end."""
    share = np.clip(0.5 + found.lean() / (2 * TURN), 0, 1)
    return share * share * (3 - 2 * share)


@dataclass(frozen=True)
class DrawnLine:
    """One line, and values around it.

    Attributes
    ----------
    segments : Segments
        Its segments.
    values : Spread or ndarray of float64
        Around the line; or the same numbers everywhere.
    reach : float
        Distance in meters up to which it matters.
    """

    segments: Segments
    values: Spread | Doubles
    reach: float

    @classmethod
    def of(
        cls, points: Doubles, closed: bool, places: Doubles, values: Doubles, reach: float
    ) -> Self:
        """Return a line of :func:`lines_of` with values (n, m) at places (n, 2) along it."""
        own = points[:-1] if closed else points
        segments = Segments.of(own, np.zeros(1, np.intp), np.array([closed]))
        same = bool((values == values[0]).all())
        return cls(segments, values[0] if same else Spread.of(places, values, reach), reach)

    def around(
        self, grid: Grid, cancelled: Cancel
    ) -> tuple[tuple[slice, slice], Nearest, Floats | Doubles] | None:
        """Return rows and columns of the samples that may lie within reach, the nearest points of
        the line, and the values there; None without such samples."""
        ends = np.concatenate([self.segments.start, self.segments.end])
        low, high = ends.min(axis=0) - self.reach, ends.max(axis=0) + self.reach
        top, bottom = np.searchsorted(grid.y, (low[1], high[1])).tolist()
        left, right = np.searchsorted(grid.x, (low[0], high[0])).tolist()
        if top >= bottom or left >= right:
            return None
        window = grid.window(left, top, right - left, bottom - top)
        found = nearest(self.segments, window, self.reach, cancelled)
        values = self.values.on(window) if isinstance(self.values, Spread) else self.values
        return (slice(top, bottom), slice(left, right)), found, values
