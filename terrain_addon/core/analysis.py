# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields derived from a height field: what colours and masks are made from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
BAND = 64  # rows at a time: temporaries stay in the processor's cache


def slope(height: Array, dx: float, dy: float) -> Array:
    """Slope in degrees, 0 (flat) to 90.

    From the gradient (Horn's weights would smooth what a terrain artist wants to see): central
    differences inside, one-sided at the border. ``height`` is (ny, nx) float32 in metres, ``dx``
    and ``dy`` the spacing in metres; a direction with a single sample counts as flat.
    """
    out = np.empty(height.shape, np.float32)
    ny = height.shape[0]
    for start in range(0, ny, BAND):
        rows = slice(start, min(start + BAND, ny))
        gx, gy = gradient_rows(height, dx, dy, rows)
        gx *= gx  # np.hypot guards against overflow that slopes cannot have, at twice the time
        gy *= gy
        gx += gy
        np.sqrt(gx, out=gx)
        np.arctan(gx, out=gx)
        np.multiply(gx, np.float32(180 / np.pi), out=out[rows])
    return out


def gradient_rows(height: Array, dx: float, dy: float, rows: slice) -> tuple[Array, Array]:
    """Gradient (dh/dx, dh/dy) of some rows of a height field, dimensionless."""
    ny, nx = height.shape
    part = height[rows]
    gx = np.zeros(part.shape, np.float32)
    if nx > 1:
        np.subtract(part[:, 2:], part[:, :-2], out=gx[:, 1:-1])
        gx[:, 1:-1] *= np.float32(0.5 / dx)
        gx[:, 0] = (part[:, 1] - part[:, 0]) * np.float32(1 / dx)
        gx[:, -1] = (part[:, -1] - part[:, -2]) * np.float32(1 / dx)
    gy = np.zeros(part.shape, np.float32)
    if ny > 1:
        index = np.arange(rows.start, rows.stop)
        ahead, behind = np.minimum(index + 1, ny - 1), np.maximum(index - 1, 0)
        np.subtract(height[ahead], height[behind], out=gy)
        gy *= (1 / (dy * (ahead - behind))).astype(np.float32)[:, None]
    return gx, gy


FIELDS: dict[str, Callable[[Array, float, float], Array]] = {"slope": slope}
"""Masks that every height field has, by name: (height, dx, dy) -> (ny, nx) float32."""
