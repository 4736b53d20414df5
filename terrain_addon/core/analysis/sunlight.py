# SPDX-License-Identifier: GPL-3.0-or-later
"""Direct sunlight of a year on sloping ground, and what rises around it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..numerics.arrays import Floats, Indices
from ..numerics.progress import Cancel, poll

DIRECTIONS = tuple(range(0, 360, 45))
"""Degrees clockwise from +Y, north, in which horizons are looked for."""
STEPS = (2, 4, 7, 12, 20, 34)
"""Samples between a place and what may stand in its light."""
NEARBY = STEPS[:3]
"""Those from which rock falls."""
DECLINATIONS = (-15.0, 5.0, 20.0)
"""Degrees north of the equator over which the sun stands in winter, spring and summer."""
HOURS = tuple(range(-75, 76, 30))
"""Degrees from noon."""
LOWEST = 0.05
"""Sine of the height of the sun below which its light does not count."""
PENUMBRA = 0.1
"""Tangent over which light fades at a horizon: heights are those of wide cells."""


def sunlight(
    height: Floats, spacing: float, latitude: float, cancelled: Cancel | None = None
) -> Floats:
    """Return direct sunlight of a year relative to level, open ground: about 0 to 1.5.

    Parameters
    ----------
    height : ndarray of float32, shape (ny, nx)
        Meters, row 0 in the south.
    spacing : float
        Meters between samples.
    latitude : float
        Degrees, positive in the north.

    Notes
    -----
    Lambert's law for the sun of 18 hours of a year, with horizons in eight directions.

    Examples
    --------
    >>> south = np.float32([[0, 10, 20], [0, 10, 20], [0, 10, 20]]).T
    >>> bool(sunlight(south, 20.0, 47.0)[1, 1] > 1 > sunlight(south[::-1], 20.0, 47.0)[1, 1])
    True
    """
    along_y, along_x = np.gradient(height, np.float32(spacing))
    upright = 1 / np.sqrt(along_x * along_x + along_y * along_y + np.float32(1))
    normal = (-along_x * upright, -along_y * upright, upright)
    horizons = {angle: _horizon(height, spacing, angle, cancelled) for angle in DIRECTIONS}
    total, level = np.zeros(height.shape, np.float32), 0.0
    for east, north, up in _suns(math.radians(latitude)):
        azimuth = math.degrees(math.atan2(east, north)) % 360
        horizon = horizons[round(azimuth / 45) * 45 % 360]
        over = np.float32(up / math.sqrt(1 - up * up)) - horizon
        seen = np.clip(over / np.float32(PENUMBRA) + np.float32(0.5), 0, 1)
        facing = sum(n * np.float32(s) for n, s in zip(normal, (east, north, up), strict=True))
        total += seen * np.maximum(facing, 0)
        level += up
    return (total * np.float32(1 / level)).astype(np.float32)


def _suns(latitude: float) -> Iterator[tuple[float, float, float]]:
    """Yield unit vectors to the sun, east, north and up, at the hours of a year when it is up."""
    for declination in map(math.radians, DECLINATIONS):
        for hour in map(math.radians, HOURS):
            up = math.sin(latitude) * math.sin(declination)
            up += math.cos(latitude) * math.cos(declination) * math.cos(hour)
            north = math.cos(latitude) * math.sin(declination)
            north -= math.sin(latitude) * math.cos(declination) * math.cos(hour)
            if LOWEST <= up < 1:
                yield -math.cos(declination) * math.sin(hour), north, up


def cliffs_above(height: Floats, spacing: float, cancelled: Cancel | None = None) -> Floats:
    """Return the tangent of the steepest rise to the ground nearby, in any direction, 0 or more.

    >>> step = np.float32([[0, 0, 0, 30, 30]] * 5)
    >>> found = cliffs_above(step, 10.0)[2]
    >>> bool(found[2] > 1), float(found[3])
    (True, 0.0)
    """
    found = np.zeros(height.shape, np.float32)
    for angle in DIRECTIONS:
        np.maximum(found, _horizon(height, spacing, angle, cancelled, NEARBY), out=found)
    return found


def _horizon(
    height: Floats,
    spacing: float,
    angle: int,
    cancelled: Cancel | None,
    steps: tuple[int, ...] = STEPS,
) -> Floats:
    """Return the tangent of the height of the horizon in a direction, 0 or more."""
    poll(cancelled)
    x, y = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    ny, nx = height.shape
    found = np.zeros(height.shape, np.float32)
    for step in steps:
        i, j = round(x * step), round(y * step)
        rows, columns = _clipped(ny, j), _clipped(nx, i)
        rise = height[rows[:, None], columns] - height
        np.maximum(found, rise * np.float32(1 / (spacing * math.hypot(i, j))), out=found)
    return found


def _clipped(count: int, step: int) -> Indices:
    """Return the numbers of samples, moved by a step within the border."""
    moved = np.arange(count, dtype=np.intp) + step
    return np.minimum(np.maximum(moved, 0), count - 1)
