# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the samples of an elevation model lie on the Earth."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

RADIUS = 6378137.0
"""Meters: the equatorial radius of WGS 84, and the radius of Web Mercator."""
ECCENTRICITY = 0.00669437999014
"""The square of the first eccentricity of WGS 84."""
WEB_MERCATOR = (3857, 900913)
SAME = 1e-6
"""Share of a step up to which two steps are equal."""

Vector = tuple[float, float]
MOST_DEGREES = 0.05
"""A smaller cell size is in degrees, of which 0.05 would be 5 km."""


def seem_degrees(place: Vector, cell: Vector) -> bool:
    """Whether coordinates of an unknown system are degrees, by the size of their cells.

    Raises ValueError for cells that small at a place that is not on the globe.

    Examples
    --------
    >>> seem_degrees((7.0, 46.0), (1 / 3600, 1 / 3600)), seem_degrees((0.0, 0.0), (30.0, 30.0))
    (True, False)
    """
    if max(map(abs, cell)) >= MOST_DEGREES:
        return False
    if abs(place[0]) > 360 or abs(place[1]) > 90:
        raise ValueError(f"Cells of {cell[0]:g} look like degrees at a place that is none.")
    return True


def meters_per_degree(latitude: float) -> tuple[float, float]:
    """Lengths of one degree of longitude and of latitude on the ellipsoid of WGS 84.

    Parameters
    ----------
    latitude : degrees, -90 to 90

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
    flat = 1 - ECCENTRICITY * math.sin(phi) ** 2
    along_parallel = RADIUS / math.sqrt(flat) * math.cos(phi)
    along_meridian = RADIUS * (1 - ECCENTRICITY) / flat**1.5
    return math.radians(along_parallel), math.radians(along_meridian)


@dataclass(frozen=True)
class Georeference:
    """Coordinates of the samples of a grid: an affine map from columns and rows.

    Attributes
    ----------
    origin : (x, y) of the sample in column 0 and row 0, the south-western one
    column_step : (x, y) from one column to the next
    row_step : (x, y) from one row to the next
    geographic : whether coordinates are degrees (longitude, latitude)
    epsg : code of the coordinate system, None where it is not known
    unit : meters per unit of projected coordinates

    Raises
    ------
    ValueError : numbers that are not finite, or steps that span no area

    Examples
    --------
    >>> place = Georeference((9.0, 47.0), (1 / 3600, 0.0), (0.0, 1 / 3600), geographic=True)
    >>> place.at(3600, 1800)
    (10.0, 47.5)
    >>> [round(step, 2) for step in place.spacing(3601, 3601)]
    [20.93, 30.88]
    """

    origin: Vector
    column_step: Vector
    row_step: Vector
    geographic: bool = False
    epsg: int | None = None
    unit: float = 1.0

    def __post_init__(self) -> None:
        numbers = (*self.origin, *self.column_step, *self.row_step, self.unit)
        if not all(math.isfinite(number) and abs(number) < 1e12 for number in numbers):
            raise ValueError("its coordinates are not finite numbers")
        (a, b), (c, d) = self.column_step, self.row_step
        if abs(a * d - b * c) < 1e-18 or not 1e-6 < self.unit < 1e6:
            raise ValueError("its samples lie on top of each other")
        if self.geographic and (abs(self.origin[0]) > 540 or abs(self.origin[1]) > 91):
            raise ValueError(
                f"its corner is at longitude {self.origin[0]:g} and latitude {self.origin[1]:g}"
            )

    @property
    def name(self) -> str:
        """The coordinate system, for people."""
        kind = "geographic" if self.geographic else "projected"
        return f"{kind}, EPSG:{self.epsg}" if self.epsg else kind

    @property
    def mirrored(self) -> bool:
        """Whether rows run the other way round than columns ask for."""
        (a, b), (c, d) = self.column_step, self.row_step
        return a * d < b * c

    def at(self, column: float, row: float) -> Vector:
        """Coordinates (x, y) of a sample, or of a place between samples."""
        (x, y), (a, b), (c, d) = self.origin, self.column_step, self.row_step
        return x + column * a + row * c, y + column * b + row * d

    def samples_at(self, x: float, y: float) -> Vector:
        """Column and row of coordinates: the inverse of :meth:`at`."""
        (a, b), (c, d) = self.column_step, self.row_step
        x, y = x - self.origin[0], y - self.origin[1]
        area = a * d - b * c
        return (x * d - y * c) / area, (y * a - x * b) / area

    def mapped(self, origin: Vector, column_step: Vector, row_step: Vector) -> Georeference:
        """Of other samples, given by places and steps in columns and rows of these."""
        (a, b), (c, d) = self.column_step, self.row_step

        def step(columns: float, rows: float) -> Vector:
            return columns * a + rows * c, columns * b + rows * d

        return replace(
            self, origin=self.at(*origin), column_step=step(*column_step), row_step=step(*row_step)
        )

    def latitude(self, columns: int, rows: int) -> float | None:
        """Latitude of the middle of a grid of that size; None where it is not known."""
        y = self.at((columns - 1) / 2, (rows - 1) / 2)[1]
        if self.geographic:
            return max(-90.0, min(90.0, y))
        if self.epsg in WEB_MERCATOR:
            return math.degrees(
                2 * math.atan(math.exp(max(-9.0, min(9.0, y / RADIUS)))) - math.pi / 2
            )
        return None

    def spacing(self, columns: int, rows: int) -> Vector:
        """Meters between columns and between rows, in the middle of a grid of that size."""
        latitude = self.latitude(columns, rows)
        if self.geographic:
            assert latitude is not None
            x, y = meters_per_degree(max(-89.9, min(89.9, latitude)))
        else:  # Web Mercator stretches lengths by the secant of the latitude
            x = y = self.unit * (1.0 if latitude is None else math.cos(math.radians(latitude)))
        (a, b), (c, d) = self.column_step, self.row_step
        return math.hypot(a * x, b * y), math.hypot(c * x, d * y)

    def same_steps(self, other: Georeference) -> bool:
        """Whether two grids have one coordinate system, and steps that agree to a millionth."""
        if (self.geographic, self.epsg, self.unit) != (other.geographic, other.epsg, other.unit):
            return False
        ours = (*self.column_step, *self.row_step)
        size = max(map(abs, ours))
        theirs = (*other.column_step, *other.row_step)
        return all(abs(a - b) <= SAME * size for a, b in zip(ours, theirs, strict=True))
