# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles: points on the ground that are dragged to change settings of a layer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Doubles
from ..shapes import Shape

Place = tuple[float, float]
"""x and y in meters, in the coordinates of the terrain."""
CORNERS = 64
"""Of a closed guide."""


@dataclass(frozen=True)
class Handle:
    """A point that is dragged over the ground.

    Attributes
    ----------
    label : str
        What it changes.
    place : tuple of float
        Where it is, (x, y) in meters.
    moved : callable
        Returns the settings that put it nearest to a place.
    guide : ndarray of float64, shape (n, 2)
        A line to draw with it, in meters; a handle that moves others with it has one point.
    moves : str
        Name of the shape that moves with it, "" for none; such a handle changes no setting.
    """

    label: str
    place: Place
    moved: Callable[[float, float], Mapping[str, float]]
    guide: Doubles
    moves: str = ""


def length_handle(
    label: str,
    setting: str,
    value: float,
    origin: Place,
    direction: Place,
    *,
    scale: float = 1.0,
    start: float = 0.0,
    guide: Doubles | None = None,
) -> Handle:
    """Return the handle of a length, at ``start + scale * value`` from a point.

    Parameters
    ----------
    direction : tuple of float
        Of length 1.
    scale : float, default 1.0
        Not 0.
    guide : ndarray of float64, optional
        By default a line from the point to the handle.

    Examples
    --------
    >>> handle = length_handle("Radius", "radius", 50.0, (10.0, 0.0), (1.0, 0.0))
    >>> handle.place, handle.moved(90.0, 7.0)
    ((60.0, 0.0), {'radius': 80.0})
    """
    (x0, y0), (dx, dy) = origin, direction
    away = start + scale * value
    place = x0 + away * dx, y0 + away * dy

    def moved(x: float, y: float) -> Mapping[str, float]:
        return {setting: max(((x - x0) * dx + (y - y0) * dy - start) / scale, 0.0)}

    return Handle(label, place, moved, np.array([origin, place]) if guide is None else guide)


def center_handle(x: float, y: float, names: tuple[str, str] = ("center_x", "center_y")) -> Handle:
    """Return the handle of a place that two settings give.

    Examples
    --------
    >>> center_handle(3.0, 4.0).moved(5.0, 6.0)
    {'center_x': 5.0, 'center_y': 6.0}
    """
    return Handle("Place", (x, y), lambda x, y: {names[0]: x, names[1]: y}, np.array([(x, y)]))


def object_handle(shape: Shape) -> Handle:
    """Return the handle that moves a shape that has points, in the middle of its extent."""
    low, high = shape.points[:, :2].min(axis=0), shape.points[:, :2].max(axis=0)
    x, y = (float(end) for end in (low + high) / 2)
    return Handle("Place", (x, y), lambda x, y: {}, np.array([(x, y)]), moves=shape.name)


def superellipse(
    middle: Place, half_x: float, half_y: float, power: float = 2.0, rotation: float = 0.0
) -> Doubles:
    """Return a closed guide, |x / half_x| ^ power + |y / half_y| ^ power = 1, rotated by degrees
    counterclockwise: an ellipse for a power of 2, almost a rectangle for a large one.

    Examples
    --------
    >>> superellipse((5.0, 0.0), 2.0, 1.0)[0].tolist()
    [7.0, 0.0]
    """
    angles = np.linspace(0, 2 * np.pi, CORNERS + 1)
    u, v = (
        half * np.sign(wave) * np.abs(wave) ** (2 / power)
        for half, wave in ((half_x, np.cos(angles)), (half_y, np.sin(angles)))
    )
    c, s = math.cos(math.radians(rotation)), math.sin(math.radians(rotation))
    return np.column_stack([middle[0] + c * u - s * v, middle[1] + s * u + c * v])
