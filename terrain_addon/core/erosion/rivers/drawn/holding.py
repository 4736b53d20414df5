# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights along drawn rivers: beds that fall all the way, and valleys around them.

Lengths here are in units of the valley spacing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ....hydrology.d8 import Codes
from ....numerics.arrays import Doubles, Floats, Indices
from ....numerics.grid import Grid
from ....numerics.progress import Cancel
from ....numerics.resample import SplineAxis, spline_at
from ....shapes import Nearest, Shape, nearest
from ... import random_fields
from ..base_level import BaseLevel
from .cells import Bed, RiverBeds
from .course import Course
from .rivers import FALL, DrawnRivers, graded

AROUND = 2
"""Cells around a bed whose land is no lower than the bed."""
HEAD = 1.5
"""Distance from the source over which the inflow enters. All of it at once would cut a notch."""
EDGE = 0.12
"""Half height of the rounded edge of a valley that is cut open."""
SPURS, SPUR_SIZE = 0.12, 0.7
"""By how much the sides of valleys come nearer to the river and recede, and the wavelength."""
HACK = (0.3, 1.67)
"""Drainage area of a river of the length of one valley spacing, and the exponent of the length."""
NARROWEST = 1.25
"""Half the width of a valley's floor in cells: the surface shows no narrower one."""
REACH = 32
"""Most cells beside a river over which its valley is opened."""

Place = tuple[tuple[slice, slice], Nearest]
"""A window of a grid, and what lies nearest to its cells."""


@dataclass(frozen=True)
class HeldRivers:
    """Drawn rivers on one grid while it erodes.

    Attributes
    ----------
    beds : Beds
        Their cells.
    courses : sequence of Course
        Their ways in meters, by the numbers of the beds.
    places : sequence of ndarray of float64
        (n, 2) rows and columns of the points of these, as the grid shows them.
    spacing : float
        Between cells, in units of the valley spacing.
    unit : float
        Meters, the valley spacing.
    known_spurs, known_places : dict
        What `open_valleys` finds, which takes most of its time, for the next call.
    """

    beds: RiverBeds
    courses: Sequence[Course]
    places: Sequence[Doubles]
    spacing: float
    unit: float
    known_spurs: dict[int, Floats] = field(default_factory=dict[int, Floats], repr=False)
    known_places: dict[tuple[int, float], Place] = field(
        default_factory=dict[tuple[int, float], Place], repr=False
    )

    @property
    def given(self) -> tuple[Indices, Codes]:
        """Cells along the rivers and beside them, and the directions in which they drain."""
        return self.beds.with_sides

    def hold(self, height: Floats) -> None:
        """Lower heights along the beds, in place, so that they fall all along and lie below the
        land on both sides.

        A river is cut through whatever is higher ahead of it. Nothing is filled: on a dam, water
        would leave it.
        """
        flat, beds = height.reshape(-1), self.beds.beds
        lowered = [
            np.minimum(flat[bed.cells].astype(np.float64), lowest - FALL * self.spacing)
            for bed, lowest in zip(beds, _lowest_beside(height, self.beds), strict=True)
        ]
        falls = [FALL * self.spacing * bed.run for bed in beds]
        mouths = [None if bed.joins else float(flat[bed.cells[-1]]) for bed in beds]
        made = graded(lowered, falls, [bed.joins for bed in beds], mouths)
        for bed, level in reversed(list(zip(beds, made, strict=True))):
            flat[bed.cells] = level

    def raise_banks(self, height: Floats) -> None:
        """Raise land next to a bed that is lower, in place: where rivers end, by centimeters."""
        flat, own = height.reshape(-1), self.beds.own
        for bed in self.beds.beds:
            near = self.beds.around(bed, 1)
            level = np.broadcast_to(flat[bed.cells][:, None], near.shape)
            dry = ~own[near]
            np.maximum.at(flat, near[dry], level[dry])

    def with_inflow(self, water: Floats | float) -> Doubles:
        """Return (H, W) water of each cell, with what enters near the sources of the rivers."""
        made: Doubles = np.array(np.broadcast_to(water, self.beds.shape), np.float64)
        flat = made.reshape(-1)
        for bed in self.beds.beds:
            share = np.maximum(1 - bed.run[:-1] * self.spacing / HEAD, 0)
            share *= self.courses[bed.number].form.inflow / share.sum()
            flat[bed.cells[:-1]] += share
        return made

    def open_valleys(self, height: Floats, seed: int, cancelled: Cancel | None = None) -> None:
        """Lower the land beside the beds, in place, to valleys whose sides vary in slope."""
        if seed not in self.known_spurs:
            spurs = random_fields.smooth(height.shape, SPUR_SIZE / self.spacing, seed)
            spurs *= np.float32(SPURS / self.spacing)
            self.known_spurs[seed] = spurs
        spurs = self.known_spurs[seed]
        flat = height.reshape(-1)
        for bed in self.beds.beds:
            kept = flat[bed.cells].copy()
            self._open(height, bed, spurs, cancelled)
            flat[bed.cells] = np.minimum(kept, flat[bed.cells])

    def settle(
        self, height: Floats, base: BaseLevel, seed: int, cancelled: Cancel | None = None
    ) -> None:
        """Lower finished heights to the beds and their valleys, in place; the outlets of ``base``
        stay."""
        base.hold(height)
        self.hold(height)
        self.open_valleys(height, seed, cancelled)
        base.hold(height)
        self.hold(height)
        self.raise_banks(height)
        base.hold(height)

    def rivers(self, height: Floats, area: Floats) -> DrawnRivers:
        """Return the beds on the finished terrain, from its heights and drainage areas in meters
        and square meters."""

        def surface(places: Doubles) -> Doubles:
            rows, columns = (
                SplineAxis.at(at, count) for at, count in zip(places.T, height.shape, strict=True)
            )
            return spline_at(height, rows, columns).astype(np.float64)

        levels = [surface(self.places[bed.number]) for bed in self.beds.beds]
        areas = [area.reshape(-1)[bed.cells].astype(np.float64) for bed in self.beds.beds]
        return DrawnRivers.of(self.courses, self.beds, areas, levels, self.spacing * self.unit)

    def floor(self, bed: Bed) -> Doubles:
        """Return half the width of a valley's floor in cells at all points of its line."""
        course, mouth = (self.courses[one.number] for one in (bed, self.beds.mouth_of(bed)))
        form, share = course.form, np.ones(len(course.line))
        if form.by_flow:
            flow, most = _flow(course, self.unit), float(_flow(mouth, self.unit)[-1])
            share = np.sqrt(np.minimum(flow / max(most, 1e-30), 1))
        half = share * course.radius * (form.width / 2 + form.floor) / self.unit
        return np.maximum(half / self.spacing, NARROWEST)

    def _open(self, height: Floats, bed: Bed, spurs: Floats, cancelled: Cancel | None) -> None:
        """Lower the land beside one river."""
        count = max(len(bed.cells) // 2, 2)
        every: Doubles = np.linspace(float(bed.place[0]), float(bed.place[-1]), count)
        numbers = np.unique(np.rint(every).astype(np.intp))
        if len(numbers) < 2:
            return
        points = self.places[bed.number][numbers]
        levels = np.interp(numbers, bed.place, height.reshape(-1)[bed.cells].astype(np.float64))
        form, relief = self.courses[bed.number].form, float(np.ptp(height))
        side = form.side * self.spacing
        half = self.floor(bed)
        reach = float(half.max()) + min(relief / side + 2 * SPURS / self.spacing, REACH)
        window, found = self.beside(bed, points, reach, height.shape, cancelled)
        known = found.segment >= 0
        half = found.value(half[numbers])[known]
        away = found.distance[known] - half
        beyond = np.maximum(away - spurs[window][known] * np.clip(away / half, 0, 1), 0)
        top = found.value(levels)[known] + side * beyond
        # Sides steepen, so that at its reach a valley ends without a step.
        wide = reach - half
        top += np.maximum(relief - side * wide, 0) * (np.maximum(away, 0) / wide) ** 3
        ground = height[window][known]
        edge = np.minimum(EDGE, 0.5 * side * beyond) + 1e-9
        near = np.maximum(edge - np.abs(top - ground), 0)
        height[window][known] = np.minimum(ground, top) - near * near / (4 * edge)

    def beside(
        self,
        bed: Bed,
        points: Doubles,
        reach: float,
        shape: tuple[int, ...],
        cancelled: Cancel | None,
    ) -> Place:
        """Return the window of the grid up to some cells beside a river, and the nearest of its
        points."""
        if (bed.number, reach) not in self.known_places:
            low = np.maximum(np.floor(points.min(axis=0) - reach), 0).astype(int)
            high = np.minimum(np.ceil(points.max(axis=0) + reach) + 1, shape).astype(int)
            ny, nx = (high - low).tolist()
            grid = Grid(nx, ny, 0.0, 0.0, 1.0, 1.0, int(low[1]), int(low[0]))
            window = slice(low[0], high[0]), slice(low[1], high[1])
            found = nearest(Shape.of("", [points[:, ::-1]]).lines, grid, reach, cancelled)
            self.known_places[bed.number, reach] = window, found
        return self.known_places[bed.number, reach]


def _flow(course: Course, unit: float) -> Doubles:
    """Return (n,) drainage areas along a river, guessed from its length (Hack 1957)."""
    run = course.along / unit
    return course.form.inflow * np.minimum(run / HEAD, 1) + HACK[0] * run ** HACK[1]


def _lowest_beside(height: Floats, beds: RiverBeds) -> list[Doubles]:
    """Return for the cells of each bed the lowest land within `AROUND` cells that is no bed
    itself."""
    flat, own = height.ravel(), beds.own
    found = (beds.around(bed, AROUND) for bed in beds.beds)
    return [np.where(own[near], np.inf, flat[near]).min(axis=1) for near in found]
