# SPDX-License-Identifier: GPL-3.0-or-later
"""An elevation model from above, in gray."""

from __future__ import annotations

import numpy as np

from ...numerics.arrays import Doubles, Floats
from ...numerics.resample import area_means
from ...numerics.srgb import encoded
from .light import lit

SIDE = 192
"""Pixels of the picture along its longer side."""
RELIEF = 0.16
"""Height drawn, as a share of the longer side, so that plains have shade too."""
GROUND: Floats = np.array([0.36, 0.34, 0.31], np.float32)
VOID: Floats = np.array([0.8, 0.2, 0.35, 1.0], np.float32)


def shaded_relief(height: Floats, spacing: tuple[float, float]) -> Floats:
    """Return a picture of heights in the sun, with voids in red.

    Parameters
    ----------
    height : (rows, columns) float32, NaN in voids
    spacing : distance of columns and of rows, in one unit

    Returns
    -------
    (SIDE, SIDE, 4) float32 : sRGB and alpha, the first row at the bottom; clear beside terrain that
        is not square

    Examples
    --------
    >>> hill = np.float32([[0, 0, 0], [0, 9, 0], [0, 0, np.nan]])
    >>> shaded_relief(hill, (30.0, 30.0)).shape
    (192, 192, 4)
    """
    rows, columns = height.shape
    extent = columns * spacing[0], rows * spacing[1]
    width, depth = (max(round(SIDE * side / max(extent)), 1) for side in extent)
    down: Doubles = np.arange(depth + 1, dtype=np.float64) * (rows / depth)
    across: Doubles = np.arange(width + 1, dtype=np.float64) * (columns / width)
    voids = np.isnan(height)
    empty = area_means(voids.astype(np.float32), down, across) if voids.any() else None
    known = np.where(voids, np.float32(np.nanmin(height)), height) if voids.any() else height
    few = area_means(known, down, across)
    few *= np.float32(RELIEF * max(extent) / (float(np.ptp(few)) or 1.0))
    colors = np.broadcast_to(GROUND, (*few.shape, 3))
    shaded = lit(colors, few, extent[0] / width, extent[1] / depth)
    out = np.zeros((SIDE, SIDE, 4), np.float32)
    left, bottom = (SIDE - width) // 2, (SIDE - depth) // 2
    inside = out[bottom : bottom + depth, left : left + width]
    inside[..., :3], inside[..., 3] = encoded(np.clip(shaded, 0, 1)), 1.0
    if empty is not None:
        inside[empty > 0.5] = VOID
    return out
