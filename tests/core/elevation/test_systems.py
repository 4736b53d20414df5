# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinate systems agree with PROJ, code by code, and in every text that names them."""

import math
import re
import zlib

import numpy as np
import pyproj
import pytest
from pyproj.database import query_crs_info
from pyproj.enums import PJType, WktVersion
from pyproj.exceptions import CRSError, ProjError

from terrain_addon.core.elevation.systems import (
    TRUE,
    Projection,
    System,
    length_named,
    system_in,
    wkt,
)
from terrain_addon.core.elevation.systems.table import TABLE, coded, sections
from terrain_addon.core.elevation.systems.units import angle_named

US = 1200 / 3937
MISTAKEN = (6996, 6997)
"""Codes whose scale of 1.000007 PROJ 9.5 takes for parts per million."""
CLOSE = 1.1e-3
"""Share that lengths may be off, with what is not converted."""


def systems(kind, authorities=("EPSG", "ESRI")):
    """Systems of PROJ's database that are in the table, with their codes."""
    taken = {one.code for one in query_crs_info("EPSG", allow_deprecated=True)}
    for authority in authorities:
        for about in query_crs_info(authority, kind, allow_deprecated=True):
            if authority == "EPSG" or about.code not in taken:
                yield int(about.code), pyproj.CRS.from_authority(authority, about.code)


def ground(crs, x, y):
    """Meters on the ellipsoid of a meter along x and along y, by PROJ's factors, at degrees."""
    body = crs.ellipsoid
    e2 = (
        0.0
        if not body.inverse_flattening
        else 1 - (body.semi_minor_metre / body.semi_major_metre) ** 2
    )
    if "Pseudo" in crs.coordinate_operation.method_name:
        e2 = 0.0
    sine = math.sin(math.radians(y))
    prime = body.semi_major_metre / math.sqrt(1 - e2 * sine**2)
    along = prime * (1 - e2) / (1 - e2 * sine**2)
    found = pyproj.Proj(crs).get_factors(x, y)
    steps = np.array([[found.dx_dlam, found.dx_dphi], [found.dy_dlam, found.dy_dphi]])
    inverse = np.linalg.inv(steps * body.semi_major_metre)
    lengths = inverse * np.array([[prime * math.cos(math.radians(y))], [along]])
    return np.hypot(*lengths)


@pytest.mark.slow
def test_every_code_has_the_unit_the_body_and_the_stretch_of_proj():
    compared = 0
    for code, crs in systems(PJType.PROJECTED_CRS):
        system = System.coded(code)
        assert system.unit == pytest.approx(crs.axis_info[0].unit_conversion_factor, rel=1e-12), (
            code
        )
        assert system.body.radius == pytest.approx(crs.ellipsoid.semi_major_metre, rel=1e-9), code
        known = system.projection.is_known or system.projection.method == TRUE
        area = crs.area_of_use
        if not known or area is None:
            continue
        east = area.east + (360 if area.east < area.west else 0)
        x = (0.6 * area.west + 0.4 * east + 180) % 360 - 180
        y = 0.6 * area.south + 0.4 * area.north
        try:
            plane = pyproj.Proj(crs)
        except (CRSError, ProjError):
            continue
        if crs.prime_meridian.longitude or code in MISTAKEN:  # PROJ's factors leave it out
            continue
        at = plane(x, y)
        if not np.isfinite(at).all():  # Esri's area reaches beyond the projection
            continue
        lengths = system.lengths(at, (1.0, 0.0), (0.0, 1.0))
        expected = system.unit * ground(crs, x, y)
        np.testing.assert_allclose(lengths, expected, rtol=CLOSE, err_msg=str(code))
        compared += 1
    assert compared > 7400


@pytest.mark.slow
def test_every_code_of_degrees_and_of_heights_is_that_of_proj():
    for kind in (PJType.GEOGRAPHIC_2D_CRS, PJType.GEOGRAPHIC_3D_CRS):
        for code, crs in systems(kind):
            system = System.coded(code)
            unit = math.degrees(crs.axis_info[0].unit_conversion_factor)
            assert system.geographic and system.unit == pytest.approx(unit, rel=1e-9), code
            assert system.body.radius == pytest.approx(crs.ellipsoid.semi_major_metre), code
    for code, crs in systems(PJType.VERTICAL_CRS):
        axis = crs.axis_info[0]
        size = -1 if axis.direction == "down" else 1
        (factor,) = coded("vertical")[code]
        assert float(factor) == pytest.approx(size * axis.unit_conversion_factor)
    for code, crs in systems(PJType.COMPOUND_CRS):
        system, (plane, heights) = System.coded(code), crs.sub_crs_list
        axis = heights.axis_info[0]
        size = -1 if axis.direction == "down" else 1
        assert system.vertical == pytest.approx(size * axis.unit_conversion_factor), code
        assert system.horizontal == System.coded(int(plane.to_authority(min_confidence=0)[1])), code
    for code, _ in systems(PJType.GEOCENTRIC_CRS):
        with pytest.raises(ValueError, match="geocentric: convert it"):
            System.coded(code)


def test_units_have_the_sizes_that_proj_and_arcgis_give_them():
    for line in sections()["units"]:
        _, size, kind, *names = line.split(",")
        for name in names:
            found = (
                length_named(name) if kind == "length" else math.radians(angle_named(name) or 0.0)
            )
            assert found == pytest.approx(float(size), rel=1e-12), name
    for name, meters in {
        "ft": 0.3048, "feet": 0.3048, "international foot": 0.3048, "foot_us": US,
        "us-ft": US, "ftUS": US, "US_survey_foot": US, "US survey feet": US, "Foot_US": US,
        "metre": 1, "meters": 1, "Meter": 1, "m": 1, "cm": 0.01, "millimetres": 0.001, "km": 1000,
        "kilometer": 1000, "Foot_Clarke": 0.3047972654, "Yard_Indian": 0.9143985307444408,
        "Mile_US": 5280 * US, "Nautical_Mile": 1852, "inches": 0.0254, "Fathom": 1.8288,
        "Meter_German": 1.0000135965, "German legal metre": 1.0000135965, "Rod_US": 16.5 * US,
        "150_Kilometers": 150_000,
    }.items():  # fmt: skip
        assert length_named(name) == pytest.approx(meters, rel=1e-9), name
    assert length_named("league of Castile") is None and length_named("degree") is None


@pytest.mark.parametrize("code", [2263, 2056, 2225, 2277, 2925, 21781, 32118])
@pytest.mark.parametrize("version", ["WKT1_ESRI", "WKT1_GDAL", "WKT2_2019"])
def test_a_text_of_other_digits_is_the_plane_of_the_code(code, version):
    """Such as 40.1666666666667 degrees, and false eastings that are whole numbers of feet."""
    text = re.sub(r",(AUTHORITY|ID)\[[^]]*\]", "", pyproj.CRS(code).to_wkt(WktVersion(version)))
    found = system_in(text)
    assert found.code is None and found.projection == System.coded(code).projection


def test_a_projection_that_lies_elsewhere_is_another_one():
    here = Projection.of("tmerc", {"x_0": 5e5})
    assert Projection.of("tmerc", {"x_0": 5e5 + 4e-5}) == here
    assert Projection.of("tmerc", {"x_0": 5e5 + 1e-4}) != here


def test_the_table_is_text_that_packs_to_a_few_tens_of_kilobytes():
    data = TABLE.read_bytes()
    assert data.isascii() and len(zlib.compress(data, 9)) < 36_000


CODES = (2263, 2193, 3034, 3035, 3857, 3395, 4087, 3031, 3413, 5514, 27200, 28992, 2056, 3375, 6933,
         5070, 21781, 4326, 4807, 32733, 31467, 2154, 3832)  # fmt: skip


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("version", ["WKT1_GDAL", "WKT1_ESRI", "WKT2_2019", "WKT2_2015"])
def test_every_kind_of_text_says_what_the_code_says(code, version):
    crs, system = pyproj.CRS(code), System.coded(code)
    text = crs.to_wkt(WktVersion(version))
    found = system_in(text)
    assert found.geographic == system.geographic
    assert found.unit == pytest.approx(system.unit)
    assert found.body.radius == pytest.approx(system.body.radius)
    area = crs.area_of_use
    x, y = (area.west + area.east) / 2, (area.south + area.north) / 2 + 1
    at = (x, y) if system.geographic else pyproj.Proj(crs)(x, y)
    lengths = [one.lengths(at, (1.0, 0.0), (0.0, 1.0)) for one in (found, system)]
    np.testing.assert_allclose(*lengths, rtol=CLOSE)
    written = system_in(wkt(System(system.geographic, system.unit, system.body, system.projection)))
    np.testing.assert_allclose(written.lengths(at, (1.0, 0.0), (0.0, 1.0)), lengths[1], rtol=1e-5)


@pytest.mark.parametrize(
    ("text", "unit", "vertical"),
    [
        ("EPSG:2263", US, None),
        ("urn:ogc:def:crs:EPSG::6529", US, None),
        ("+proj=utm +zone=32 +datum=WGS84 +units=us-ft +vunits=ft", US, 0.3048),
        ("Projection STATEPLANE\nZunits FEET\nUnits FEET\nParameters\n", US, US),
        ("Projection UTM\nZone 32\nUnits METERS\nZunits NO\nParameters\n", 1, None),
        ('LOCAL_CS["x",UNIT["cm",0.01]]', 0.01, None),
        ('PROJCS["x",GEOGCS["y",UNIT["Degree",0.0174532925199433]],UNIT["Foot_US"]],'
         'VERTCS["d",VDATUM["z"],PARAMETER["Direction",-1.0],UNIT["Meter",1.0]]', US, -1),
        ('VERTCS["h",VDATUM["z"],UNIT["Foot",0.3048]],LOCAL_CS["x",UNIT["m",1]]', 1, 0.3048),
    ],
)  # fmt: skip
def test_texts_of_other_kinds_are_read(text, unit, vertical):
    system = system_in(text)
    assert system.unit == pytest.approx(unit)
    assert system.vertical == (None if vertical is None else pytest.approx(vertical))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "no well-known text"),
        ('PROJCS["x"', "cut off"),
        ('PROJCS["x",UNIT["cubit"]]', "unit of length 'cubit' is not known: state it"),
        ('PROJCS["x",GEOGCS["y"]]', "names no unit: state it"),
        ("EPSG:4978", "geocentric: convert it"),
        ("EPSG:1", "no well-known text"),
        ("EPSG:99999", "EPSG:99999 is not known: convert it"),
        ("+proj=robin", "projection robin is not known: convert it"),
        ("[" * 100, "no well-known text"),
    ],
)
def test_what_is_not_known_is_refused_with_what_to_do(text, message):
    with pytest.raises(ValueError, match=message):
        system_in(text)
