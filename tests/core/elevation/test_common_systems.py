# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinates of the common systems become longitude and latitude, and back, as in PROJ."""

import numpy as np
import pyproj
import pytest

from terrain_addon.core.elevation.systems import System, common_system, system_in, utm_zone
from terrain_addon.core.elevation.systems.table import coded

MISTAKEN = (6996, 6997)
"""Codes whose scale of 1.000007 PROJ 9.5 takes for parts per million."""
MILLIMETER = 1e-3
DEGREE = 111_320.0
"""Meters, at the equator."""


def compared(code, longitude, latitude):
    """Meters that we are off at places, forward and back; they must be places of the system."""
    try:
        crs = pyproj.CRS.from_epsg(code)
    except pyproj.exceptions.CRSError:
        crs = pyproj.CRS.from_authority("ESRI", code)
    system = common_system(System.coded(code))
    steps = pyproj.Transformer.from_crs(crs.geodetic_crs, crs, always_xy=True)
    x, y = steps.transform(longitude, latitude)
    ours = system.from_lonlat(longitude, latitude)
    forward = system.system.unit * np.hypot(ours[0] - x, ours[1] - y)
    east, north = system.to_lonlat(x, y)
    east = (east - longitude + 180) % 360 - 180
    back = DEGREE * np.hypot(east * np.cos(np.radians(latitude)), north - latitude)
    return np.maximum(forward, back)


def places(west, south, east, north, count=9):
    """Longitudes and latitudes of a grid, whose east may lie beyond the antimeridian."""
    east += 360 * (east < west)
    across, up = np.linspace(west, east, count), np.linspace(south, north, count)
    longitude, latitude = (one.ravel() for one in np.meshgrid(across, up))
    return (longitude + 180) % 360 - 180, latitude


@pytest.mark.slow
def test_every_code_that_is_converted_agrees_with_proj_within_a_millimeter():
    count = 0
    for code in coded("projected"):
        try:
            system = common_system(System.coded(code))
        except ValueError:
            continue
        try:
            crs = pyproj.CRS.from_epsg(code)
        except pyproj.exceptions.CRSError:
            crs = pyproj.CRS.from_authority("ESRI", code)
        area = crs.area_of_use
        if code in MISTAKEN or code == 3752 or area is None:  # PROJ has no way to 3752
            continue
        south, north = max(area.south, -89.0), min(area.north, 89.0)
        assert compared(code, *places(area.west, south, area.east, north)).max() < MILLIMETER, code
        count += 1
    assert count > 2700 and system


@pytest.mark.parametrize("code", [32601, 32632, 32660, 32733, 32701, 26910, 25832, 3857, 3395, 4087,
                                  32662, 2193, 2180, 3006, 6344])  # fmt: skip
def test_a_whole_zone_and_its_surroundings_agree_with_proj(code):
    system = System.coded(code)
    middle = dict(system.projection.parameters)["lon_0"]
    reach = 12 if system.projection.method == "tmerc" else 179.9
    longitude, latitude = places(middle - reach, -85, middle + reach, 85, 41)
    assert compared(code, longitude, latitude).max() < MILLIMETER


@pytest.mark.parametrize("code", [32601, 32632, 32760, 3857, 3395, 4087, 4326])
def test_coordinates_come_back_within_a_micrometer(code):
    system = common_system(System.coded(code))
    method = system.system.projection
    middle = method.parameters["lon_0"] if method else 0.0
    reach = 30 if method and method.method == "tmerc" else 180
    longitude, latitude = places(middle - reach, -89, middle + reach, 89, 61)
    east, north = system.to_lonlat(*system.from_lonlat(longitude, latitude))
    across = ((east - longitude + 180) % 360 - 180) * np.cos(np.radians(latitude))
    assert DEGREE * np.hypot(across, north - latitude).max() < 1e-6


def test_both_sides_of_the_antimeridian_are_neighbors():
    for code in (32601, 32760):
        x, _ = common_system(System.coded(code)).from_lonlat([-179.999, 179.999], [10.0, 10.0])
        assert abs(x[0] - x[1]) < 250
    longitude, _ = common_system(System.coded(3832)).to_lonlat([3.4e6, 3.3e6], [0.0, 0.0])
    assert longitude[0] == pytest.approx(-179.46, abs=0.01) and longitude[1] > 179
    assert common_system(System.coded(4326)).turn == 360
    assert common_system(System.coded(3857)).turn == pytest.approx(40075016.6856)
    assert common_system(System.coded(32601)).turn is None


def test_what_has_no_coordinates_is_no_number():
    web, utm = common_system(System.coded(3857)), common_system(System.coded(32632))
    assert np.isnan(web.from_lonlat([0.0, 0.0, 0.0], [90.0, -90.0, 91.0])[1]).all()
    assert np.isnan(utm.from_lonlat([9 + 40.0, 9 - 120.0], [0.0, 80.0])).all()
    assert np.isnan(utm.to_lonlat([8e6, 5e5], [0.0, 1.1e7])).all()
    assert np.isnan(common_system(System.coded(4326)).to_lonlat(0.0, 90.5)[1])
    x, y = utm.from_lonlat([9.0, 45.0], [90.0, 90.0])  # the pole is a place of each zone
    assert x == pytest.approx(5e5) and y == pytest.approx(9997964.943, abs=1e-3)


def test_units_other_than_meters_and_degrees_are_those_of_the_coordinates():
    feet = common_system(system_in("+proj=utm +zone=32 +datum=WGS84 +units=ft"))
    meters = common_system(System.coded(32632))
    np.testing.assert_allclose(np.multiply(feet.from_lonlat(8.0, 47.0), 0.3048),
                               meters.from_lonlat(8.0, 47.0), rtol=1e-14)  # fmt: skip
    assert feet.to_lonlat(*feet.from_lonlat(8.0, 47.0)) == pytest.approx((8.0, 47.0), abs=1e-12)


@pytest.mark.parametrize(
    "code", [27700, 31467, 2056, 3035, 2154, 23032, 26710, 4267, 4230, 2048, 32232]
)
def test_other_systems_are_refused_with_what_to_do(code):
    with pytest.raises(ValueError, match=rf"{code}\) is not converted here: .* gdalwarp -t_srs"):
        common_system(System.coded(code))


def test_meters_of_a_plane_without_a_place_are_refused():
    with pytest.raises(ValueError, match="not converted here"):
        common_system(System())


def test_the_zone_of_a_place_is_that_of_proj():
    for longitude, latitude in [(7.6, 45.9), (-70.0, -32.6), (179.9, -44.0), (-180.0, 65.0)]:
        area = pyproj.aoi.AreaOfInterest(longitude, latitude, longitude, latitude)
        known = pyproj.database.query_utm_crs_info("WGS 84", area)
        assert str(utm_zone(longitude, latitude).code) in [one.code for one in known]
