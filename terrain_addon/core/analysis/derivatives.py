# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields derived from a heightfield: slope, aspect, hillshade and curvature."""

from __future__ import annotations

import numpy as np

from ..numerics.arrays import Floats
from ..numerics.blocks import parts
from ..numerics.progress import Cancel

BAND = 64  # rows at a time: temporaries stay in the processor's cache
FLAT = 1e-12  # squared slope below which ground has no fall line


def slope(height: Floats, dx: float, dy: float, cancelled: Cancel | None = None) -> Floats:
    """Return the slope in degrees, 0 (flat) to 90.

    Central differences inside, one-sided at the border. Horn's weights would blur small forms.

    Parameters
    ----------
    height : ndarray of float32, shape (ny, nx)
        Meters; an axis with a single sample counts as flat.
    dx, dy : float
        Meters between columns and between rows.

    Returns
    -------
    ndarray of float32, shape (ny, nx)
        Degrees.

    Examples
    --------
    >>> import numpy as np
    >>> ramp = np.tile(np.arange(4, dtype=np.float32), (3, 1))
    >>> float(slope(ramp, 1.0, 1.0).max())
    45.0
    """
    out = np.empty(height.shape, np.float32)
    for rows in parts(len(height), BAND, cancelled):
        tangent = _steepness_rows(height, dx, dy, rows)
        np.arctan(tangent, out=tangent)
        np.multiply(tangent, np.float32(180 / np.pi), out=out[rows])
    return out


def steepness(height: Floats, dx: float, dy: float, cancelled: Cancel | None = None) -> Floats:
    """Return the tangent of the :func:`slope`: the length of the gradient."""
    out = np.empty(height.shape, np.float32)
    for rows in parts(len(height), BAND, cancelled):
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
    """Return gradient (dh/dx, dh/dy) of some rows of a heightfield, dimensionless."""
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
    """Return the downslope direction, degrees clockwise from +Y: 0 to 360, 0 where the ground is
    flat."""
    out = np.empty(height.shape, np.float32)
    for rows in parts(len(height), BAND, cancelled):
        gx, gy = gradient_rows(height, dx, dy, rows)
        angle = np.degrees(np.arctan2(-gx, -gy))
        angle[(gx == 0) & (gy == 0)] = 0
        angle[angle < 0] += np.float32(360)
        out[rows] = angle
    return out


def hillshade(height: Floats, dx: float, dy: float, cancelled: Cancel | None = None) -> Floats:
    """Return the cosine of the angle between the normal and a light 45 degrees above -Y, 0 to 1."""
    out = np.empty(height.shape, np.float32)
    for rows in parts(len(height), BAND, cancelled):
        gx, gy = gradient_rows(height, dx, dy, rows)
        with np.errstate(over="ignore"):  # upright
            light = (np.float32(1) + gy) / np.sqrt(gx * gx + gy * gy + np.float32(1))
        out[rows] = np.clip(light * np.float32(np.sqrt(0.5)), np.float32(0), np.float32(1))
    return out


def profile_curvature(
    height: Floats, dx: float, dy: float, cancelled: Cancel | None = None
) -> Floats:
    """Return the curvature along the fall line, radians per 100 m, positive where the ground is
    convex.

    Zevenbergen and Thorne, "Quantitative analysis of land surface topography" (1987). It is 0
    on flat ground and on the outermost samples.
    """
    return _curvature(height, dx, dy, True, cancelled)


def plan_curvature(height: Floats, dx: float, dy: float, cancelled: Cancel | None = None) -> Floats:
    """Return the curvature across the fall line, radians per 100 m, positive on spurs.

    The tangential curvature of Mitasova and Hofierka, "Interpolation by regularized spline with
    tension" (1993): unlike that of the contour it stays finite towards flat ground.
    """
    return _curvature(height, dx, dy, False, cancelled)


def _curvature(
    height: Floats, dx: float, dy: float, along: bool, cancelled: Cancel | None
) -> Floats:
    """Return the curvature along or across the fall line; 0 where the ground is too steep for
    float32."""
    with np.errstate(over="ignore", invalid="ignore"):
        out = _bends(height, dx, dy, along, cancelled)
    out[~np.isfinite(out)] = 0
    return out


def _bends(height: Floats, dx: float, dy: float, along: bool, cancelled: Cancel | None) -> Floats:
    out = np.zeros(height.shape, np.float32)
    ny, nx = height.shape
    if min(ny, nx) < 3:
        return out
    for rows in parts(len(height), BAND, cancelled):
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
