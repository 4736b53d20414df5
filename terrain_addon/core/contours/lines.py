# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of equal height, by marching squares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Doubles, Floats, Indices
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, Cancelled, never_cancelled
from ..shapes import thinned
from .chains import chains
from .settings import ContourSettings

BOTTOM, RIGHT, TOP, LEFT = range(4)
_CASES: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((BOTTOM, LEFT),),
    2: ((RIGHT, BOTTOM),),
    3: ((RIGHT, LEFT),),
    4: ((TOP, RIGHT),),
    6: ((TOP, BOTTOM),),
    7: ((TOP, LEFT),),
    8: ((LEFT, TOP),),
    9: ((BOTTOM, TOP),),
    11: ((RIGHT, TOP),),
    12: ((LEFT, RIGHT),),
    13: ((BOTTOM, RIGHT),),
    14: ((LEFT, BOTTOM),),
}
"""Sides of a cell from which and to which a line runs, the higher ground on its left, by the
corners that are high: 1 south-west, 2 south-east, 4 north-east, 8 north-west."""
_SADDLES = {
    (5, True): ((TOP, LEFT), (BOTTOM, RIGHT)),
    (5, False): ((BOTTOM, LEFT), (TOP, RIGHT)),
    (10, True): ((LEFT, BOTTOM), (RIGHT, TOP)),
    (10, False): ((LEFT, TOP), (RIGHT, BOTTOM)),
}
"""The same where two corners opposite are high, by whether the middle is."""


@dataclass(frozen=True)
class Contour:
    """A line of equal height.

    Attributes
    ----------
    level : its height in meters
    points : (n, 2) float64, meters from the middle of the terrain, the higher ground on the left;
        the first point of a closed line is repeated at its end
    is_index : whether it is bold and labeled
    """

    level: float
    points: Doubles
    is_index: bool = False

    @property
    def closed(self) -> bool:
        """True if the line ends at the point where it begins."""
        return bool((self.points[0] == self.points[-1]).all())

    @property
    def length(self) -> float:
        """Meters."""
        return float(np.hypot(*np.diff(self.points, axis=0).T).sum())


def contours(
    grid: Grid,
    height: Floats,
    settings: ContourSettings | None = None,
    cancelled: Cancel = never_cancelled,
) -> list[Contour]:
    """Return the contours of a terrain, from the lowest to the highest.

    Parameters
    ----------
    grid, height : where the samples are, and (ny, nx) heights in meters; nothing is drawn beside
        those that are not finite
    settings : which heights; by default about twenty

    Raises
    ------
    ValueError : more than 2000 heights
    Cancelled : if ``cancelled`` returns true

    Examples
    --------
    >>> grid = Grid.points(4.0, 4.0, 5, 5)
    >>> cone = np.hypot(*np.meshgrid(grid.x, grid.y)).astype(np.float32)
    >>> found = contours(grid, cone, ContourSettings(interval=1.0, base=0.5))
    >>> [(one.level, len(one.points), one.closed) for one in found][:2]
    [(0.5, 5, True), (1.5, 13, True)]
    """
    settings = settings or ContourSettings()
    finite = height[np.isfinite(height)]
    if not finite.size:
        return []
    low, high = float(finite.min()), float(finite.max())
    step = settings.steps(low, high)
    found: list[Contour] = []
    for level in settings.levels(low, high).tolist():
        if cancelled():
            raise Cancelled
        is_index = settings.is_index(level, step)
        for points in lines_at(grid, height, level):
            chosen = points
            if settings.simplify > 0:
                chosen = points[thinned(points, np.zeros(1, np.intp), settings.simplify)]
            if len(chosen) > 2 or not (chosen[0] == chosen[-1]).all():
                found.append(Contour(level, chosen, is_index))
    return found


def lines_at(grid: Grid, height: Floats, level: float) -> list[Doubles]:
    """Return the lines (n, 2) at one height. Samples at the height itself count as higher.

    A line crosses each side of a cell where the height between two samples, taken as even, is the
    level. Where two corners opposite are high, the mean of the four decides whether these are
    connected.

    Sources: Lorensen and Cline, *Marching cubes*, 1987, in two dimensions; the mean in the middle
    of a face from Wyvill, McPheeters and Wyvill, *Data structure for soft objects*, 1986.

    Examples
    --------
    >>> slope = np.array([[0, 1, 2], [0, 1, 2]], np.float32)
    >>> [line.tolist() for line in lines_at(Grid.points(2.0, 1.0, 3, 2), slope, 0.5)]
    [[[-0.5, 0.5], [-0.5, -0.5]]]
    """
    return [
        points
        for sides in chains(*_segments(height, level))
        if len(points := without_repeats(_places(grid, height, level, sides))) > 1
    ]


def _segments(height: Floats, level: float) -> tuple[Indices, Indices]:
    """Return the sides of cells where segments begin and end.

    The side from sample n to the next along X is number 2 n, along Y 2 n + 1.
    """
    nx = height.shape[1]
    high = height >= level
    cases = (
        high[:-1, :-1].astype(np.uint8)
        + 2 * high[:-1, 1:].astype(np.uint8)
        + 4 * high[1:, 1:].astype(np.uint8)
        + 8 * high[1:, :-1].astype(np.uint8)
    )
    j, i = np.nonzero((cases > 0) & (cases < 15))
    corners = height[j, i], height[j, i + 1], height[j + 1, i + 1], height[j + 1, i]
    middle: Doubles = np.stack(corners).mean(axis=0, dtype=np.float64)
    drawn = np.isfinite(middle)
    j, i, middle = j[drawn], i[drawn], middle[drawn]
    case = cases[j, i]
    first: Indices = 2 * (j * nx + i)
    sides: Indices = np.stack([first, first + 3, first + 2 * nx, first + 1])
    start, end = [np.empty(0, np.intp)], [np.empty(0, np.intp)]
    for number, pairs in _CASES.items():
        _add(start, end, sides[:, case == number], pairs)
    for (number, is_high), pairs in _SADDLES.items():
        which = (case == number) & ((middle >= level) == is_high)
        _add(start, end, sides[:, which], pairs)
    return np.concatenate(start), np.concatenate(end)


def _add(
    start: list[Indices], end: list[Indices], sides: Indices, pairs: tuple[tuple[int, int], ...]
) -> None:
    for one, two in pairs:
        start.append(sides[one])
        end.append(sides[two])


def _places(grid: Grid, height: Floats, level: float, sides: Indices) -> Doubles:
    """Return where the height is the level on sides of cells, (n, 2)."""
    nx = height.shape[1]
    sample, upward = np.divmod(sides, 2)
    flat = height.reshape(-1)
    low = flat[sample].astype(np.float64)
    share = (level - low) / (flat[sample + np.where(upward, nx, 1)].astype(np.float64) - low)
    j, i = np.divmod(sample, nx)
    x = grid.x[i] + np.where(upward, 0, share) * grid.dx
    y = grid.y[j] + np.where(upward, share, 0) * grid.dy
    return np.stack([x, y], axis=1)


def without_repeats(points: Doubles) -> Doubles:
    """Return points without those at the place of the one before: a line through a sample crosses
    several sides there."""
    new = np.append(True, (points[1:] != points[:-1]).any(axis=1))
    return points[new]
