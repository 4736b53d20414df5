# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinate systems: units, bodies and projections, by codes and by the texts of files."""

from .common import CommonSystem, common_system, utm_zone
from .ellipsoid import WGS84, Ellipsoid, meters_per_degree
from .projections import METHODS, TRUE, Projection
from .system import System, vertical_coded
from .texts import system_in
from .units import angle_coded, angle_named, length_coded, length_named, name_of_length
from .writing import wkt

__all__ = [
    "METHODS",
    "TRUE",
    "WGS84",
    "CommonSystem",
    "Ellipsoid",
    "Projection",
    "System",
    "angle_coded",
    "angle_named",
    "common_system",
    "length_coded",
    "length_named",
    "meters_per_degree",
    "name_of_length",
    "system_in",
    "utm_zone",
    "vertical_coded",
    "wkt",
]
