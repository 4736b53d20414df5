# SPDX-License-Identifier: GPL-3.0-or-later
"""The places from which a terrain is worth a picture, seen by someone who stands or flies there."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Whole = NDArray[np.intp]

_BORDER = 0.15
"""Least distance of a viewer from the border, as a share of the terrain's shorter side."""
_PLACES = 40
"""Viewers along the longer side, at most."""
_AZIMUTHS = 24
_AROUND = 2
"""Azimuths on either side that are in the picture too: a view of 75 degrees."""
_NEAREST, _FARTHEST, _DISTANCES = 1.5, 0.6, 16
"""Distances that are looked at: the first in samples, the last as a share of the longer side."""
_SHADE, _SHADES = 0.2, 6
"""Distances from which shadows are looked for: the last as a share of the longer side."""
_CLOSE = 5
"""Distances, from the nearest, at which nothing may rise above the eyes."""
_DARK = 0.3
"""How good a view is whose foreground has no light, relative to one in full light."""
_SEA = 0.4
"""How much of the sea in a picture counts, relative to land."""
_LEVEL = 0.1
"""Slope of the ground at the feet from which a view is worse: it would show the air below."""
_HIGHEST = math.tan(math.radians(11.0))
"""Slope up to the skyline from which it is no better: a wall in front of the eyes."""


class Sun(NamedTuple):
    """Where the sun stands for someone who looks at the terrain."""

    aside: float
    """Direction to it in radians, counterclockwise from where they look."""
    slope: float
    """Tangent of its elevation."""


class Outlook(NamedTuple):
    """A viewer's place and where they look."""

    place: tuple[float, float]
    """X and Y in meters from the middle of the first sample."""
    azimuth: float
    """Direction in radians, counterclockwise from +X."""
    skyline: float
    """Mean slope up to the skyline in the picture: the tangent of its elevation."""


def outlooks(
    height: Doubles,
    spacing: float,
    above: float,
    *,
    level: float = -math.inf,
    sun: Sun | None = None,
    most: int = 24,
) -> list[Outlook]:
    """Return the best views from above the ground of a terrain, best first.

    A view is good where the land from the feet to the skyline can be seen, and the skyline is
    high and uneven, and the sun shines on that land, above all on the foreground; it is bad where
    ground close by rises above the eyes or falls away. Sea counts less than land.

    Parameters
    ----------
    height : ndarray of float, shape (H, W)
        Meters. About a hundred samples along a side are enough.
    spacing : float
        Meters between samples.
    above : float
        Height of the eyes above the ground, in meters.
    level : float
        Height of the sea in meters: nobody stands below it, and it hides what is.
    sun : Sun, optional
        Where the light comes from. None for light from everywhere.
    most : int
        The most views to return, each from a place of its own.

    Returns
    -------
    list of Outlook
        Empty if all ground is below ``level``, or the terrain has fewer than 8 samples on a side.

    Examples
    --------
    >>> y, x = np.mgrid[0:60, 0:60] * 100.0
    >>> hill = 900 * np.exp(-((x - 3000) ** 2 + (y - 3000) ** 2) / 1e6)
    >>> view = outlooks(hill, 100.0, 2.0)[0]
    >>> to_the_hill = np.arctan2(3000 - view.place[1], 3000 - view.place[0])
    >>> bool(abs(np.angle(np.exp(1j * (view.azimuth - to_the_hill)))) < 0.3)
    True
    """
    height = np.maximum(np.asarray(height, np.float64), level)
    if min(height.shape) < 8:
        return []
    rows, columns = _places(height, level)
    azimuths = np.arange(_AZIMUTHS, dtype=np.float64) * (2 * math.pi / _AZIMUTHS)
    ground = _Ground(height, spacing, level)
    worth, skyline = _judged(ground, rows, columns, azimuths, above, sun)
    best = worth.argmax(axis=1) if worth.size else np.zeros(0, int)
    order = np.argsort(-worth[np.arange(best.size), best], kind="stable")[:most]
    return [
        Outlook(
            (float(columns[i] * spacing), float(rows[i] * spacing)),
            float(azimuths[best[i]]),
            float(skyline[i, best[i]]),
        )
        for i in order
    ]


def _places(height: Doubles, level: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows and columns of samples on dry ground, away from the border."""
    border = max(1, int(_BORDER * min(height.shape)))
    step = max(1, max(height.shape) // _PLACES)
    inner = height[border:-border:step, border:-border:step]
    rows, columns = np.nonzero(inner > level)
    return rows * step + border, columns * step + border


def _distances(last: float, count: int) -> Doubles:
    """Return distances in samples, each the same multiple of the one before."""
    return _NEAREST * (last / _NEAREST) ** np.linspace(0, 1, count)


class _Ground:
    """Heights around a terrain, continued by mirrored copies."""

    def __init__(self, height: Doubles, spacing: float, level: float) -> None:
        self.spacing, self.level, self.longest = spacing, level, max(height.shape)
        # Views and shadows together reach less far.
        self.beyond = self.longest
        self.heights = np.pad(height, self.beyond, mode="symmetric")
        self.along_y: Doubles = np.gradient(self.heights, spacing, axis=0)
        self.along_x: Doubles = np.gradient(self.heights, spacing, axis=1)

    def at(self, y: Doubles, x: Doubles) -> Doubles:
        """Return the heights of the samples nearest to places in samples."""
        return self.heights[self._nearest(y, x)]

    def weight(self, y: Doubles, x: Doubles) -> Doubles:
        """Return how much places in samples count: 1 for land, less for the sea."""
        return np.where(self.at(y, x) > self.level, 1.0, _SEA)

    def light(self, y: Doubles, x: Doubles, azimuth: Doubles, slope: float) -> Doubles:
        """Return the light of a sun at an azimuth and a slope on places in samples.

        It is 0 in shadows and 1, at most, on ground that gets as much as level ground.
        """
        nearest = self._nearest(y, x)
        here, rise_y, rise_x = (
            field[nearest] for field in (self.heights, self.along_y, self.along_x)
        )
        lit = np.ones(here.shape, np.bool_)
        for away in _distances(_SHADE * self.longest, _SHADES):
            other = self.at(y + np.sin(azimuth) * away, x + np.cos(azimuth) * away)
            lit &= other - here <= slope * away * self.spacing
        toward = rise_y * np.sin(azimuth) + rise_x * np.cos(azimuth)
        facing = (1 - toward / slope) / np.sqrt(1 + rise_x**2 + rise_y**2)
        return lit * np.clip(facing, 0, 1)

    def _nearest(self, y: Doubles, x: Doubles) -> tuple[Whole, Whole]:
        """Return the rows and columns of the samples nearest to places in samples."""
        row, column = (np.rint(at).astype(np.intp) + self.beyond for at in (y, x))
        return row, column


def _judged(
    ground: _Ground,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    azimuths: Doubles,
    above: float,
    sun: Sun | None,
) -> tuple[Doubles, Doubles]:
    """Return how good each view is and the slope up to its skyline: (places, azimuths) each."""
    away = _distances(_FARTHEST * ground.longest, _DISTANCES)
    x = columns[:, None, None] + np.cos(azimuths)[:, None] * away
    y = rows[:, None, None] + np.sin(azimuths)[:, None] * away
    feet = ground.at(rows.astype(np.float64), columns.astype(np.float64))
    rise = ground.at(y, x) - feet[:, None, None]
    slope = (rise - above) / (away * ground.spacing)
    highest = np.maximum.accumulate(slope, axis=2)
    light = np.ones(slope.shape)
    if sun:
        light = ground.light(y, x, azimuths[:, None] + sun.aside, sun.slope)
    seen = (slope >= highest) * light * ground.weight(y, x)
    front = _DARK + (1 - _DARK) * light[..., :_CLOSE].mean(axis=2)
    skyline, close = highest[..., -1], highest[..., _CLOSE - 1]
    around = [np.roll(skyline, turn, axis=1) for turn in range(-_AROUND, _AROUND + 1)]
    mean, uneven = np.mean(around, axis=0), np.std(around, axis=0)
    interest = np.clip(mean, 0, _HIGHEST) + np.minimum(uneven, _HIGHEST)
    blocked, shown = (
        np.mean([np.roll(part, turn, axis=1) for turn in (-1, 0, 1)], axis=0)
        for part in (np.maximum(close, 0), seen.mean(axis=2))
    )
    steep = np.maximum(np.abs(rise[..., 0]) / (_NEAREST * ground.spacing) - _LEVEL, 0)
    return shown * front * interest - blocked - steep, mean
