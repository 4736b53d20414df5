# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinate systems written as well-known text, version 1, as GDAL reads it."""

from __future__ import annotations

import math

from .projections import ANGLES
from .system import System
from .units import name_of_length

NAMES = {
    "merc": "Mercator_1SP", "webmerc": "Mercator_1SP", "eqc": "Equirectangular",
    "tmerc": "Transverse_Mercator", "lcc": "Lambert_Conformal_Conic_2SP",
    "stere": "Polar_Stereographic", "sterea": "Oblique_Stereographic",
    "aea": "Albers_Conic_Equal_Area", "laea": "Lambert_Azimuthal_Equal_Area",
    "cea": "Cylindrical_Equal_Area", "sinu": "Sinusoidal",
    "omerc": "Hotine_Oblique_Mercator",
}  # fmt: skip
PARAMETERS = {
    "lat_0": "latitude_of_origin", "lon_0": "central_meridian", "lat_1": "standard_parallel_1",
    "lat_2": "standard_parallel_2", "lat_ts": "standard_parallel_1", "k_0": "scale_factor",
    "alpha": "azimuth", "gamma": "rectified_grid_angle", "x_0": "false_easting",
    "y_0": "false_northing",
}  # fmt: skip
CENTERED = ("aea", "laea", "omerc")
"""Methods whose origin GDAL calls their center."""


def wkt(system: System) -> str:
    """Return the well-known text of a system, or its code, which says as much."""
    usual = System.coded(system.epsg) if system.epsg else None
    if usual is not None and usual.unit == system.unit:
        return f"EPSG:{system.epsg}"
    name = system.name or (f"EPSG:{system.code}" if system.code else "unknown")
    unit = f'UNIT["{_unit(system)}",{system.unit!r}]'
    if system.geographic:
        return _geographic(system, name, _code(system))
    if system.projection is None:
        return f'LOCAL_CS["{_plain(name)}",{unit}{_code(system)}]'
    base = _geographic(System(geographic=True, body=system.body), "unknown", "")
    parts = [f'"{_plain(name)}"', base, *_projection(system), unit]
    return f"PROJCS[{','.join(parts)}{_code(system)}]"


def _unit(system: System) -> str:
    return "metre" if system.unit == 1 else name_of_length(system.unit)


def _code(system: System) -> str:
    if not system.code:
        return ""
    return f',AUTHORITY["{"EPSG" if system.epsg else "ESRI"}","{system.code}"]'


def _plain(name: str) -> str:
    return name.replace('"', "'")


def _geographic(system: System, name: str, code: str) -> str:
    body = system.body
    shape = f'SPHEROID["{body.name}",{body.radius!r},{body.inverse_flattening!r}]'
    return (
        f'GEOGCS["{_plain(name)}",DATUM["{body.name}",{shape}],PRIMEM["Greenwich",0],'
        f'UNIT["degree",{math.radians(system.unit)!r}]{code}]'
    )


def _projection(system: System) -> list[str]:
    """Return the method and its parameters; the code says the rest where there is no formula."""
    projection = system.projection
    assert projection is not None
    if not projection.is_known:
        return [f'PROJECTION["{_plain(projection.method)}"]']
    method, values = projection.method, dict(projection.parameters)
    name = NAMES[method]
    if method == "webmerc":
        name = "Mercator_Auxiliary_Sphere"
    if method == "merc" and values["lat_ts"]:
        name = "Mercator_2SP"
    if method == "lcc" and values["lat_1"] == values["lat_2"]:
        name = "Lambert_Conformal_Conic_1SP"
    if method == "omerc" and values.pop("center"):
        name += "_Azimuth_Center"
    if method == "stere" and abs(values["lat_ts"]) < 90:
        values["lat_0"] = values["lat_ts"]
    if method == "stere":
        del values["lat_ts"]
    values.pop("center", None)
    made = [f'PROJECTION["{name}"]']
    for key, value in values.items():
        title = PARAMETERS[key]
        if method in CENTERED and key in ("lat_0", "lon_0"):
            title = "latitude_of_center" if key == "lat_0" else "longitude_of_center"
        size = value if key in (*ANGLES, "k_0") else value / system.unit
        made.append(f'PARAMETER["{title}",{size!r}]')
    return made
