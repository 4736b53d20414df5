# SPDX-License-Identifier: GPL-3.0-or-later
"""Valleys of drawn rivers, as wide as those around.

A river that is cut through hills without a valley of its own would run in a gorge. The land beside
it is lowered as a whole, down to sides that rise as steeply as those of the valleys around. What
is finer than a valley stays on it: its spurs and hollows become those of the new sides.

Lengths here are in units of the valley spacing, distances in cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....analysis.derivatives import steepness
from ....numerics.arrays import Bools, Doubles, Floats
from ....numerics.grid import Grid
from ....numerics.progress import Cancel, poll
from ....numerics.resample import bilinear_exact
from ....shapes import Nearest, Shape, nearest
from ...smoothing import box
from .cells import Bed
from .course import run_of
from .holding import HeldRivers
from .rivers import BANKS

AROUND = 0.5
"""Radius over which heights and slopes are averaged: half a valley."""
STRIDE = 0.15
"""Distance of the samples of these averages."""
SIDE = 0.75
"""Slope from the river to the crest, over that of the ground between. At the highest points of
crests it is 0.9 to 1.2 (medians of four presets); the saddles between them are lower."""
GENTLEST = 0.1
"""Tangent of the gentlest sides: on a plain no valley is opened for miles."""
REACH = 2.5
"""Distance from the river at which an opening ends, times that at which its sides have risen by the
depth of the cut."""
SHALLOW = 0.5
"""Share of that distance over which the opening becomes shallow toward its end."""
ROUNDED = 0.15
"""Half height of the rounded edge of an opening, times the depth of the cut."""
FOOT = 0.5
"""Width of the foot of a valley's side. What is finer than a valley comes in over it: beside the
floor it would stand as cliffs."""
TAPER = 0.5
"""Most by which the width of an opening changes along the river, per distance."""


@dataclass(frozen=True)
class Surroundings:
    """The land around each place of a terrain, seen at some of its cells.

    Attributes
    ----------
    height : ndarray of float32, shape (h, w)
        Mean height.
    side : ndarray of float32, shape (h, w)
        Tangent of the sides of its valleys, from the river to the crest.
    stride : int
        Cells from sample to sample.
    """

    height: Floats
    side: Floats
    stride: int

    @property
    def arrays(self) -> Sequence[NDArray[Any]]:
        """The arrays that it holds; an `ArrayCache` counts their bytes."""
        return self.height, self.side

    @classmethod
    def of(cls, height: Floats, spacing: float, cancelled: Cancel | None = None) -> Surroundings:
        """Return what is around each place, from heights on cells ``spacing`` apart."""
        stride = max(round(STRIDE / spacing), 1)
        slope = steepness(height, spacing, spacing, cancelled)
        mean = _mean(slope, stride, spacing, cancelled)
        slope *= slope  # as their own weights, so that floors count little
        side = _mean(slope, stride, spacing, cancelled)
        side *= np.float32(SIDE)
        side /= np.maximum(mean, np.float32(1e-6))
        return cls(_mean(height, stride, spacing, cancelled), side, stride)


def _mean(field: Floats, stride: int, spacing: float, cancelled: Cancel | None) -> Floats:
    radius = max(round(AROUND / (spacing * stride)), 1)
    return box(np.ascontiguousarray(field[::stride, ::stride]), radius, cancelled)


def open_wide(
    height: Floats, held: HeldRivers, around: Surroundings, cancelled: Cancel | None = None
) -> Floats:
    """Lower heights, in place, to valleys around the beds that are cut into them.

    Returns
    -------
    ndarray of float32, shape (H, W)
        0 on the floors, which are level with the beds, to 1 at `FOOT` from them and beyond.
    """
    apart = np.ones_like(height)
    for bed in held.beds.beds:
        poll(cancelled)
        way = _Way.of(bed, held, height, around)
        if len(way.places) > 1:
            _open(height, apart, way, around, held.spacing, cancelled)
    apart[lay_floors(height, held, cancelled)] = 0
    return apart


def lay_floors(height: Floats, held: HeldRivers, cancelled: Cancel | None = None) -> Bools:
    """Lower the floors of valleys to the beds, in place, with the feet of their sides, on which the
    banks of the rivers have room. Returns their cells, (H, W)."""
    floors = held.beds.own.reshape(height.shape).copy()
    for bed in held.beds.beds:
        poll(cancelled)
        points = np.rint(bed.place).astype(np.intp)
        if len(np.unique(points)) < 2:
            continue
        half, level = held.floor(bed)[points], height.reshape(-1)[bed.cells].astype(np.float64)
        line, course = held.places[bed.number][points], held.courses[bed.number]
        foot = max(course.form.width / 2 / held.unit / held.spacing, BANKS)
        window, found = held.beside(bed, line, float(half.max()) + foot, height.shape, cancelled)
        beyond, part = np.maximum(found.distance - found.value(half), 0), height[window]
        near = beyond <= foot
        top = found.value(level) + course.form.side * held.spacing * beyond
        part[near] = np.minimum(part[near], top[near])
        floors[window] |= near
    return floors


@dataclass(frozen=True)
class _Way:
    """Points of a river, a sample of the surroundings apart.

    Attributes
    ----------
    places : ndarray of float64, shape (n, 2)
        Rows and columns in samples.
    level, half, depth, reach : ndarray of float64, shape (n,)
        Height of the bed; half the width of the floor in cells; how far the bed lies below the land
        around; cells from the river to the end of the opening.
    steepest : float
        Tangent of its sides at most.
    """

    places: Doubles
    level: Doubles
    half: Doubles
    depth: Doubles
    reach: Doubles
    steepest: float

    @classmethod
    def of(cls, bed: Bed, held: HeldRivers, height: Floats, around: Surroundings) -> _Way:
        """Return those of a bed."""
        count = max(len(bed.cells) // around.stride, 2)
        cells = np.unique(np.rint(np.linspace(0, len(bed.cells) - 1, count)).astype(np.intp))
        points = np.rint(bed.place[cells]).astype(np.intp)
        line = held.places[bed.number][points]
        places = line / around.stride
        level = height.reshape(-1)[bed.cells[cells]].astype(np.float64)
        half, steepest = held.floor(bed)[points], held.courses[bed.number].form.side
        side = _limited(bilinear_exact(around.side, *places.T), steepest)
        depth = np.maximum(bilinear_exact(around.height, *places.T) - level, 0)
        wide = np.maximum(REACH * depth / side, FOOT) / held.spacing
        return cls(places, level, half, depth, half + _tapered(wide, run_of(line)), steepest)


def _limited(side: Doubles | Floats, steepest: float) -> Doubles:
    return np.clip(side, min(GENTLEST, steepest), steepest).astype(np.float64)


def _tapered(wide: Doubles, run: Doubles) -> Doubles:
    """Return the least widths, no less than given, that change slowly along a river."""
    ahead = np.maximum.accumulate(wide + TAPER * run) - TAPER * run
    behind = np.maximum.accumulate((wide - TAPER * run)[::-1])[::-1] + TAPER * run
    return np.maximum(ahead, behind)


def _open(
    height: Floats,
    apart: Floats,
    way: _Way,
    around: Surroundings,
    spacing: float,
    cancelled: Cancel | None,
) -> None:
    """Lower the land beside one river, in place, and what is ``apart`` from floors."""
    stride, reach = around.stride, float(way.reach.max()) / around.stride
    low = np.maximum(np.floor(way.places.min(axis=0) - reach), 0).astype(int)
    high = np.ceil(way.places.max(axis=0) + reach).astype(int) + 2
    rows, columns = (slice(*ends) for ends in zip(low.tolist(), high.tolist(), strict=True))
    mean = around.height[rows, columns]
    if min(mean.shape) < 2:
        return
    grid = Grid(mean.shape[1], mean.shape[0], 0.0, 0.0, 1.0, 1.0, columns.start, rows.start)
    found = nearest(Shape.of("", [way.places[:, ::-1]]).lines, grid, reach, cancelled)
    cells = tuple(
        slice(stride * first.start, stride * (first.start + count - 1) + 1)
        for first, count in zip((rows, columns), mean.shape, strict=True)
    )
    part = height[cells]
    side = _limited(around.side[rows, columns], way.steepest)
    fields = _opening(way, found, mean, side, stride, spacing)
    cut, top, share = (_finer(field, stride)[: part.shape[0], : part.shape[1]] for field in fields)
    low_ground = np.minimum(part, top)
    part -= cut
    part -= low_ground
    np.maximum(part, 0, out=part)
    part *= share
    part += low_ground
    np.minimum(apart[cells], share, out=apart[cells])


def _opening(
    way: _Way, found: Nearest, mean: Floats, side: Doubles, stride: int, spacing: float
) -> Sequence[Floats]:
    """Return, in samples around a river, by how much the land is lowered, down to which height, and
    the share of what is finer than a valley that stays above that."""
    known = found.segment >= 0
    half, depth = found.value(way.half), found.value(way.depth)
    away = np.where(known, found.distance * stride, 0.0) - half
    beyond = spacing * np.maximum(away, 0)
    top = found.value(way.level) + side * beyond
    excess, edge = mean - top, ROUNDED * depth + 1e-9
    near = np.maximum(edge - np.abs(excess), 0)
    end = np.maximum(found.value(way.reach) - half, 1e-9)
    deep = np.clip((1 - away / end) / SHALLOW, 0, 1)
    cut = deep * deep * (3 - 2 * deep) * (np.maximum(excess, 0) + near * near / (4 * edge))
    share = np.minimum(beyond / FOOT, 1)
    apart = mean + (np.ptp(mean) + 1)
    fields = np.where(known, cut, 0), np.where(known, top, apart), np.where(known, share, 1)
    return [field.astype(np.float32) for field in fields]


def _finer(field: Floats, stride: int) -> Floats:
    """Return a field on all cells between its samples, linear along rows and columns."""
    at: Floats = np.arange(stride, dtype=np.float32) / np.float32(stride)
    for _ in range(2):
        steps: Floats = np.diff(field, axis=0)[:, None] * at[:, None]
        steps += field[:-1, None]
        field = np.concatenate([steps.reshape(-1, field.shape[1]), field[-1:]]).T
    return field
