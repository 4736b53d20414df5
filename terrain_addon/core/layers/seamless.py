# SPDX-License-Identifier: GPL-3.0-or-later
"""How large the cells of a noise are on a terrain, which may repeat without a seam."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .context import LayerContext


@dataclass(frozen=True)
class Cells:
    """Size of a cell in meters along X and Y, and how many the terrain holds if it repeats."""

    x: float
    y: float
    count: tuple[int, int] | None

    def turned(self, quarters: int) -> Cells:
        """The cells of a noise that is turned by so many quarters."""
        if quarters % 2 == 0:
            return self
        return Cells(self.y, self.x, self.count and (self.count[1], self.count[0]))


def repeats(side: float, size: float) -> int:
    """How many cells of about ``size`` a seamless noise has along a ``side``, both in meters."""
    return max(1, round(side / size))


def seamless_size(side: float, size: float, length: Callable[[float], str]) -> str:
    """What a seamless noise makes of a ``size``, in words of ``length``; "" where that is it."""
    made, asked = length(side / repeats(side, size)), length(size)
    return "" if made == asked else f"Seamless: {made}"


def noise_cells(context: LayerContext, size: float, seamless: bool) -> Cells:
    """Cells of about that size in meters: exactly, or of a whole part of a seamless terrain."""
    if not seamless:
        return Cells(size, size, None)
    count_x, count_y = repeats(context.size_x, size), repeats(context.size_y, size)
    return Cells(context.size_x / count_x, context.size_y / count_y, (count_x, count_y))
