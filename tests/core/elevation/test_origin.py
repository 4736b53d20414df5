# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrains lie about the origin of a scene as PROJ places them."""

import math

import numpy as np
import pyproj
import pytest

from terrain_addon.core.elevation import Georeference, Origin, System, converted

UTM = System.coded(32632)


def test_the_origin_is_the_center_in_meters_or_in_the_zone_of_the_place():
    meters = Georeference((5e5, 5e6), (1.0, 0.0), (0.0, 1.0), UTM)
    assert Origin.at(meters) == Origin(UTM, 5e5, 5e6)
    degrees = Georeference((9.0, 45.0), (1.3e-5, 0.0), (0.0, 0.9e-5), System.coded(4326))
    origin = Origin.at(degrees)
    assert origin.system.epsg == 32632
    x, y = pyproj.Proj(32632)(9.0, 45.0)
    assert (origin.x, origin.y) == pytest.approx((x, y), abs=1e-3)
    web = Georeference((1e6, 6e6), (1.46, 0.0), (0.0, 1.46), System.coded(3857))
    assert Origin.at(web).system.epsg == 32632


def test_a_tile_in_degrees_is_turned_and_scaled_and_its_miss_noted():
    origin = Origin(UTM, 3e5, 5.1e6)
    across, along = 1 / 77_000, 1 / 111_150
    place = Georeference((7.0, 46.0), (across, 0.0), (0.0, along), System.coded(4326))
    size = 77_000.0, 111_150.0
    lie = origin.lie(place, size)
    to_utm = pyproj.Proj(32632)
    x, y = np.array(
        [to_utm(*one) for one in [(7.0, 46.0), (6.5, 46.0), (7.5, 46.0), (7.5, 46.5)]]
    ).T
    assert lie.offset == pytest.approx((x[0] - 3e5, y[0] - 5.1e6), abs=1e-3)
    assert lie.angle == pytest.approx(math.atan2(y[2] - y[1], x[2] - x[1]), abs=1e-9)
    assert lie.scale[0] == pytest.approx(math.hypot(x[2] - x[1], y[2] - y[1]) / 77_000)
    corner = np.array([lie.scale[0] * 38_500, lie.scale[1] * 55_575])
    turn = np.array([[math.cos(lie.angle), -math.sin(lie.angle)],
                     [math.sin(lie.angle), math.cos(lie.angle)]])  # fmt: skip
    miss = np.linalg.norm(turn @ corner + [x[0], y[0]] - [x[3], y[3]])
    assert lie.off >= miss > 100


def test_the_antimeridian_is_no_gap():
    x, _ = converted(System.coded(32601), System.coded(4326), np.array([1.7e5, 1.6e5]),
                     np.array([1e5, 1e5]))  # fmt: skip
    assert abs(x[0] - x[1]) < 0.1 and x[0] < -179.9


def test_systems_are_the_same_by_their_coordinates_not_by_their_heights():
    assert UTM.same_plane(System(False, 1.0, UTM.body, UTM.projection, vertical=0.3048))
    assert not UTM.same_plane(System.coded(32633)) and not UTM.same_plane(System())
    assert not System.coded(27572).same_plane(System.coded(5514))
    assert System().same_plane(System(vertical=2.0)) and not System().same_plane(System(unit=2.0))
