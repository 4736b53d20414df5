# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion that keeps the forms of a terrain: its rivers deepen the valleys that they run in.

The terrain does not rise while they do, and the time is short: crests hardly change. Afterwards it
rises by what was lost around each place, as the crust does when erosion unloads it (Molnar and
England 1990). So ranges keep their heights, and summits may end up higher than they were.
"""

from __future__ import annotations

import numpy as np

from ...numerics.arrays import Floats
from ...numerics.blocks import row_bands
from ...numerics.progress import Cancel
from ...numerics.wrapping import on_torus
from ..smoothing import box, smoothstep

STEPS_KEEPING = 2
STRENGTH_KEEPING = 0.3
"""Strength of a step with the default settings."""
RISE_AROUND, RISE_PASSES = 4.0, 3
"""Radius in units of the valley spacing over which losses are averaged, and how often."""


def risen(
    height: Floats,
    terrain: Floats,
    cell: float,
    sea: tuple[float, float] | None = None,
    cancelled: Cancel | None = None,
    *,
    wraps: bool = False,
) -> Floats:
    """Return eroded heights, in place, raised by the mean of what was lost around them.

    Parameters
    ----------
    height, terrain : ndarray of float32, shape (H, W)
        After and before erosion, in units of the valley spacing.
    cell : float
        Size of a cell in that unit.
    sea : tuple of float, optional
        Its height, where nothing rises, and the height above it from which everything does.
    wraps : bool, default False
        Whether the terrain repeats.

    References
    ----------
    P. Molnar and P. England, "Late Cenozoic uplift of mountain ranges and global climate change:
    chicken or egg?", Nature 346, 1990.

    Examples
    --------
    >>> before = np.full((40, 40), 3.0, np.float32)
    >>> float(risen(before - 1, before, 0.1).min())
    3.0
    """
    lost = terrain - height
    if sea is not None:
        lost[terrain <= np.float32(sea[0])] = 0
    radius = round(RISE_AROUND / cell)

    def around(lost: Floats) -> Floats:
        return box(lost, radius, cancelled, out=lost)

    for _ in range(RISE_PASSES):
        lost = on_torus(around, radius, lost) if wraps else around(lost)
    for rows in row_bands(height.shape, cancelled):
        if sea is not None:
            level, plain = sea
            lost[rows] *= smoothstep(0.0, plain, terrain[rows] - np.float32(level))
        height[rows] += lost[rows]
    return height
