# SPDX-License-Identifier: GPL-3.0-or-later
"""How steep the ground of a drainage grid is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..analysis import gradient_rows
from .bands import Cancel, in_cache, poll

Floats = NDArray[np.float32]


def steepness(height: Floats, spacing: float, cancelled: Cancel | None = None) -> Floats:
    """(H, W) float32 length of the gradient on square cells; one row or column counts as flat."""
    out = np.empty(height.shape, np.float32)
    for rows in in_cache(height.shape):
        poll(cancelled)
        gx, gy = gradient_rows(height, spacing, spacing, rows)
        gx *= gx
        gy *= gy
        gx += gy
        np.sqrt(gx, out=out[rows])
    return out
