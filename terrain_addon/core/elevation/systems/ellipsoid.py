# SPDX-License-Identifier: GPL-3.0-or-later
"""The bodies that coordinates lie on, as ellipsoids of revolution."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...numerics.arrays import Doubles


@dataclass(frozen=True)
class Ellipsoid:
    """A body by its equatorial radius in meters and its inverse flattening, 0 for a sphere.

    Examples
    --------
    >>> Ellipsoid(1737400.0).name, WGS84.name
    ('Moon', 'Earth')
    """

    radius: float
    inverse_flattening: float = 0.0

    def __post_init__(self) -> None:
        flat = self.inverse_flattening
        if not (1e2 < self.radius < 1e9 and (flat == 0 or 2 < flat < 1e12)):
            raise ValueError(
                f"its body has the radius {self.radius:g} m and the inverse flattening {flat:g}"
            )

    @classmethod
    def of_axes(cls, major: float, minor: float) -> Ellipsoid:
        """Return the ellipsoid with these semi-axes in meters."""
        return cls(major, 0.0 if abs(major - minor) < 1e-6 else major / (major - minor))

    @property
    def flattening(self) -> float:
        """The difference of the semi-axes as a share of the larger one."""
        return 1 / self.inverse_flattening if self.inverse_flattening else 0.0

    @property
    def e2(self) -> float:
        """The square of the first eccentricity."""
        return self.flattening * (2 - self.flattening)

    @property
    def sphere(self) -> Ellipsoid:
        """The sphere with the equatorial radius."""
        return Ellipsoid(self.radius)

    @property
    def name(self) -> str:
        """The body, for people."""
        near = (name for name, radius in BODIES.items() if abs(self.radius / radius - 1) < 2e-3)
        return next(near, f"a body of {self.radius / 1000:.6g} km radius")

    def place(self, longitude: float, latitude: float) -> Doubles:
        """Return the place on the surface in meters from the center, for radians."""
        sine, cosine = math.sin(latitude), math.cos(latitude)
        prime = self.radius / math.sqrt(1 - self.e2 * sine**2)
        return prime * np.array([
            cosine * math.cos(longitude), cosine * math.sin(longitude), (1 - self.e2) * sine
        ])  # fmt: skip


BODIES = {"Earth": 6378137.0, "Moon": 1737400.0, "Mars": 3396190.0, "Mercury": 2439400.0,
          "Venus": 6051800.0, "Titan": 2575000.0, "Europa": 1562600.0, "Ganymede": 2632345.0,
          "Callisto": 2409300.0, "Io": 1829400.0, "Pluto": 1188300.0}  # fmt: skip
"""Equatorial radii in meters by the names of bodies (IAU Working Group on Cartographic Coordinates,
2015)."""
WGS84 = Ellipsoid(6378137.0, 298.257223563)


def meters_per_degree(latitude: float, body: Ellipsoid = WGS84) -> tuple[float, float]:
    """Return the lengths of one degree of longitude and of latitude on an ellipsoid, in meters.

    Parameters
    ----------
    latitude : degrees, -90 to 90
    body : by default that of WGS 84

    Returns
    -------
    (float, float) : meters along a parallel and along a meridian

    References
    ----------
    NIMA TR8350.2, *Department of Defense World Geodetic System 1984*, 2000: the ellipsoid.

    Examples
    --------
    >>> [round(length) for length in meters_per_degree(0.0)]
    [111319, 110574]
    >>> [round(length) for length in meters_per_degree(60.0)]
    [55800, 111412]
    """
    phi = math.radians(latitude)
    flat = 1 - body.e2 * math.sin(phi) ** 2
    along_parallel = body.radius / math.sqrt(flat) * math.cos(phi)
    along_meridian = body.radius * (1 - body.e2) / flat**1.5
    return math.radians(along_parallel), math.radians(along_meridian)
