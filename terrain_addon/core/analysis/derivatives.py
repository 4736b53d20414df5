# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields derived from a height field: what colours and masks are made from."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..numerics.arrays import Floats
from ..numerics.progress import Cancel, poll

BAND = 64  # rows at a time: temporaries stay in the processor's cache
FLAT = 1e-12  # squared slope below which ground has no fall line


def slope(height: Floats, dx: float, dy: float, cancelled: Cancel | None = None) -> Floats:
    """Slope in degrees, 0 (flat) to 90.

    From the gradient (Horn's weights would smooth what a terrain artist wants to see): central
    differences inside, one-sided at the border. ``height`` is (ny, nx) float32 in metres, ``dx``
    and ``dy`` the spacing in metres; a direction with a single sample counts as flat.
    """
    out = np.empty(height.shape, np.float32)
    for rows in _bands(height, cancelled):
        tangent = _steepness_rows(height, dx, dy, rows)
        np.arctan(tangent, out=tangent)
        np.multiply(tangent, np.float32(180 / np.pi), out=out[rows])
    return out


def steepness(height: Floats, dx: float, dy: float, cancelled: Cancel | None = None) -> Floats:
    """Tangent of the :func:`slope`: the length of the gradient, 0 on flat ground."""
    out = np.empty(height.shape, np.float32)
    for rows in _bands(height, cancelled):
        out[rows] = _steepness_rows(height, dx, dy, rows)
    return out


def _steepness_rows(height: Floats, dx: float, dy: float, rows: slice) -> Floats:
    gx, gy = gradient_rows(height, dx, dy, rows)
    with np.errstate(over="ignore"):  # upright; np.hypot would take twice the time
        gx *= gx
        gy *= gy
        gx += gy
    return np.sqrt(gx, out=gx)


def gradient_rows(height: Floats, dx: float, dy: float, rows: slice) -> tuple[Floats, Floats]:
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
        index = np.arange(rows.start, rows.stop, dtype=np.intp)
        ahead, behind = np.minimum(index + 1, ny - 1), np.maximum(index - 1, 0)
        np.subtract(height[ahead], height[behind], out=gy)
        gy *= (1 / (dy * (ahead - behind))).astype(np.float32)[:, None]
    return gx, gy


def aspect(height: Floats, dx: float, dy: float, cancelled: Cancel | None = None) -> Floats:
    """Direction in which the ground falls, degrees clockwise from +Y: 0 to 360, flat ground 0."""
    out = np.empty(height.shape, np.float32)
    for rows in _bands(height, cancelled):
        gx, gy = gradient_rows(height, dx, dy, rows)
        angle = np.degrees(np.arctan2(-gx, -gy))
        angle[(gx == 0) & (gy == 0)] = 0
        angle[angle < 0] += np.float32(360)
        out[rows] = angle
    return out


def hillshade(height: Floats, dx: float, dy: float, cancelled: Cancel | None = None) -> Floats:
    """Cosine of the angle between the ground's normal and a sun 45 degrees high over -Y, 0 to 1."""
    out = np.empty(height.shape, np.float32)
    for rows in _bands(height, cancelled):
        gx, gy = gradient_rows(height, dx, dy, rows)
        with np.errstate(over="ignore"):  # upright
            light = (np.float32(1) + gy) / np.sqrt(gx * gx + gy * gy + np.float32(1))
        out[rows] = np.clip(light * np.float32(np.sqrt(0.5)), np.float32(0), np.float32(1))
    return out


def profile_curvature(
    height: Floats, dx: float, dy: float, cancelled: Cancel | None = None
) -> Floats:
    """Bend of the ground along its fall line, radians per 100 m, positive where it bulges.

    Zevenbergen and Thorne, "Quantitative analysis of land surface topography" (1987). Flat ground
    has none, nor have the outermost samples.
    """
    return _curvature(height, dx, dy, True, cancelled)


def plan_curvature(height: Floats, dx: float, dy: float, cancelled: Cancel | None = None) -> Floats:
    """Bend of the ground across its fall line, radians per 100 m, positive on spurs.

    The tangential curvature of Mitasova and Hofierka, "Interpolation by regularized spline with
    tension" (1993): unlike that of the contour it stays finite towards flat ground.
    """
    return _curvature(height, dx, dy, False, cancelled)


def _curvature(
    height: Floats, dx: float, dy: float, along: bool, cancelled: Cancel | None
) -> Floats:
    """Curvature along the fall line or across it; 0 on land too steep for float32."""
    with np.errstate(over="ignore", invalid="ignore"):
        out = _bends(height, dx, dy, along, cancelled)
    out[~np.isfinite(out)] = 0
    return out


def _bends(height: Floats, dx: float, dy: float, along: bool, cancelled: Cancel | None) -> Floats:
    out = np.zeros(height.shape, np.float32)
    ny, nx = height.shape
    if min(ny, nx) < 3:
        return out
    for rows in _bands(height, cancelled):
        first, last = max(rows.start, 1), min(rows.stop, ny - 1)
        if first >= last:
            continue
        part = height[first - 1 : last + 1]
        gx, gy = gradient_rows(height, dx, dy, slice(first, last))
        gx, gy = gx[:, 1:-1], gy[:, 1:-1]
        middle = np.float32(2) * part[1:-1, 1:-1]
        xx = (part[1:-1, 2:] - middle + part[1:-1, :-2]) * np.float32(1 / dx**2)
        yy = (part[2:, 1:-1] - middle + part[:-2, 1:-1]) * np.float32(1 / dy**2)
        xy = part[2:, 2:] - part[2:, :-2] - part[:-2, 2:] + part[:-2, :-2]
        xy *= np.float32(0.25 / (dx * dy))
        steep = gx * gx + gy * gy
        if along:
            bend = gx * gx * xx + np.float32(2) * gx * gy * xy + gy * gy * yy
            scale = steep * (np.float32(1) + steep) ** np.float32(1.5)
        else:
            bend = gy * gy * xx - np.float32(2) * gx * gy * xy + gx * gx * yy
            scale = steep * np.sqrt(np.float32(1) + steep)
        np.divide(bend * np.float32(-100), scale, out=out[first:last, 1:-1], where=steep > FLAT)
    return out


def _bands(height: Floats, cancelled: Cancel | None) -> Iterator[slice]:
    """Slices of rows that cover a height field. Cancelled is raised between them."""
    for start in range(0, len(height), BAND):
        poll(cancelled)
        yield slice(start, min(start + BAND, len(height)))
