# SPDX-License-Identifier: GPL-3.0-or-later
"""Grids of square cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..even import Even

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


def square_grid(x: ArrayLike | Even, y: ArrayLike | Even, finest: float) -> SquareGrid | None:
    """The grid of those axes if it is one of square cells, else None.

    Arrays promise nothing about windows: small ones are left to the way that is quicker for them.

    Parameters
    ----------
    finest : frequency of the finest octave
    """
    if not (isinstance(x, Even) and isinstance(y, Even)) and min(np.size(x), np.size(y)) < LEAST:
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


def _counted(axis: ArrayLike | Even, finest: float) -> Even | None:
    """The coordinates as evenly spaced ones, or None where they are not, or too few to tell."""
    if isinstance(axis, Even):
        return axis if len(axis) else None
    values = np.asarray(axis, np.float64)
    if values.size < 2:
        return None
    start, step = float(values[0]), float(values[-1] - values[0]) / (values.size - 1)
    even = Even.counted(start, step, 0, values.size)
    return even if float(np.abs(values - even.values).max()) * finest <= UNEVEN else None
