# SPDX-License-Identifier: GPL-3.0-or-later
"""Where lava flows: down the steepest way on a coarse grid, each flow beside those before it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...hydrology.accumulation import route
from ...hydrology.d8 import flat_offsets
from ...numerics.arrays import Doubles, Floats, Indices
from ...numerics.grid import Grid
from ...numerics.hashing import hashed
from ...numerics.progress import Cancel, poll
from ...settings.plain_data import plain_data
from ...shapes.nearest import nearest
from ...shapes.segments import Segments

CANDIDATES = 8
"""Random places of which the highest is a vent: lava mostly comes from hills."""
ROUNDS = 12
"""Of smoothing of a path from cell to cell."""
SHORTEST = 0.45
"""Length of the shortest flow, relative to the longest."""
NARROW = 0.4
"""Width at the vent, relative to that of the front."""
SPREADING = 0.6, 1.7
"""Least and most width of a flow by the slope: lava spreads on gentle ground."""
UNEVEN = 0.35
"""Largest random change of the ground, in thicknesses of a flow, that turns its course."""
PATCH = 5
"""Size in cells of those changes."""


@plain_data
@dataclass(frozen=True)
class LavaPaths:
    """Center lines of lava flows, the oldest first.

    Attributes
    ----------
    points : ndarray of float64, shape (n, 2)
        x and y in meters, the vent first.
    half_widths : ndarray of float64, shape (n,)
        Meters from the center line to the margin.
    starts : ndarray of intp, shape (flows,)
        Index of the first point of each flow.
    ground : ndarray of float32, shape (rows, columns)
        Smoothed heights of the terrain below, on the grid of the solution.
    """

    points: Doubles
    half_widths: Doubles
    starts: Indices
    ground: Floats

    @property
    def arrays(self) -> list[Doubles | Floats | Indices]:
        return [self.points, self.half_widths, self.starts, self.ground]

    def flows(self) -> list[tuple[Segments, Doubles, float]]:
        """Return the center line, the half widths of its points and the length of each flow."""
        ends = [*self.starts.tolist(), len(self.points)]
        parts = [slice(a, b) for a, b in itertools.pairwise(ends)]
        lines = [_line(self.points[part]) for part in parts]
        return [
            (line, self.half_widths[part], float(line.length.sum()))
            for line, part in zip(lines, parts, strict=True)
        ]


@dataclass(frozen=True)
class Eruption:
    """Numbers and sizes of the lava flows of one eruption; lengths are in meters.

    Attributes
    ----------
    vents, flows : int
        Vents, and flows from each.
    center : tuple of float
        x and y around which the vents lie.
    spread : float
        Distance from there of the farthest vent.
    length, half_width, thickness : float
        Of the largest flow.
    seed : int
        Any integer.
    """

    vents: int
    flows: int
    center: tuple[float, float]
    spread: float
    length: float
    half_width: float
    thickness: float
    seed: int


def lava_paths(height: Floats, grid: Grid, eruption: Eruption, cancelled: Cancel) -> LavaPaths:
    """Return the courses of lava flows on a terrain.

    Each flow follows the steepest descent on ground that is randomly uneven by a part of its
    thickness, as in the model DOWNFLOW (Massimiliano Favalli et al., *Forecasting lava flow paths
    by a stochastic approach*, 2005). It raises the ground, so the next one takes another course.
    """
    ground = height.astype(np.float64)
    points: list[Doubles] = []
    widths: list[Doubles] = []
    vents = [_vent(height, grid, eruption, vent) for vent in range(eruption.vents)]
    lengths = SHORTEST + (1 - SHORTEST) * _random(
        eruption.seed, 3, 0, eruption.vents * eruption.flows
    )
    for turn in range(eruption.flows):
        # All vents send out one flow each, then all the next one.
        codes = _directions(ground, eruption, turn, cancelled)
        before = ground.copy()
        for vent, cell in enumerate(vents):
            length = float(eruption.length * lengths[turn * eruption.vents + vent])
            course = _course(before, codes, grid, cell, length, eruption)
            if course is None:
                continue
            line, half = course
            away = nearest(_line(line), grid, eruption.half_width, cancelled).distance
            ground += eruption.thickness * (away < eruption.half_width)
            points.append(line)
            widths.append(half)
    starts = np.cumsum([0, *map(len, points)], dtype=np.intp)[:-1]
    return LavaPaths(
        np.concatenate(points) if points else np.empty((0, 2)),
        np.concatenate(widths) if widths else np.empty(0),
        starts,
        height.astype(np.float32),
    )


def _line(points: Doubles) -> Segments:
    return Segments.of(points, np.zeros(1, np.intp), np.zeros(1, bool))


def _random(seed: int, stream: int, number: int, count: int) -> Doubles:
    """Return numbers from 0 to 1 that follow from the seed, a stream and a number."""
    words = hashed(seed, stream, np.arange(count, dtype=np.int64) + count * number)
    return words.astype(np.float64) * 2.0**-32


def _vent(height: Floats, grid: Grid, eruption: Eruption, number: int) -> int:
    """Return the cell of a vent, counted by rows."""
    turn = 2 * np.pi * _random(eruption.seed, 0, number, CANDIDATES)
    away = eruption.spread * np.sqrt(_random(eruption.seed, 1, number, CANDIDATES))
    x = eruption.center[0] + away * np.cos(turn)
    y = eruption.center[1] + away * np.sin(turn)
    column = np.clip(np.rint((x - grid.x0) / grid.dx), 1, grid.nx - 2).astype(int)
    row = np.clip(np.rint((y - grid.y0) / grid.dy), 1, grid.ny - 2).astype(int)
    best = int(height[row, column].argmax())
    return int(row[best]) * grid.nx + int(column[best])


def _directions(
    ground: Doubles, eruption: Eruption, turn: int, cancelled: Cancel
) -> NDArray[np.uint8]:
    """Return the directions of the steepest descent on uneven ground, for each cell by rows."""
    poll(cancelled)
    rows, columns = (count // PATCH + 3 for count in ground.shape)
    some = _random(eruption.seed, 2, turn, rows * columns).reshape(rows, columns)
    j: Doubles = np.arange(ground.shape[0], dtype=np.float64) / PATCH
    i: Doubles = np.arange(ground.shape[1], dtype=np.float64) / PATCH
    uneven = _bilinear(some, j, i) * (2 * UNEVEN * eruption.thickness)
    rough = (ground + uneven).astype(np.float32)
    return route(rough, cancelled=cancelled).directions.reshape(-1)


def _course(
    ground: Doubles,
    codes: NDArray[np.uint8],
    grid: Grid,
    cell: int,
    length: float,
    eruption: Eruption,
) -> tuple[Doubles, Doubles] | None:
    """Return the points of a flow and its half widths; None where it ends at once."""
    offsets = flat_offsets(grid.nx)
    cells, most = [cell], int(length / min(grid.dx, grid.dy)) + 1
    while len(cells) <= most and offsets[codes[cells[-1]]]:
        cells.append(cells[-1] + int(offsets[codes[cells[-1]]]))
    row, column = np.divmod(np.array(cells), grid.nx)
    points = np.stack([grid.x[column], grid.y[row]], axis=1)
    for _ in range(ROUNDS if len(points) > 2 else 0):
        points[1:-1] = (points[:-2] + 2 * points[1:-1] + points[2:]) / 4
    way = np.append(0.0, np.cumsum(np.hypot(*np.diff(points, axis=0).T)))
    points, way = points[way <= length], way[way <= length]
    if len(points) < 3:
        return None
    half = eruption.half_width * (NARROW + (1 - NARROW) * np.sqrt(way / eruption.length))
    fall = ground.reshape(-1)[cells[: len(way)]]
    return points, half * _spreading(way, fall)


def _spreading(way: Doubles, height: Doubles) -> Doubles:
    """Return factors on the widths of a flow, by the slopes of the ground along it."""
    near = max(len(way) // 8, 1)
    ahead = np.minimum(np.arange(len(way)) + near, len(way) - 1)
    behind = np.maximum(np.arange(len(way)) - near, 0)
    slope = (height[behind] - height[ahead]) / np.maximum(way[ahead] - way[behind], 1e-9)
    mean = max((height[0] - height[-1]) / max(way[-1], 1e-9), 1e-9)
    return np.clip(np.sqrt(mean / np.maximum(slope, 1e-9)), *SPREADING)


def _bilinear(values: Doubles, rows: Doubles, columns: Doubles) -> Doubles:
    """Return values between samples, at the crossings of positions in samples."""
    j, i = rows.astype(int), columns.astype(int)
    t, s = (rows - j)[:, None], columns - i
    lines = values[j] * (1 - t) + values[j + 1] * t
    return np.asarray(lines[:, i] * (1 - s) + lines[:, i + 1] * s, np.float64)
