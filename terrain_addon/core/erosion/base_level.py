# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the land drains to: the sea, and the low parts of the border."""

from __future__ import annotations

import numpy as np

from ..arrays import Bools, Floats
from ..hydrology import border

LOW_BORDER = 0.25
"""Share of the border, its lowest part, that lets water out; the rest routes along it."""


def outlets_and_base(
    land: Floats, broad: Floats, sea: float | None, wear: float = 1.0
) -> tuple[Bools, Floats]:
    """Cells that let water out, and the height at which they are held.

    Parameters
    ----------
    land : (H, W) float32, the land before erosion, with the padding around it
    broad : (H, W) float32, its broad form, which the base level follows
    sea : height of the sea, or None where there is none
    wear : how many times as low as usual the rivers make the land. Beyond the border they run on:
        where it is above 1, the outlets stand as many times as little above the lowest. Otherwise
        scarps would part basins that drain to a high and to a low one.

    Returns
    -------
    outlets : (H, W) bool, at least one cell
    base : (H, W) float32
    """
    edge = border(land.shape)
    low = edge & (broad <= np.quantile(broad[edge], LOW_BORDER))
    if sea is None:
        outlets, base = low, broad
    else:
        wet = land <= sea
        outlets = wet if (wet & edge).any() else wet | low
        base = np.where(wet, np.float32(sea), np.maximum(broad, np.float32(sea)))
    if wear > 1:
        lowest = base[outlets].min()
        base = lowest + (base - lowest) * np.float32(1 / wear)
    return outlets, base
