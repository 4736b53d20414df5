# SPDX-License-Identifier: GPL-3.0-or-later
"""Evenly spaced coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Doubles

UNEVEN = 2.0**-26
"""How far samples may lie from where even spacing would have them, in cells of the finest octave:
finer than float32 holds an offset."""
SAME_STEP = 1e-12
"""By how much, relatively, steps along x and y may differ: a hundred thousand samples are then no
farther off than a ten-millionth of a step."""

LEAST = 300
"""Samples along the shorter side of a grid up to which a way along its diagonals is no faster."""


@dataclass(frozen=True)
class SquareGrid:
    """A grid of square cells: sample [j, i] lies ``step`` times ``first + (i, j)`` from ``start``.

    Where an axis falls, ``flipped`` tells so, and samples are counted from its other end.
    """

    start: tuple[float, float]
    step: float
    first: tuple[int, int]
    flipped: tuple[bool, bool]

    def mirrored(self, height: int) -> SquareGrid:
        """The same samples with -y instead of y, so that the first of so many rows is the last."""
        return SquareGrid(
            (self.start[0], -self.start[1]),
            self.step,
            (self.first[0], 1 - height - self.first[1]),
            (self.flipped[0], not self.flipped[1]),
        )


def square_grid(
    x: ArrayLike | RegularAxis, y: ArrayLike | RegularAxis, finest: float
) -> SquareGrid | None:
    """The grid of those axes if it is one of square cells, else None.

    Arrays promise nothing about windows: small ones are left to the way that is quicker for them.

    Parameters
    ----------
    finest : frequency of the finest octave
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
    """The coordinates as evenly spaced ones, or None where they are not, or too few to tell."""
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
    """Evenly spaced coordinates that know their place in a larger grid; an array to NumPy.

    ``noise.sample_grid`` and ``noise.warp_grid`` count samples from ``start``: windows of one grid,
    which share ``start`` and ``step``, get the same bits where they overlap.

    Attributes
    ----------
    values : (n,) the coordinates, float64
    start, step : value i is ``start + step * (first + i)``, up to rounding
    first : a whole number
    """

    values: Doubles
    start: float
    step: float
    first: int

    @classmethod
    def counted(cls, start: float, step: float, first: int, count: int) -> RegularAxis:
        """So many coordinates, from number ``first`` on."""
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
        """A run of them; ValueError for one with gaps, which would have another step."""
        first, _, by = part.indices(len(self))
        if by != 1:
            raise ValueError("Even coordinates are cut without gaps: take [start:stop]")
        return replace(self, values=self.values[part], first=self.first + first)
