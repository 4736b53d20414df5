# SPDX-License-Identifier: GPL-3.0-or-later
"""Smooth fields, computed on a coarse lattice and interpolated between its points."""

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
from ..seamless import CellSize

FEWEST = 2.4
"""Samples per lattice cell from which interpolation is faster."""
FEWEST_ALONE = 6.0
"""The same for the first octave alone, which must repay the setup cost."""
BEFORE, BEHIND = 2, 3
"""Lattice points needed on either side of the last one before a position."""
Pitch = tuple[float, float]
"""Distance of lattice points along X and Y."""
Make = Callable[[RegularAxis, RegularAxis], Sequence[NDArray[Any]]]
"""Computes fields at the crossings of two axes, (len(y), len(x)) each."""


@dataclass(frozen=True)
class Area:
    """A rectangle in meters, from the least to the greatest coordinate along X and Y, and the
    spacing of samples in it."""

    x: tuple[float, float]
    y: tuple[float, float]
    spacing: tuple[float, float]

    @classmethod
    def of(cls, x: RegularAxis, y: RegularAxis) -> Area:
        """Return the area of the crossings of two axes."""
        across, along = ((float(a.values.min()), float(a.values.max())) for a in (x, y))
        return cls(across, along, (abs(x.step), abs(y.step)))


def wide_octaves(
    spacing: tuple[float, float], cells: CellSize, lacunarity: float, points: Sequence[float]
) -> tuple[int, Pitch]:
    """Return the number of leading octaves that are so wide that interpolation is faster, and their
    lattice.

    ``spacing`` is that of the samples along X and Y, ``cells`` are those of the first octave, and
    ``points`` the number of lattice points that each octave needs per cell. The first octaves get
    a whole number, so that a repeating noise repeats on the lattice too. The result depends on the
    spacing only, so all windows of a grid agree.
    """
    wide, pitch, finest = 0, (0.0, 0.0), 0.0
    for octave, count in enumerate(points):
        finest = max(finest, math.ceil(count) * lacunarity**octave)
        finer = cells.x / finest, cells.y / finest
        samples = min(finer[0] / spacing[0], finer[1] / spacing[1])
        if samples < FEWEST:
            break
        if octave or samples >= FEWEST_ALONE:
            wide, pitch = octave + 1, finer
    return wide, pitch


def covered(area: Area, pitch: Pitch) -> Area:
    """Return the area of the lattice from which a whole area is interpolated."""
    reach = (BEHIND + 1) * max(pitch)
    (west, east), (south, north) = area.x, area.y
    return Area((west - reach, east + reach), (south - reach, north + reach), pitch)


class Interpolated:
    """Smooth fields over an area, interpolated between the points of a lattice.

    The lattice includes coordinate 0, so all windows agree to the bit.
    """

    def __init__(self, area: Area, pitch: Pitch, make: Make) -> None:
        """``make`` is called for squares of the lattice."""
        self._columns, self._rows = _Lattice(area.x, pitch[0]), _Lattice(area.y, pitch[1])
        made = _in_squares(self._columns.axis, self._rows.axis, make)
        self._fields = [spline_coefficients(field) for field in made]

    def at(self, x: RegularAxis, y: RegularAxis) -> list[Floats]:
        """Return the fields at the crossings of two axes within the area; new float32 (len(y),
        len(x))."""
        across, along = self._columns.taps(x), self._rows.taps(y)
        return [spline(field, along, across) for field in self._fields]


def _in_squares(x: RegularAxis, y: RegularAxis, make: Make) -> list[Floats]:
    """Return the fields of ``make``, square by square: its temporaries are far larger than its
    results."""
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
        """Return the positions of an axis among the inner points, to which the coefficients
        belong."""
        return SplineAxis.at(axis.values / self._pitch, self._count - 2, self._first + 1)
