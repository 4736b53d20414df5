# SPDX-License-Identifier: GPL-3.0-or-later
"""Landforms, from the horizons around each sample."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Floats
from ...numerics.blocks import pieces, row_bands
from ...numerics.progress import Cancel
from ..horizons import DIRECTIONS

STEPS = (1, 2, 3, 4, 6, 8, 10, 12)
"""Distances at which horizons are measured, in samples."""
REACH = STEPS[-1]

# Landform by number of lower (rows) and higher (columns) horizons of eight: 1 flat, 2 peak,
# 3 ridge, 4 shoulder, 5 spur, 6 slope, 7 hollow, 8 footslope, 9 valley, 10 pit (0: impossible).
_LANDFORMS = np.array(
    [
        [1, 1, 1, 8, 8, 9, 9, 9, 10],
        [1, 1, 8, 8, 8, 9, 9, 9, 0],
        [1, 4, 6, 6, 7, 7, 9, 0, 0],
        [4, 4, 6, 6, 6, 7, 0, 0, 0],
        [4, 4, 5, 6, 6, 0, 0, 0, 0],
        [3, 3, 5, 5, 0, 0, 0, 0, 0],
        [3, 3, 3, 0, 0, 0, 0, 0, 0],
        [3, 3, 0, 0, 0, 0, 0, 0, 0],
        [2, 0, 0, 0, 0, 0, 0, 0, 0],
    ],
    np.uint8,
)
RIDGE, VALLEY = 3, 9


def landforms(
    height: Floats, spacing: float, flat: float = 1.0, cancelled: Cancel | None = None
) -> NDArray[np.uint8]:
    """Return geomorphons (Jasiewicz and Stepinski 2013): one of ten landforms around each sample.

    Parameters
    ----------
    flat : float, default 1.0
        Horizons below this angle in degrees count as level.

    Returns
    -------
    ndarray of uint8, shape (H - 24, W - 24)
        1 to 10, without a border as wide as the largest distance.
    """
    shape = (max(height.shape[0] - 2 * REACH, 0), max(height.shape[1] - 2 * REACH, 0))
    forms = np.empty(shape, np.uint8)
    level = np.float32(math.tan(math.radians(flat)))
    for rows in row_bands(shape, cancelled):
        around = height[rows.start : rows.stop + 2 * REACH]
        forms[rows] = _forms(around, spacing, level)
    return forms


def _forms(height: Floats, spacing: float, level: np.float32) -> NDArray[np.uint8]:
    inner = height[REACH:-REACH, REACH:-REACH]
    rows, columns = inner.shape
    higher, lower = np.zeros(inner.shape, np.uint8), np.zeros(inner.shape, np.uint8)
    tangent, up, down = (np.empty(inner.shape, np.float32) for _ in range(3))
    for dj, di in DIRECTIONS:
        up.fill(0)
        down.fill(0)
        for step in STEPS:
            j, i = REACH + dj * step, REACH + di * step
            np.subtract(height[j : j + rows, i : i + columns], inner, out=tangent)
            tangent /= np.float32(math.hypot(dj, di) * step * spacing)
            np.maximum(up, tangent, out=up)
            np.minimum(down, tangent, out=down)
        np.negative(down, out=down)
        rises = up > down
        higher += rises & (up > level)
        lower += ~rises & (down > level)
    return _LANDFORMS[lower, higher]


def ridge_valley_share(height: Floats, spacing: float, cancelled: Cancel | None = None) -> float:
    """Return the share of samples that lie on a ridge or in a valley."""
    forms = landforms(height, spacing, cancelled=cancelled).reshape(-1)
    count = 0
    for part in pieces(forms.size, cancelled):
        count += int(np.count_nonzero((forms[part] == RIDGE) | (forms[part] == VALLEY)))
    return count / forms.size if forms.size else 0.0
