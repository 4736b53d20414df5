# SPDX-License-Identifier: GPL-3.0-or-later
"""The common systems: their coordinates as longitude and latitude, and back, for whole arrays.

These are longitude and latitude, the transverse Mercator projection (UTM and national grids), Web
Mercator, Mercator and plate carrée, on the ellipsoids of WGS 84 and GRS 1980. Their datums (WGS 84,
NAD83, ETRS89, GDA, SIRGAS ...) count as one: they agree within about two meters, and what they
differ by depends on the year of the survey.

Sources: L. Krüger, *Konforme Abbildung des Erdellipsoids in der Ebene*, 1912, and Charles F. F.
Karney, "Transverse Mercator with an accuracy of a few nanometers", *Journal of Geodesy*, 2011
(series to the sixth order, and the iteration for the latitude); John P. Snyder, *Map Projections: A
Working Manual*, USGS Professional Paper 1395, 1987 (Mercator, equirectangular).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ...numerics.arrays import Doubles
from .ellipsoid import WGS84, Ellipsoid
from .projections import rectifying
from .system import REMEDY, System

Pair = tuple[Doubles, Doubles]

GRS80 = Ellipsoid(6378137.0, 298.257222101)
SAME_BODY = 1e-6
"""Difference of inverse flattenings up to which files mean one ellipsoid."""
REACH = math.radians(35.0)
"""Distance from the central meridian of a transverse Mercator projection, up to which the series
are exact to a fraction of a millimeter."""
HIGHEST = math.radians(89.99999)
"""Latitude up to which Mercator projections are used: their poles lie at infinity."""
ITERATIONS = 4
"""Steps of Newton's method for the latitude; three give all digits."""


@dataclass(frozen=True)
class CommonSystem:
    """A system whose coordinates are converted; made by :func:`common_system`.

    Places without coordinates, such as the poles in Mercator projections, and places more than 35
    degrees from the central meridian of a transverse Mercator projection, are NaN.

    Examples
    --------
    >>> utm = common_system(System.coded(32632))
    >>> x, y = utm.from_lonlat(7.6586, 45.9764)  # the Matterhorn
    >>> print(f"{x:.2f} {y:.2f}")
    396088.45 5092300.10
    >>> longitude, latitude = utm.to_lonlat(x, y)
    >>> print(f"{longitude:.6f} {latitude:.6f}")
    7.658600 45.976400
    """

    system: System

    def to_lonlat(self, x: ArrayLike, y: ArrayLike) -> Pair:
        """Return longitudes and latitudes in degrees, float64, of coordinates of the system.

        Longitudes lie between -180 and 180 degrees.
        """
        unit, method = self.system.unit, self.method
        longitude, latitude = (np.asarray(one, np.float64) * unit for one in (x, y))
        with np.errstate(all="ignore"):
            if method is not None:
                p = self.parameters
                east, phi = _INVERSE[method](self, longitude - p["x_0"], latitude - p["y_0"])
                longitude, latitude = np.degrees(east) + p["lon_0"], np.degrees(phi)
            latitude = np.where(np.abs(latitude) <= 90, latitude, np.nan)
            return _near(longitude, 0.0, 360.0), latitude

    def from_lonlat(self, longitude: ArrayLike, latitude: ArrayLike) -> Pair:
        """Return coordinates of the system, float64, of longitudes and latitudes in degrees."""
        degrees, phi = np.asarray(longitude, np.float64), np.asarray(latitude, np.float64)
        phi = np.where(np.abs(phi) <= 90, phi, np.nan)
        unit, method = self.system.unit, self.method
        if method is None:
            return degrees / unit, phi / unit
        p = self.parameters
        east = np.radians(_near(degrees, p["lon_0"], 360.0) - p["lon_0"])
        with np.errstate(all="ignore"):
            x, y = _FORWARD[method](self, east, np.radians(phi))
        return (x + p["x_0"]) / unit, (y + p["y_0"]) / unit

    @property
    def turn(self) -> float | None:
        """The coordinates around the globe along x; None where there is no such way."""
        if self.method is None:
            return 360.0 / self.system.unit
        if self.method == "tmerc":
            return None
        x, _ = self.from_lonlat([0.0, 1.0], [0.0, 0.0])
        return 360.0 * float(abs(x[1] - x[0]))

    @property
    def method(self) -> str | None:
        """The projection's method as PROJ names it; None for longitude and latitude."""
        return self.system.projection.method if self.system.projection else None

    @cached_property
    def parameters(self) -> dict[str, float]:
        """The projection's parameters in degrees and meters."""
        assert self.system.projection is not None
        return self.system.projection.parameters

    @cached_property
    def e2(self) -> float:
        """The square of the eccentricity that the projection counts with."""
        return 0.0 if self.method == "webmerc" else self.system.body.e2

    @cached_property
    def mercator_scale(self) -> float:
        """Meters per radian along the equator."""
        phi = math.radians(self.parameters.get("lat_ts", 0.0))
        share = math.cos(phi) / math.sqrt(1 - self.e2 * math.sin(phi) ** 2)
        return self.system.body.radius * self.parameters.get("k_0", 1.0) * share

    @cached_property
    def kruger(self) -> tuple[float, tuple[float, ...], tuple[float, ...], float]:
        """Radius, series forward and back, and meters from the equator to the origin."""
        radius, forward, back = rectifying(self.system.body)
        radius *= self.parameters["k_0"]
        phi = np.array(math.radians(self.parameters["lat_0"]))
        chi = np.arctan(_conformal(np.tan(phi), self.e2))
        terms = (a * np.sin(2 * j * chi) for j, a in enumerate(forward, 1))
        return radius, forward, back, radius * float(chi + sum(terms))


def common_system(system: System) -> CommonSystem:
    """Return the conversion of a system's coordinates from and to longitude and latitude.

    Raises
    ------
    ValueError : a system that is none of the common ones, with what to do

    Examples
    --------
    >>> common_system(System.coded(27700))
    Traceback (most recent call last):
    ValueError: its coordinate system (projected, EPSG:27700) is not converted here: ...
    """
    if not (_is_modern(system.body) and (system.geographic or _is_common(system))):
        raise ValueError(f"its coordinate system ({system.title}) is not converted here: {REMEDY}")
    return CommonSystem(system)


def utm_zone(longitude: float, latitude: float) -> System:
    """Return the zone of UTM, on WGS 84, that a place lies in.

    Norway and Svalbard have zones of other widths on maps; here all are 6 degrees wide.

    Examples
    --------
    >>> utm_zone(7.6586, 45.9764).epsg, utm_zone(-180.0, -1.0).epsg, utm_zone(180.0, 1.0).epsg
    (32632, 32701, 32601)
    """
    zone = int((longitude + 180) % 360 // 6) + 1
    return System.coded((32600 if latitude >= 0 else 32700) + zone)


def _is_modern(body: Ellipsoid) -> bool:
    """Return whether a body is that of WGS 84 or GRS 1980, whose datums lie about the center of
    the Earth."""
    return body.radius == WGS84.radius and any(
        abs(body.inverse_flattening - other.inverse_flattening) < SAME_BODY
        for other in (WGS84, GRS80)
    )


def _is_common(system: System) -> bool:
    projection = system.projection
    if projection is None or projection.method not in _INVERSE:
        return False
    # Without an offset of its origin, a transverse Mercator grid may count to the south and west,
    # as those of South Africa do: the method's name is not kept.
    p = projection.parameters
    return projection.method != "tmerc" or bool(p["x_0"] or p["y_0"] or p["lat_0"])


def _near(values: Doubles, middle: float, turn: float) -> Doubles:
    """Return values that are moved by whole turns to within half a turn of the middle."""
    turns = np.round((values - middle) / turn)
    return np.where(np.abs(values - middle) <= turn / 2, values, values - turn * turns)


def _conformal(tangent: Doubles, e2: float) -> Doubles:
    """Return the tangent of the conformal latitude, from that of the latitude."""
    e = math.sqrt(e2)
    secant = np.hypot(1.0, tangent)
    sigma = np.sinh(e * np.arctanh(e * tangent / secant))
    return tangent * np.hypot(1.0, sigma) - sigma * secant


def _geodetic(conformal: Doubles, e2: float) -> Doubles:
    """Return the tangent of the latitude, from that of the conformal latitude.

    Karney, equations 19 to 21.
    """
    tangent = conformal / (1 - e2)
    for _ in range(ITERATIONS):
        guess = _conformal(tangent, e2)
        slope = (1 + (1 - e2) * tangent**2) / (
            (1 - e2) * np.hypot(1.0, guess) * np.hypot(1.0, tangent)
        )
        tangent = tangent + (conformal - guess) * slope
    return tangent


def _from_mercator(plane: CommonSystem, x: Doubles, y: Doubles) -> Pair:
    scale = plane.mercator_scale
    return x / scale, np.arctan(_geodetic(np.sinh(y / scale), plane.e2))


def _to_mercator(plane: CommonSystem, east: Doubles, phi: Doubles) -> Pair:
    phi = np.where(np.abs(phi) <= HIGHEST, phi, np.nan)
    scale = plane.mercator_scale
    return scale * east, scale * np.arcsinh(_conformal(np.tan(phi), plane.e2))


def _from_plate(plane: CommonSystem, x: Doubles, y: Doubles) -> Pair:
    p, radius = plane.parameters, plane.system.body.radius
    east = x / (radius * math.cos(math.radians(p["lat_ts"])))
    return east, y / radius + math.radians(p["lat_0"])


def _to_plate(plane: CommonSystem, east: Doubles, phi: Doubles) -> Pair:
    p, radius = plane.parameters, plane.system.body.radius
    across = radius * math.cos(math.radians(p["lat_ts"]))
    return across * east, radius * (phi - math.radians(p["lat_0"]))


def _from_transverse(plane: CommonSystem, x: Doubles, y: Doubles) -> Pair:
    radius, _, back, origin = plane.kruger
    xi, eta = (y + origin) / radius, x / radius
    north, east = xi.copy(), eta.copy()
    for j, b in enumerate(back, 1):
        north -= b * np.sin(2 * j * xi) * np.cosh(2 * j * eta)
        east -= b * np.cos(2 * j * xi) * np.sinh(2 * j * eta)
    inside = (np.abs(north) <= math.pi / 2) & (np.abs(east) <= _ETA)
    north, east = np.where(inside, north, np.nan), np.where(inside, east, np.nan)
    across, up = np.sinh(east), np.cos(north)
    tangent = np.sin(north) / np.hypot(across, up)
    return np.arctan2(across, up), np.arctan(_geodetic(tangent, plane.e2))


def _to_transverse(plane: CommonSystem, east: Doubles, phi: Doubles) -> Pair:
    radius, forward, _, origin = plane.kruger
    tangent = _conformal(np.tan(phi), plane.e2)
    xi = np.arctan2(tangent, np.cos(east))
    eta = np.arcsinh(np.sin(east) / np.hypot(tangent, np.cos(east)))
    inside = (np.abs(xi) <= math.pi / 2) & (np.abs(eta) <= _ETA)
    xi, eta = np.where(inside, xi, np.nan), np.where(inside, eta, np.nan)
    north, across = xi.copy(), eta.copy()
    for j, a in enumerate(forward, 1):
        north += a * np.sin(2 * j * xi) * np.cosh(2 * j * eta)
        across += a * np.cos(2 * j * xi) * np.sinh(2 * j * eta)
    return radius * across, radius * north - origin


_ETA = math.asinh(math.tan(REACH))
Step = Callable[[CommonSystem, Doubles, Doubles], Pair]
_INVERSE: dict[str, Step] = {"merc": _from_mercator, "webmerc": _from_mercator,
                             "eqc": _from_plate, "tmerc": _from_transverse}  # fmt: skip
_FORWARD: dict[str, Step] = {"merc": _to_mercator, "webmerc": _to_mercator, "eqc": _to_plate,
                             "tmerc": _to_transverse}  # fmt: skip
