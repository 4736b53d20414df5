# SPDX-License-Identifier: GPL-3.0-or-later
"""Regular axes: evenly spaced coordinates, and grids of square cells made of two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Doubles

UNEVEN = 2.0**-26
"""Tolerance of even spacing, in cells of the finest octave: below the float32 step of an offset."""
SAME_STEP = 1e-12
"""Relative tolerance between the steps along x and y: after a hundred thousand samples the error is
a ten-millionth of a step."""
LEAST = 300
"""Samples along the shorter side of a grid below which evaluation along diagonals is no faster."""


@dataclass(frozen=True)
class SquareGrid:
    """A grid of square cells: sample [j, i] lies ``step`` times ``first + (i, j)`` from ``start``.

    Samples of a descending axis are counted from its other end; ``flipped`` is then true.
    """

    start: tuple[float, float]
    step: float
    first: tuple[int, int]
    flipped: tuple[bool, bool]

    def mirrored(self, height: int) -> SquareGrid:
        """Return the same samples with -y instead of y, given the number of rows."""
        return SquareGrid(
            (self.start[0], -self.start[1]),
            self.step,
            (self.first[0], 1 - height - self.first[1]),
            (self.flipped[0], not self.flipped[1]),
        )


def square_grid(
    x: ArrayLike | RegularAxis, y: ArrayLike | RegularAxis, finest: float
) -> SquareGrid | None:
    """Return the grid of those axes if its cells are square, otherwise None.

    ``finest`` is the frequency of the finest octave. Small grids of plain arrays, of which windows
    need not agree, also give None: they are faster without.
    """
    if (
        not (isinstance(x, RegularAxis) and isinstance(y, RegularAxis))
        and min(np.size(x), np.size(y)) < LEAST
    ):
        return None
    across, along = _counted(x, finest), _counted(y, finest)
    if across is None or along is None:
        return None
    step = abs(across.step)
    if not step or abs(abs(along.step) - step) > SAME_STEP * step:
        return None
    flipped = [axis.step < 0 for axis in (across, along)]
    first = [
        1 - axis.first - len(axis) if falls else axis.first
        for axis, falls in zip((across, along), flipped, strict=True)
    ]
    return SquareGrid(
        (across.start, along.start), step, (first[0], first[1]), (flipped[0], flipped[1])
    )


def _counted(axis: ArrayLike | RegularAxis, finest: float) -> RegularAxis | None:
    """Return the coordinates as a regular axis; None if they are not evenly spaced, or fewer than
    two."""
    if isinstance(axis, RegularAxis):
        return axis if len(axis) else None
    values = np.asarray(axis, np.float64)
    if values.size < 2:
        return None
    start, step = float(values[0]), float(values[-1] - values[0]) / (values.size - 1)
    even = RegularAxis.counted(start, step, 0, values.size)
    return even if float(np.abs(values - even.values).max()) * finest <= UNEVEN else None


@dataclass(frozen=True, eq=False)
class RegularAxis:
    """Evenly spaced coordinates with their position in a larger grid; converts to an array.

    ``noise.sample_grid`` and ``noise.warp_grid`` count samples from ``start``: windows of one grid
    share ``start`` and ``step``, and get the same bits where they overlap.

    Attributes
    ----------
    values : ndarray of float64, shape (n,)
        The coordinates, float64.
    start, step : float
        Value i is ``start + step * (first + i)``, up to rounding.
    first : int
        A whole number.
    """

    values: Doubles
    start: float
    step: float
    first: int

    @classmethod
    def counted(cls, start: float, step: float, first: int, count: int) -> RegularAxis:
        """Return ``count`` coordinates from number ``first`` on."""
        values = start + step * np.arange(first, first + count, dtype=np.float64)
        return cls(values, start, step, first)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        values = np.asarray(self.values, dtype=dtype)
        return values.copy() if copy and values is self.values else values

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[float]:
        return iter(self.values)

    def __add__(self, shift: float) -> RegularAxis:
        return replace(self, values=self.values + shift, start=self.start + shift)

    def __sub__(self, shift: float) -> RegularAxis:
        return replace(self, values=self.values - shift, start=self.start - shift)

    def __truediv__(self, length: float) -> RegularAxis:
        return RegularAxis(
            self.values / length, self.start / length, self.step / length, self.first
        )

    def __neg__(self) -> RegularAxis:
        return RegularAxis(-self.values, -self.start, -self.step, self.first)

    def __getitem__(self, part: slice) -> RegularAxis:
        """Return a slice of the axis; ValueError for one with gaps, which would change the step."""
        first, _, by = part.indices(len(self))
        if by != 1:
            raise ValueError("A regular axis takes slices without a step: [start:stop]")
        return replace(self, values=self.values[part], first=self.first + first)
