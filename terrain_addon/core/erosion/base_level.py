# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the land drains to: the sea, and the low parts of the border."""

from __future__ import annotations

import numpy as np

from ..arrays import Bools, Floats
from ..hydrology import border

LOW_BORDER = 0.25
"""Share of the border, its lowest part, that lets water out; the rest routes along it."""


def outlets_and_base(land: Floats, broad: Floats, sea: float | None) -> tuple[Bools, Floats]:
    """Cells that let water out, and the height at which they are held.

    Parameters
    ----------
    land : (H, W) float32, the land before erosion, with the padding around it
    broad : (H, W) float32, its broad form, which the base level follows
    sea : height of the sea, or None where there is none

    Returns
    -------
    outlets : (H, W) bool, at least one cell
    base : (H, W) float32
    """
    edge = border(land.shape)
    low = edge & (broad <= np.quantile(broad[edge], LOW_BORDER))
    if sea is None:
        return low, broad
    wet = land <= sea
    outlets = wet if (wet & edge).any() else wet | low
    return outlets, np.maximum(broad, np.float32(sea))
