# SPDX-License-Identifier: GPL-3.0-or-later
"""The keys of a GeoTIFF file, which name its coordinate system.

Source: OGC 19-008r4, *GeoTIFF Standard 1.1*, 2019, section 7 and annexes B and C.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ...elevation.systems import (
    WGS84,
    Ellipsoid,
    Projection,
    System,
    angle_coded,
    length_coded,
    length_named,
    vertical_coded,
)
from ...elevation.systems.texts import system_in
from ...elevation.systems.wkt import projection_of
from .tags import GEO_DOUBLES, GEO_KEYS, GEO_TEXTS, Tags

MODEL_TYPE, RASTER_TYPE, CITATION = 1024, 1025, 1026
GEOGRAPHIC, GEOGRAPHIC_CITATION, ANGULAR_UNIT, ANGULAR_SIZE = 2048, 2049, 2054, 2055
DATUM, ELLIPSOID = 2050, 2056
MAJOR_AXIS, MINOR_AXIS, INVERSE_FLATTENING = 2057, 2058, 2059
PROJECTED, PROJECTED_CITATION, PROJECTION, METHOD, LINEAR_UNIT, LINEAR_SIZE = (
    3072, 3073, 3074, 3075, 3076, 3077
)  # fmt: skip
VERTICAL, VERTICAL_CITATION, VERTICAL_UNIT = 4096, 4097, 4099
USER_DEFINED = 32767
DEGREE, METER = 9102, 9001
OLD_VERTICAL = range(5001, 5200)
"""Vertical codes of GeoTIFF 1.0, by ellipsoid or by datum; their heights are in meters."""
METHODS = {
    1: "transverse_mercator", 3: "hotine_oblique_mercator", 7: "mercator",
    8: "lambert_conformal_conic", 9: "lambert_conformal_conic", 10: "lambert_azimuthal_equal_area",
    11: "albers", 14: "stereographic", 15: "polar_stereographic", 16: "oblique_stereographic",
    17: "equirectangular", 18: "cassini_soldner", 24: "sinusoidal", 26: "new_zealand_map_grid",
    27: "transverse_mercator", 28: "cylindrical_equal_area",
    9815: "hotine_oblique_mercator_azimuth_center", 9834: "cylindrical_equal_area",
}  # fmt: skip
"""Methods of ProjCoordTransGeoKey."""
PARAMETERS = {
    3078: "lat_1", 3079: "lat_2", 3080: "lon_0", 3081: "lat_0", 3082: "x_0", 3083: "y_0",
    3084: "lon_0", 3085: "lat_0", 3086: "x_0", 3087: "y_0", 3088: "lon_0", 3089: "lat_0",
    3090: "x_0", 3091: "y_0", 3092: "k_0", 3093: "k_0", 3094: "alpha", 3095: "lon_0",
    3096: "gamma",
}  # fmt: skip
"""Parameters as PROJ calls them."""
_ORIGIN = {"lon_0": 3080, "lat_0": 3081, "x_0": 3082, "y_0": 3083}
_CENTER = {"lon_0": 3088, "lat_0": 3089, "x_0": 3082, "y_0": 3083}
_CONE = {"lat_1": 3078, "lat_2": 3079}
WRITTEN = {
    "tmerc": (1, {**_ORIGIN, "k_0": 3092}),
    "merc": (7, {"lat_ts": 3078, "lon_0": 3080, "k_0": 3092, "x_0": 3082, "y_0": 3083}),
    "webmerc": (7, {"lon_0": 3080, "x_0": 3082, "y_0": 3083}),  # on a sphere
    "lcc": (8, {**_CONE, **_ORIGIN, "k_0": 3092}),
    "laea": (10, _CENTER),
    "aea": (11, {**_CONE, **_ORIGIN}),
    "stere": (15, {"lat_ts": 3081, "lon_0": 3095, "k_0": 3092, "x_0": 3082, "y_0": 3083}),
    "sterea": (16, {**_ORIGIN, "k_0": 3092}),
    "eqc": (17, {"lat_ts": 3078, "lat_0": 3089, "lon_0": 3088, "x_0": 3082, "y_0": 3083}),
    "sinu": (24, {"lon_0": 3088, "x_0": 3082, "y_0": 3083}),
    "cea": (28, {"lat_ts": 3078, "lon_0": 3080, "x_0": 3082, "y_0": 3083}),
}
"""Methods and keys of parameters of the projections that are written."""
ESRI_TEXT = "ESRI PE String = "
_BRACKETS = re.compile(r"\(([^()]{1,40})\)")
_LISTED = re.compile(r"(?:LUnits|Units)\s*=\s*([^|]{1,40})", re.IGNORECASE)


@dataclass(frozen=True)
class Keys:
    """Numbers and texts by key."""

    numbers: dict[int, float]
    texts: dict[int, str]

    @classmethod
    def of(cls, tags: Tags) -> Keys:
        """Read the keys of a file; those that point to nothing are left out."""
        values = tags.numbers.get(GEO_KEYS)
        doubles, letters = tags.doubles(GEO_DOUBLES), tags.texts.get(GEO_TEXTS, "")
        keys = cls({}, {})
        if values is None or values.size < 4:
            return keys
        count = min(int(values[3]), values.size // 4 - 1)
        for entry in values[4 : 4 + 4 * count].reshape(-1, 4):
            key, place, length, value = (int(one) for one in entry)
            if place == 0:
                keys.numbers[key] = value
            elif place == GEO_DOUBLES and value < doubles.size:
                keys.numbers[key] = float(doubles[value])
            elif place == GEO_TEXTS:
                keys.texts[key] = letters[value : value + length].rstrip("|\0 ")
        return keys

    def code(self, key: int) -> int:
        """Return a code; 0 for one that is missing, undefined or defined by the user."""
        value = self.numbers.get(key, 0)
        return int(value) if 0 < value < USER_DEFINED or value > USER_DEFINED else 0

    @property
    def is_point(self) -> bool:
        """Whether the coordinates of a pixel are those of its middle."""
        return self.numbers.get(RASTER_TYPE) == 2

    def system(self) -> tuple[System | None, tuple[str, ...]]:
        """Return the coordinate system, and notes; None for a file that names none.

        Raises ValueError for systems and units that are not known.
        """
        system, notes = self._horizontal()
        if system is not None:
            vertical = self._vertical()
            if vertical is not None:
                system = replace(system, vertical=vertical)
        return system, notes

    def _horizontal(self) -> tuple[System | None, tuple[str, ...]]:
        for key in (PROJECTED_CITATION, CITATION, GEOGRAPHIC_CITATION):
            text = self.texts.get(key, "")
            if ESRI_TEXT in text and not self.code(PROJECTED):
                return system_in(text.split(ESRI_TEXT, 1)[1]), ()
        geographic = self._is_geographic()
        if geographic is None:
            return None, ()
        return (self._of_globe(), ()) if geographic else self._of_plane()

    def _is_geographic(self) -> bool | None:
        """Return whether coordinates are longitude and latitude; None where the file does not
        say."""
        model = self.numbers.get(MODEL_TYPE)
        if model in (1, 2):
            return model == 2
        if model == 3:
            raise ValueError(
                "its coordinates are geocentric: convert it, for example with gdalwarp -t_srs"
            )
        plane = (PROJECTED, PROJECTION, METHOD, LINEAR_UNIT, LINEAR_SIZE)
        if any(key in self.numbers for key in plane):
            return False
        return True if GEOGRAPHIC in self.numbers or ANGULAR_UNIT in self.numbers else None

    def _of_globe(self) -> System:
        code = self.code(GEOGRAPHIC)
        system = System.coded(code) if code else System(geographic=True)
        unit = self._unit(ANGULAR_UNIT, ANGULAR_SIZE, "angles")
        body = self._body()
        return replace(
            system, unit=system.unit if unit is None or code else unit, body=body or system.body
        )

    def _of_plane(self) -> tuple[System, tuple[str, ...]]:
        code = self.code(PROJECTED)
        unit, notes = self._unit(LINEAR_UNIT, LINEAR_SIZE, "length"), ()
        if unit is None and not code:
            unit = self._cited_unit(PROJECTED_CITATION, CITATION)
            notes = (f"Coordinates in units of {unit:.7g} m, as its citation says.",) if unit else (
                "The file names no unit of length: meters assumed.",
            )  # fmt: skip
        if code:
            system = System.coded(code)
            return system if unit is None else replace(system, unit=unit), notes
        body = self._body() or (
            System.coded(self.code(GEOGRAPHIC)).body if self.code(GEOGRAPHIC) else WGS84
        )
        return System(False, unit or 1.0, body, self._projection(unit or 1.0)), notes

    def _body(self) -> Ellipsoid | None:
        """Return the ellipsoid that the file defines itself, or None."""
        major, minor, inverse = (
            self.numbers.get(key, 0.0) for key in (MAJOR_AXIS, MINOR_AXIS, INVERSE_FLATTENING)
        )
        if self.code(GEOGRAPHIC) or major <= 0:
            return None
        return Ellipsoid.of_axes(major, minor) if minor > 0 else Ellipsoid(major, inverse)

    def _projection(self, unit: float) -> Projection | None:
        """Return the projection that the keys define; None where they do not."""
        zone = self.code(PROJECTION)
        if 16001 <= zone <= 16060 or 16101 <= zone <= 16160:  # UTM, north and south
            return projection_of("transverse_mercator", {
                "lon_0": 6.0 * (zone % 100) - 183, "k_0": 0.9996, "x_0": 5e5,
                "y_0": 1e7 if zone > 16100 else 0.0,
            })  # fmt: skip
        code = self.code(METHOD)
        if not code:
            return None
        if code not in METHODS:
            return Projection(f"of GeoTIFF's method {code}")
        angle = angle_coded(self.code(ANGULAR_UNIT)) or 1.0
        values: dict[str, float] = {}
        for key, name in PARAMETERS.items():
            if key in self.numbers:
                size = unit if name in ("x_0", "y_0") else 1.0 if name == "k_0" else angle
                values[name] = self.numbers[key] * size
        return projection_of(METHODS[code], values)

    def _unit(self, code_key: int, size_key: int, kind: str) -> float | None:
        """Meters, or degrees, of the unit that the keys name; None where they name none."""
        code = int(self.numbers.get(code_key, 0))
        size = self.numbers.get(size_key, 0.0)
        if code == 0:
            return None
        known = (length_coded if kind == "length" else angle_coded)(code)
        if known is None and code == USER_DEFINED and size > 0:
            known = size if kind == "length" else size * 57.29577951308232
        if known is None:
            raise ValueError(
                f"its unit of {kind} {code} is not known: state the unit of its coordinates, for "
                "example m, ft or deg"
            )
        return known

    def _cited_unit(self, *keys: int) -> float | None:
        """Return the meters of a unit that a citation names in brackets, or in a list."""
        for key in keys:
            for pattern in (_LISTED, _BRACKETS):
                for text in reversed(pattern.findall(self.texts.get(key, ""))):
                    size = length_named(text)
                    if size:
                        return size
        return None

    def _vertical(self) -> float | None:
        """Return the meters per unit of heights, below zero for depths; None where the file names
        none."""
        code, unit = self.code(VERTICAL), int(self.numbers.get(VERTICAL_UNIT, 0))
        named = None
        if code and code not in OLD_VERTICAL:
            try:
                named = vertical_coded(code)
            except ValueError:
                if not unit:
                    raise
        size = length_coded(unit) if unit else None
        if unit and size is None:
            raise ValueError(
                f"its unit of heights {unit} is not known: state the unit, for example m or ft"
            )
        if size is not None:
            return -size if named is not None and named < 0 else size
        if named is None and (size := self._cited_unit(VERTICAL_CITATION)):
            return size
        return 1.0 if code in OLD_VERTICAL else named
