# SPDX-License-Identifier: GPL-3.0-or-later
"""How large the cells of a noise are on a terrain, which may repeat without a seam."""

from __future__ import annotations

from dataclasses import dataclass

from .work import Work


@dataclass(frozen=True)
class Cells:
    """Size of a cell in metres along X and Y, and how many the terrain holds if it repeats."""

    x: float
    y: float
    count: tuple[int, int] | None

    def turned(self, quarters: int) -> Cells:
        """The cells of a noise that is turned by so many quarters."""
        if quarters % 2 == 0:
            return self
        return Cells(self.y, self.x, self.count and (self.count[1], self.count[0]))


def noise_cells(work: Work, size: float, seamless: bool) -> Cells:
    """Cells of about that size in metres: exactly, or of a whole part of a seamless terrain."""
    if not seamless:
        return Cells(size, size, None)
    count_x, count_y = (max(1, round(s / size)) for s in (work.size_x, work.size_y))
    return Cells(work.size_x / count_x, work.size_y / count_y, (count_x, count_y))
