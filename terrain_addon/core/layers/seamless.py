# SPDX-License-Identifier: GPL-3.0-or-later
"""Cell sizes of a noise, which may repeat without a seam."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .context import LayerContext


@dataclass(frozen=True)
class CellSize:
    """Size of a cell in meters along X and Y, and the number of cells of a seamless terrain."""

    x: float
    y: float
    count: tuple[int, int] | None

    def turned(self, quarters: int) -> CellSize:
        """Return the cells of the noise after a number of quarter turns."""
        if quarters % 2 == 0:
            return self
        return CellSize(self.y, self.x, self.count and (self.count[1], self.count[0]))


def repeats(side: float, size: float) -> int:
    """Return the number of cells of about ``size`` along a ``side`` of a seamless noise, both in
    meters."""
    return max(1, round(side / size))


def seamless_size(side: float, size: float, length: Callable[[float], str]) -> str:
    """Return a note on the actual size in a seamless noise, "" if ``length`` writes both alike."""
    made, chosen = length(side / repeats(side, size)), length(size)
    return "" if made == chosen else f"Seamless: {made}"


def noise_cells(context: LayerContext, size: float, seamless: bool) -> CellSize:
    """Return the cells of a size in meters, rounded to fit a whole number of times if the noise or
    the whole terrain is seamless."""
    if not (seamless or context.seamless):
        return CellSize(size, size, None)
    count_x, count_y = repeats(context.size_x, size), repeats(context.size_y, size)
    return CellSize(context.size_x / count_x, context.size_y / count_y, (count_x, count_y))
