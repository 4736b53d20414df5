# SPDX-License-Identifier: GPL-3.0-or-later
"""Smooth fields that are made on a coarse lattice only, and interpolated between its points."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Floats
from ...numerics.axis import RegularAxis
from ...numerics.blocks import even_parts
from ...numerics.resample import SplineAxis, spline, spline_coefficients
from ..context import NOISE_SIDE
from ..seamless import Cells

FEWEST = 2.4
"""Samples from one lattice point to the next, from which interpolating is the faster way."""
FEWEST_ALONE = 6.0
"""The same where the first octave alone is interpolated: it has to be worth setting up."""
BEFORE, BEHIND = 2, 3
"""Lattice points needed before the last one up to a position, and behind it."""
Pitch = tuple[float, float]
"""Distance of lattice points along X and Y."""
Make = Callable[[RegularAxis, RegularAxis], Sequence[NDArray[Any]]]
"""Makes fields at the crossings of two axes, (len(y), len(x)) each."""


@dataclass(frozen=True)
class Area:
    """A rectangle of the land in meters, from the least to the greatest coordinate along X and Y,
    and how far apart samples in it lie."""

    x: tuple[float, float]
    y: tuple[float, float]
    spacing: tuple[float, float]

    @classmethod
    def of(cls, x: RegularAxis, y: RegularAxis) -> Area:
        """Where the crossings of two axes lie."""
        across, along = ((float(a.values.min()), float(a.values.max())) for a in (x, y))
        return cls(across, along, (abs(x.step), abs(y.step)))


def wide_octaves(
    spacing: tuple[float, float], cells: Cells, lacunarity: float, points: Sequence[float]
) -> tuple[int, Pitch]:
    """How many octaves, from the first on, are so wide against the ``spacing`` of samples along X
    and Y that they are best interpolated, and on which lattice.

    ``cells`` of the first octave lie along x and y; each octave needs at least so many lattice
    ``points`` along its cells. The first ones get a whole number, so that what repeats does so on
    the lattice too. The answer follows from the distance of samples, so that all windows of a grid
    agree.
    """
    wide, pitch, finest = 0, (0.0, 0.0), 0.0
    for octave, count in enumerate(points):
        finest = max(finest, math.ceil(count) * lacunarity**octave)
        asked = cells.x / finest, cells.y / finest
        samples = min(asked[0] / spacing[0], asked[1] / spacing[1])
        if samples < FEWEST:
            break
        if octave or samples >= FEWEST_ALONE:
            wide, pitch = octave + 1, asked
    return wide, pitch


def covered(area: Area, pitch: Pitch) -> Area:
    """Where the lattice of fields all over an area lies."""
    reach = (BEHIND + 1) * max(pitch)
    (west, east), (south, north) = area.x, area.y
    return Area((west - reach, east + reach), (south - reach, north + reach), pitch)


class Interpolated:
    """Smooth fields all over an area, from those at the points of a lattice.

    The lattice goes through coordinate 0, so that all windows agree to the bit.
    """

    def __init__(self, area: Area, pitch: Pitch, make: Make) -> None:
        """``make`` is called for squares of the lattice."""
        self._columns, self._rows = _Lattice(area.x, pitch[0]), _Lattice(area.y, pitch[1])
        made = _in_squares(self._columns.axis, self._rows.axis, make)
        self._fields = [spline_coefficients(field) for field in made]

    def at(self, x: RegularAxis, y: RegularAxis) -> list[Floats]:
        """The fields at the crossings of two axes within the area; new float32 (len(y), len(x))."""
        across, along = self._columns.taps(x), self._rows.taps(y)
        return [spline(field, along, across) for field in self._fields]


def _in_squares(x: RegularAxis, y: RegularAxis, make: Make) -> list[Floats]:
    """What ``make`` makes, a square at a time: its temporaries are far larger than its results."""
    whole: list[Floats] = []
    for rows in even_parts(len(y), NOISE_SIDE):
        for columns in even_parts(len(x), NOISE_SIDE):
            parts = make(x[columns], y[rows])
            if not whole:
                whole = [np.empty((len(y), len(x)), np.float32) for _ in parts]
            for field, part in zip(whole, parts, strict=True):
                field[rows, columns] = part
    return whole


class _Lattice:
    """One axis of a lattice."""

    def __init__(self, ends: tuple[float, float], pitch: float) -> None:
        first, last = (math.floor(end / pitch) for end in ends)
        self._pitch, self._first = pitch, first - BEFORE
        self._count = last + BEHIND + 1 - self._first

    @property
    def axis(self) -> RegularAxis:
        return RegularAxis.counted(0.0, self._pitch, self._first, self._count)

    def taps(self, axis: RegularAxis) -> SplineAxis:
        """Where an axis lies among the inner points, to which the coefficients belong."""
        return SplineAxis.at(axis.values / self._pitch, self._count - 2, self._first + 1)
