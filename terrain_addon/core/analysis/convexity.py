# SPDX-License-Identifier: GPL-3.0-or-later
"""Convexity at a scale: whether the ground stands above or lies below its surroundings.

The topographic position of Weiss, "Topographic Position and Landforms Analysis" (2001), relative to
the radius, which does not depend on the resolution as a second derivative does.
"""

from __future__ import annotations

import numpy as np

from ..numerics.arrays import Floats
from ..numerics.blocks import parts
from ..numerics.progress import Cancel
from .horizons import BAND, DIRECTIONS

RINGS = (1 / 2, 1)
"""Radii of the rings of eight points whose mean height the ground is compared with."""
FULL = 0.25
"""Height above that mean, as a share of the radius, that counts as 1: a sharp ridge."""


def convexity(
    height: Floats, dx: float, dy: float, radius: float, cancelled: Cancel | None = None
) -> Floats:
    """Return -1 in hollows to 1 on crests and peaks, 0 on planes.

    The border is repeated outward.

    Parameters
    ----------
    height : ndarray of float32, shape (ny, nx)
        Meters.
    dx, dy : float
        Meters between columns and between rows.
    radius : float
        Meters; where it is less than a sample, adjacent samples stand for the rings.

    Returns
    -------
    ndarray of float32, shape (ny, nx)

    Examples
    --------
    >>> import numpy as np
    >>> peak = np.zeros((5, 5), np.float32)
    >>> peak[2, 2] = 10.0
    >>> float(convexity(peak, 10.0, 10.0, 10.0)[2, 2])
    1.0
    """
    ny, nx = height.shape
    offsets: list[tuple[int, int]] = []  # rows and columns from a point to those of the rings
    for ring in RINGS:
        for dj, di in DIRECTIONS:
            away = ring * radius / np.hypot(dj, di)
            offsets.append((dj * max(round(away / dy), 1), di * max(round(away / dx), 1)))
    most = np.minimum(np.abs(offsets).max(axis=0), (ny - 1, nx - 1))  # beyond is the same border
    rows_out, columns_out = most.tolist()
    places = (most + np.clip(offsets, -most, most)).tolist()
    terrain = np.pad(height, ((rows_out, rows_out), (columns_out, columns_out)), mode="edge")
    out = np.empty(height.shape, np.float32)
    # A curved surface falls off with the square of the distance: coarse rings are farther out.
    farther = np.mean([(j * dy) ** 2 + (i * dx) ** 2 for j, i in offsets]) / np.mean(
        [(ring * radius) ** 2 for ring in RINGS]
    )
    scale = np.float32(1 / (FULL * radius * farther))
    for rows in parts(ny, BAND, cancelled):
        around = np.zeros((rows.stop - rows.start, nx), np.float32)
        for j, i in places:
            around += terrain[j + rows.start : j + rows.stop, i : i + nx]
        around *= np.float32(-1 / len(offsets))
        around += height[rows]
        around *= scale
        np.clip(around, np.float32(-1), np.float32(1), out=out[rows])
    return out
