# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinate systems in any text that files hold: codes, well-known text, PROJ, old ArcInfo."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from .ellipsoid import WGS84, Ellipsoid
from .projections import METHODS, TRUE, Projection
from .system import REMEDY, System
from .units import SURVEY_FOOT, length_named
from .wkt import projection_of, system_of

_CODE = re.compile(
    r"^\s*(?:urn:ogc:def:crs:)?(?:EPSG|ESRI):+(?:[\d.]*:)?(\d{4,6})\s*$", re.IGNORECASE
)
_OLD = re.compile(r"^\s*projection\s+(\w+)", re.IGNORECASE | re.MULTILINE)


def system_in(text: str) -> System:
    """Return the coordinate system of a text.

    Raises ValueError for a text of another kind, and for units that are not known.

    Examples
    --------
    >>> system_in("EPSG:2263").unit
    0.30480060960121924
    >>> system_in("Projection GEOGRAPHIC\\nUnits DD\\nZunits FEET").vertical
    0.3048006096012192
    """
    code = _CODE.match(text)
    if code:
        return System.coded(int(code[1]))
    if text.lstrip().startswith("+"):
        return _of_proj(text)
    old = _OLD.search(text)
    if old:
        return _of_arcinfo(old[1].upper(), text)
    return system_of(text)


def _of_proj(text: str) -> System:
    """Return the system of a PROJ string."""
    words = (word.lstrip("+").partition("=") for word in text.split() if word.startswith("+"))
    given = {name: value for name, _, value in words}
    unit = _proj_unit(given, "units", "to_meter")
    vertical = _proj_unit(given, "vunits", "vto_meter")
    body = _proj_body(given)
    name = given.get("proj", "")
    if name in ("longlat", "latlong", "lonlat", "latlon"):
        return System(geographic=True, body=body, vertical=vertical)
    numbers = {key: _float(value) for key, value in given.items() if key in _PROJ_NUMBERS}
    numbers["k_0"] = numbers.pop("k", numbers.get("k_0", 1.0))
    if name == "utm":
        numbers |= {"lon_0": 6 * _float(given.get("zone", "")) - 183, "k_0": 0.9996, "x_0": 5e5}
        name = "tmerc"
    if name == "merc" and ("nadgrids" in given or not body.flattening):
        name = "webmerc"
    if name not in METHODS:
        raise ValueError(f"its projection {name[:40]} is not known: {REMEDY}")
    names = {"stere": "polar_stereographic", "merc": "mercator", "lcc": "lambert_conformal_conic"}
    if name in names:
        projection = projection_of(names[name], numbers)
    else:
        projection = Projection.of(name, numbers)
    return System(False, 1.0 if unit is None else unit, body, projection, vertical)


_PROJ_NUMBERS = frozenset(("lat_0", "lon_0", "lat_1", "lat_2", "lat_ts", "k", "k_0", "x_0", "y_0",
                           "alpha", "gamma"))  # fmt: skip


def _proj_unit(given: Mapping[str, str], name: str, factor: str) -> float | None:
    if factor in given:
        return _float(given[factor])
    if name not in given:
        return None
    size = length_named(given[name])
    if size is None:
        raise ValueError(f"its unit {given[name][:40]!r} is not known: state it, such as m or ft")
    return size


def _proj_body(given: Mapping[str, str]) -> Ellipsoid:
    if "R" in given:
        return Ellipsoid(_float(given["R"]))
    if "a" not in given:
        return WGS84
    radius = _float(given["a"])
    if "b" in given:
        return Ellipsoid.of_axes(radius, _float(given["b"]))
    return Ellipsoid(radius, _float(given.get("rf", "0")))


def _of_arcinfo(name: str, text: str) -> System:
    """Return the system of a .prj file of old ArcInfo: a word and its value a line."""
    lines = [line.split("/*")[0].split() for line in text.splitlines()]
    given = {words[0].lower(): words[1] for words in lines if len(words) > 1 and words[0].isalpha()}
    vertical = _arcinfo_unit(given.get("zunits", "NO"))
    unit = given.get("units", "METERS").upper()
    if name == "GEOGRAPHIC" or unit in ("DD", "DS", "DM"):
        sizes = {"DD": 1.0, "DM": 1 / 60, "DS": 1 / 3600}
        size = sizes.get(unit, 1.0)
        return System(True, size, vertical=vertical)
    projection = _arcinfo_projection(name, given, lines)
    size = _arcinfo_unit(unit)
    if size is None:
        raise ValueError("its .prj file names no unit: state it, such as m or us-ft")
    return replace(System(False, size, WGS84, projection), vertical=vertical)


def _arcinfo_unit(name: str) -> float | None:
    """Return the meters of a unit of ArcInfo, whose feet are those of the US survey."""
    if name.upper() == "NO":
        return None
    if name.upper() in ("FEET", "FOOT"):
        return SURVEY_FOOT
    try:
        return 1 / float(name)  # units in a meter
    except (ValueError, ZeroDivisionError):
        size = length_named(name)
    if size is None:
        raise ValueError(f"its unit {name[:40]!r} is not known: state it, such as m or us-ft")
    return size


def _arcinfo_projection(name: str, given: Mapping[str, str], lines: list[list[str]]) -> Projection:
    """Return the projection; its parameters follow a line of their own, angles in degrees, minutes
    and seconds."""
    if name in ("STATEPLANE", "LOCAL", "NONE"):
        return Projection(TRUE)
    if name == "UTM":
        zone = _float(given.get("zone", "nan"))
        return projection_of("transverse_mercator", {
            "lon_0": 6 * abs(zone) - 183, "k_0": 0.9996, "x_0": 5e5,
            "y_0": 1e7 if zone < 0 or ("yshift" in given and _float(given["yshift"]) < 0) else 0.0,
        })  # fmt: skip
    start = next(
        (i for i, words in enumerate(lines) if words and words[0].lower() == "parameters"), -1
    )
    rows = [[_float(word) for word in words] for words in lines[start + 1 :] if words]
    values = [_angle(row) if len(row) == 3 else row[0] for row in rows if len(row) in (1, 3)]
    fields = _ARCINFO.get(name)
    if fields is None or len(values) < len(fields[1]):
        raise ValueError(f"its projection {name[:40]} is not known: {REMEDY}")
    return projection_of(fields[0], dict(zip(fields[1], values, strict=False)))


_ARCINFO = {
    "ALBERS": ("albers", ("lat_1", "lat_2", "lon_0", "lat_0", "x_0", "y_0")),
    "LAMBERT": ("lambert_conformal_conic", ("lat_1", "lat_2", "lon_0", "lat_0", "x_0", "y_0")),
    "MERCATOR": ("mercator", ("lon_0", "lat_ts", "x_0", "y_0")),
    "POLAR": ("polar_stereographic", ("lon_0", "lat_ts", "x_0", "y_0")),
    "TRANSVERSE": ("transverse_mercator", ("k_0", "lon_0", "lat_0", "x_0", "y_0")),
    "LAMBERT_AZIMUTHAL": (
        "lambert_azimuthal_equal_area", ("radius", "lon_0", "lat_0", "x_0", "y_0")
    ),
    "EQUIRECTANGULAR": ("equirectangular", ("radius", "lon_0", "lat_ts", "x_0", "y_0")),
    "SINUSOIDAL": ("sinusoidal", ("radius", "lon_0", "x_0", "y_0")),
}  # fmt: skip


def _angle(row: list[float]) -> float:
    degrees, minutes, seconds = row
    size = abs(degrees) + abs(minutes) / 60 + abs(seconds) / 3600
    return -size if min(row) < 0 else size


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"its coordinate system has {text[:40]!r} in place of a number") from None
