# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the land drains to: the sea, and the low parts of the border."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...hydrology import border
from ...numerics.arrays import Bools, Floats

LOW_BORDER = 0.25
"""Share of the border, its lowest part, that lets water out; the rest routes along it."""


@dataclass(frozen=True)
class BaseLevel:
    """Cells that let water out, and the heights at which they are held.

    Attributes
    ----------
    outlets : (H, W) bool, at least one cell
    heights : (N,) float32, one for each outlet, in row-major order
    """

    outlets: Bools
    heights: Floats

    def hold(self, field: Floats) -> None:
        """Put the outlets of a (H, W) field of heights back to where they are held."""
        field[self.outlets] = self.heights


def base_level(
    terrain: Floats,
    broad: Floats,
    sea: float | None,
    *,
    rise: float = 0.0,
    wear: float = 1.0,
    incision: float = 0.0,
) -> BaseLevel:
    """Where the water of a land goes.

    Parameters
    ----------
    land : (H, W) float32, the land before erosion, with the padding around it
    broad : (H, W) float32, its broad form, which the base level follows
    sea : height of the sea, or None where there is none
    rise : how far it has risen since rivers ended at it, that much lower
    wear : how many times as low as usual the rivers make the land. Beyond the border they run on:
        where it is above 1, the outlets stand as many times as little above the lowest. Otherwise
        scarps would part basins that drain to a high and to a low one.
    incision : how far below the land the outlets stand, but for the sea as it was, below which no
        river cuts
    """
    edge = border(terrain.shape)
    lowest_sea = None if sea is None else np.float32(sea - rise)
    low = edge & (broad <= np.quantile(broad[edge], LOW_BORDER))
    if sea is None:
        outlets, base = low, broad[low]
    else:
        wet = terrain <= sea
        outlets = wet if (wet & edge).any() else wet | low
        base = np.maximum(broad[outlets], np.float32(sea))
        base[wet[outlets]] = lowest_sea
    if wear > 1:
        lowest = base.min()
        base = lowest + (base - lowest) * np.float32(1 / wear)
    base -= np.float32(incision)
    if lowest_sea is not None:
        np.maximum(base, lowest_sea, out=base)
    return BaseLevel(outlets, base)
