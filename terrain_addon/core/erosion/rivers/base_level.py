# SPDX-License-Identifier: GPL-3.0-or-later
"""Base level of rivers: the sea, and the low parts of the border."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...hydrology import border
from ...hydrology.d8 import OFFSETS, neighbors
from ...numerics.arrays import Bools, Floats, Indices
from ...numerics.progress import Cancel, poll
from ...numerics.wrapping import on_torus, wrapped
from ..smoothing import box
from .grid_bending import doubled_on
from .grids import Grids, Level
from .settings import KEEP, FluvialSettings

BROAD = 2
"""Cells of the first grid over which the base level follows the terrain's broad form."""
LOW_GROUND = 0.05
"""Share of a terrain without a border, its lowest part, whose hollows water does not leave."""
LOW_BORDER = 0.25
"""Share of the border, its lowest part, where water leaves; the rest routes along it."""


@dataclass(frozen=True)
class BaseLevel:
    """Outlets, and the heights at which they are held.

    Attributes
    ----------
    outlets : ndarray of bool, shape (H, W)
        At least one cell.
    heights : ndarray of float32, shape (N,)
        One for each outlet, in row-major order.
    """

    outlets: Bools
    heights: Floats

    def hold(self, field: Floats) -> None:
        """Reset the outlets of a (H, W) field of heights to their base level."""
        field[self.outlets] = self.heights

    def silted(self, field: Floats) -> BaseLevel:
        """Return the base level of a terrain that repeats after rivers have filled their hollows.

        No outlet is lower than all ground around it in a (H, W) field of heights: sediment raises
        that, and the outlet would be a pit.
        """
        rows, columns = field.shape
        cells = np.flatnonzero(self.outlets)
        around = [
            field.take(neighbors(cells, np.array(code), (rows, columns), wraps=True))
            for code in range(len(OFFSETS))
        ]
        return BaseLevel(self.outlets, np.maximum(self.heights, np.min(around, axis=0)))

    def with_mouths(self, cells: Indices, height: float | None) -> BaseLevel:
        """Return the same with outlets in more cells, by their row-major numbers.

        They are as high as given, or as low as the lowest: land that is lower than the mouth of a
        river would leave the river on a dam.
        """
        if not cells.size:
            return self
        outlets, heights = self.outlets.copy(), np.full(self.outlets.shape, np.inf, np.float32)
        self.hold(heights)
        outlets.reshape(-1)[cells] = True
        flat = heights.reshape(-1)
        flat[cells] = self.heights.min() if height is None else np.minimum(height, flat[cells])
        return BaseLevel(outlets, heights[outlets])


def base_level(
    terrain: Floats,
    broad: Floats,
    sea: float | None,
    *,
    rise: float = 0.0,
    wear: float = 1.0,
    incision: float = 0.0,
    low: Bools | None = None,
    wraps: bool = False,
) -> BaseLevel:
    """Return the outlets of a terrain and their heights.

    Parameters
    ----------
    terrain : ndarray of float32, shape (H, W)
        The terrain before erosion, with the padding around it.
    broad : ndarray of float32, shape (H, W)
        Its broad form, which the base level follows.
    sea : float or None
        Height of the sea, or None.
    rise : float, default 0.0
        Rise of the sea since rivers ended at it.
    wear : float, default 1.0
        Factor by which rivers lower the terrain. Above 1 it divides the heights of the outlets
        above the lowest one: otherwise scarps would separate basins with high and low outlets.
    incision : float, default 0.0
        Depth of the outlets below the terrain, limited by the sea before its rise.
    low : ndarray of bool, shape (H, W), optional
        The cells of the border where water leaves; its lowest part if None.
    wraps : bool, default False
        Whether the terrain repeats. It has no border then: water ends in the sea or, without one,
        in the lowest hollows.
    """
    edge = _hollows(broad) if wraps else border(terrain.shape)
    lowest_sea = None if sea is None else np.float32(sea - rise)
    if low is None:
        low = edge & (wraps | (broad <= np.quantile(broad[edge], LOW_BORDER)))
    elif not wraps:
        low = edge & low
    if sea is None:
        outlets, base = low, broad[low]
    else:
        wet = terrain <= sea
        reached = wet.any() if wraps else (wet & edge).any()
        outlets = wet if reached else wet | low
        base = np.maximum(broad[outlets], np.float32(sea))
        base[wet[outlets]] = lowest_sea
    if wear > 1:
        lowest = base.min()
        base = lowest + (base - lowest) * np.float32(1 / wear)
    base -= np.float32(incision)
    if lowest_sea is not None:
        np.maximum(base, lowest_sea, out=base)
    return BaseLevel(outlets, base)


def kept_level(
    terrain: Floats, sea: tuple[float, float] | None, *, wraps: bool = False
) -> BaseLevel:
    """Return the border and the sea of a terrain whose rivers leave it where they do now.

    If it ``wraps``, it has no border: rivers end in the lowest hollows.

    Parameters
    ----------
    terrain : ndarray of float32, shape (H, W)
        With the padding around it.
    sea : tuple of float or None
        Height of the sea and its rise since rivers ended at it, or None.
    """
    outlets, heights = border(terrain.shape), terrain
    if wraps:
        outlets = _hollows(terrain)
    if sea is not None:
        level, rise = (np.float32(one) for one in sea)
        wet = terrain <= level
        if wraps and wet.any():
            outlets = wet
        outlets, heights = outlets | wet, np.where(wet, level - rise, terrain)
    return BaseLevel(outlets, heights[outlets])


def base_levels(
    levels: list[Level],
    grids: Grids,
    settings: FluvialSettings,
    sea: float | None,
    cancelled: Cancel | None,
    *,
    low: Bools | None = None,
) -> list[BaseLevel]:
    """Return the base levels of all grids; ``low`` as for :func:`base_level` is for the finest."""
    if settings.type == KEEP:
        lowest = None if sea is None else (sea / grids.unit, settings.sea_rise / grids.unit)
        return [kept_level(level.terrain, lowest, wraps=grids.wraps) for level in levels]
    relic = settings.type == "plateau"
    wear = 1.0 if relic else settings.wear(grids.extent)
    incision = settings.incision / grids.unit if relic else 0.0
    level, rise = None if sea is None else sea / grids.unit, settings.sea_rise / grids.unit
    broad = _broad(levels[0])
    how: dict[str, Any]
    how = {"rise": rise, "wear": wear, "incision": incision, "wraps": grids.wraps}
    found: list[BaseLevel] = []
    for grid in levels:
        poll(cancelled)
        if found:
            broad = doubled_on(broad, cancelled, wraps=grids.wraps)
        ends = low if grid is levels[-1] else None
        found.append(base_level(grid.terrain, broad, level, low=ends, **how))
    return found


def _hollows(field: Floats) -> Bools:
    """Return the deepest points of the hollows in the lowest part of a terrain that repeats, among
    them its lowest point."""
    around = wrapped(field, 1)
    rows, columns = field.shape
    lowest = field <= np.quantile(field, LOW_GROUND)
    for dj, di in OFFSETS:
        lowest &= field <= around[1 + dj : 1 + dj + rows, 1 + di : 1 + di + columns]
    return lowest


def _broad(coarsest: Level) -> Floats:
    """Return the broad form of a terrain on its first grid."""

    def smoothed(terrain: Floats) -> Floats:
        return box(box(terrain, BROAD), BROAD)

    if coarsest.wraps:
        return on_torus(smoothed, 2 * BROAD, coarsest.terrain)
    return smoothed(coarsest.terrain)
