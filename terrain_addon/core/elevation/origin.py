# SPDX-License-Identifier: GPL-3.0-or-later
"""The origin of a scene in the coordinates of a system, and how terrains lie about it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Doubles
from .georeference import Georeference, Vector
from .systems import System, common_system, utm_zone

FARTHEST = 2e6
"""Meters from the origin, from which on single precision is coarser than a decimeter."""

_BORDER = (0, 1, -1, 0, 0, 1, 1, -1, -1), (0, 0, 0, 1, -1, 1, -1, 1, -1)
"""The center, the middles of the sides and the corners, in halves of the sides."""


@dataclass(frozen=True)
class Lie:
    """How a terrain lies in a scene.

    Attributes
    ----------
    offset : (x, y) of its center from the origin, in units of the scene's system
    angle : radians by which it is turned counterclockwise
    scale : (x, y) units of the scene's system in a meter of the terrain
    off : units by which its border misses its true place at most, as it is not bent
    """

    offset: Vector
    angle: float
    scale: Vector
    off: float


@dataclass(frozen=True)
class Origin:
    """The place of a scene's origin.

    Attributes
    ----------
    system : whose x and y are those of the scene
    x, y : coordinates of the origin

    Examples
    --------
    >>> origin = Origin(System.coded(32632), 396088.0, 5092300.0)
    >>> longitude, latitude = origin.lonlat(0.45, 0.10)  # the Matterhorn
    >>> print(f"{longitude:.4f} {latitude:.4f}")
    7.6586 45.9764
    """

    system: System
    x: float
    y: float

    @classmethod
    def at(cls, place: Georeference) -> Origin:
        """Return an origin at the center of a terrain.

        The system is that of the terrain, where a unit of it is a meter on the ground, else the
        UTM zone of the place.

        Parameters
        ----------
        place : of columns and rows that are meters from the center

        Raises
        ------
        ValueError : a system that is neither in meters nor one of the common ones
        """
        system = place.system
        steps = (math.hypot(*step) for step in (place.column_step, place.row_step))
        if not system.geographic and all(abs(step - 1) < 1e-6 for step in steps):
            return cls(system, *place.origin)
        longitude, latitude = common_system(system).to_lonlat(*place.origin)
        zone = utm_zone(float(longitude), float(latitude))
        x, y = common_system(zone).from_lonlat(longitude, latitude)
        return cls(zone, float(x), float(y))

    def lonlat(self, x: float, y: float) -> Vector | None:
        """Return longitude and latitude of an offset, or None if they are not known."""
        try:
            return self.system.position(self.x + x, self.y + y)
        except ValueError:
            return None

    def lie(self, place: Georeference, size: Vector) -> Lie:
        """Return how a terrain lies about the origin.

        Parameters
        ----------
        place : of columns and rows that are meters from the center of the terrain
        size : of the terrain along x and y, in meters

        Raises
        ------
        ValueError : a system that is not converted to that of the scene; a place too far away
        """
        i, j = (
            np.array([0, 1, -1, 0, 0, 1, 1, -1, -1.0]),
            np.array([0, 0, 0, 1, -1, 1, -1, 1, -1]),
        )
        i, j = i * size[0] / 2, j * size[1] / 2
        (a, b), (c, d) = place.column_step, place.row_step
        x, y = place.origin[0] + i * a + j * c, place.origin[1] + i * b + j * d
        x, y = converted(place.system, self.system, x, y, self.x)
        x, y = x - self.x, y - self.y
        far = math.hypot(x[0], y[0]) * self.system.unit
        if not far <= FARTHEST:
            away = f"{far / 1000:.0f} km" if math.isfinite(far) else "too far"
            raise ValueError(
                f"It lies {away} from the place of this scene: add it to a scene of its own"
            )
        angle = math.atan2(y[1] - y[2], x[1] - x[2])
        scale = (
            math.hypot(x[1] - x[2], y[1] - y[2]) / size[0],
            math.hypot(x[3] - x[4], y[3] - y[4]) / size[1],
        )
        cos, sin = math.cos(angle), math.sin(angle)
        across, along = i * scale[0], j * scale[1]
        misses = np.hypot(
            x - x[0] - (across * cos - along * sin), y - y[0] - (across * sin + along * cos)
        )
        return Lie((float(x[0]), float(y[0])), angle, scale, float(misses.max()))


def converted(
    old: System, new: System, x: Doubles, y: Doubles, near: float | None = None
) -> tuple[Doubles, Doubles]:
    """Return coordinates of one system in another; NaN where there are none.

    At the antimeridian they are those within half the globe of ``near``, an x of the new system; by
    default, of the first place.

    Raises ValueError for different systems that are not both common ones.
    """
    if old.same_plane(new):
        return x, y
    target = common_system(new)
    x, y = target.from_lonlat(*common_system(old).to_lonlat(x, y))
    if target.turn:
        x = x - target.turn * np.round((x - (x.flat[0] if near is None else near)) / target.turn)
    return x, y
