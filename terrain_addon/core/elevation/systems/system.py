# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinate systems: what units, bodies and projections their coordinates have."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from .ellipsoid import WGS84, Ellipsoid
from .projections import TRUE, Projection
from .table import coded, conversions, rows

TOLERANCE = 1e-3
"""Share by which a projection may stretch lengths before they are converted."""
REACH = 1e-5
"""Radii of the body over which the scale at a place is measured."""
LARGEST_CODE = 32766
"""Codes above are those of Esri, and some old ones of EPSG."""
REMEDY = "convert it, for example with gdalwarp -t_srs EPSG:32632 with the UTM zone of the place"

Vector = tuple[float, float]


@dataclass(frozen=True)
class System:
    """A coordinate system.

    Attributes
    ----------
    geographic : whether coordinates are longitude and latitude
    unit : meters per unit of projected coordinates, degrees per unit of geographic ones
    body : the ellipsoid
    projection : how coordinates are projected; None for geographic ones, and for a plane
    vertical : meters per unit of heights, below zero for depths; None where it is not stated
    code : of EPSG, or of Esri where EPSG has none; None where it is not known
    name : for people

    Raises
    ------
    ValueError : a unit that is none

    Examples
    --------
    >>> System.coded(2263).unit, System.coded(4326).geographic
    (0.30480060960121924, True)
    >>> [round(step, 3) for step in System.coded(3395).lengths((0.0, 8362698.55), (1.0, 0.0))]
    [0.501]
    """

    geographic: bool = False
    unit: float = 1.0
    body: Ellipsoid = WGS84
    projection: Projection | None = None
    vertical: float | None = None
    code: int | None = None
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        sizes = [self.unit, *([] if self.vertical is None else [abs(self.vertical)])]
        if not all(1e-9 < size < 1e9 for size in sizes):
            raise ValueError(f"its unit of {self.unit:g} is none")

    @classmethod
    def coded(cls, code: int) -> System:
        """Return the system with a code of EPSG, or of Esri.

        Raises ValueError for a code that is not known, and for geocentric coordinates.
        """
        return _coded(code)

    @property
    def epsg(self) -> int | None:
        """The code, where it is one of EPSG."""
        return self.code if self.code and self.code <= LARGEST_CODE else None

    @property
    def horizontal(self) -> System:
        """The system without its unit of heights."""
        return replace(self, vertical=None)

    def same_plane(self, other: System) -> bool:
        """Return whether two systems have the same coordinates, whatever their heights."""
        if self.code is not None and self.code == other.code:
            return True
        # A plane that no file names is one for all of them; a projection without a formula is not.
        return (self.projection is None or self.projection.is_known) and (
            (self.geographic, self.unit, self.body, self.projection)
            == (other.geographic, other.unit, other.body, other.projection)
        )

    @property
    def title(self) -> str:
        """The system, for people."""
        kind = "geographic" if self.geographic else "projected"
        authority = "EPSG" if self.epsg or self.code == 900913 else "ESRI"
        code = f", {authority}:{self.code}" if self.code else ""
        body = "" if self.body.name == "Earth" else f", {self.body.name}"
        return f"{kind}{code}{body}"

    def position(self, x: float, y: float) -> Vector | None:
        """Longitude and latitude in degrees of coordinates; None where they are not known.

        Raises ValueError for coordinates outside the projection.
        """
        if self.geographic:
            return x * self.unit, max(-90.0, min(90.0, y * self.unit))
        if self.projection is None or not self.projection.is_known:
            return None
        east, north = self.projection.inverse(self.body, x * self.unit, y * self.unit)
        return math.degrees(east), math.degrees(north)

    def lengths(self, at: Vector, *steps: Vector) -> list[float]:
        """Return the meters on the ground of steps at a place, given in coordinates.

        Raises ValueError for a projection that is not known, and for places outside it.
        """
        plain = [self.unit * math.hypot(*step) for step in steps]
        if self.geographic:
            return [self._measured(at, step) for step in steps]
        if self.projection is None or self.projection.method == TRUE:
            return plain
        if not self.projection.is_known:
            raise ValueError(f"its projection {self.projection.method} is not known: {REMEDY}")
        measured = [self._measured(at, step) for step in steps]
        if all(abs(a - b) <= TOLERANCE * b for a, b in zip(measured, plain, strict=True)):
            return plain
        return measured

    def _measured(self, at: Vector, step: Vector) -> float:
        """Measure a step through the body, over a short way along it."""
        unit = math.radians(self.unit) * self.body.radius if self.geographic else self.unit
        size = math.hypot(*step)
        reach = REACH * self.body.radius / unit / size
        web = self.projection is not None and self.projection.method == "webmerc"
        ground = self.body.sphere if web else self.body  # Web Mercator is true to a sphere alone
        ends: list[np.ndarray] = []
        for sign in (-0.5, 0.5):
            place = self.position(at[0] + sign * reach * step[0], at[1] + sign * reach * step[1])
            assert place is not None
            ends.append(ground.place(math.radians(place[0]), math.radians(place[1])))
        return float(np.linalg.norm(ends[1] - ends[0])) / reach


@cache
def _coded(code: int) -> System:
    if code in coded("compound"):
        across, up = map(int, coded("compound")[code])
        return replace(_coded(across), vertical=vertical_coded(up))
    if code in coded("geographic"):
        body, unit = coded("geographic")[code]
        return System(True, float(unit), _bodies()[int(body)], code=code)
    if code in coded("projected"):
        body, conversion, unit = coded("projected")[code]
        projection = _conversion(int(conversion))
        return System(False, float(unit), _bodies()[int(body)], projection, code=code)
    if code in coded("geocentric"):
        raise ValueError(f"its coordinates (EPSG:{code}) are geocentric: {REMEDY}")
    raise ValueError(f"its coordinate system EPSG:{code} is not known: {REMEDY}")


def vertical_coded(code: int) -> float:
    """Return the meters per unit of the heights of a vertical system, below zero for depths.

    Raises ValueError for a code that is not known.
    """
    if code not in coded("vertical"):
        if code in coded("geographic"):  # heights above the ellipsoid
            return 1.0
        raise ValueError(
            f"its vertical system EPSG:{code} is not known: state the unit of its heights, for "
            "example m or ft"
        )
    return float(coded("vertical")[code][0])


@cache
def _bodies() -> list[Ellipsoid]:
    return [Ellipsoid(*map(float, row)) for row in rows("ellipsoids")]


@cache
def _conversion(number: int) -> Projection:
    method, values = conversions()[number]
    return Projection(method, tuple(map(float, values)))
