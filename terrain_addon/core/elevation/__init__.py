# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation models of real terrain: heights, spacing, georeference and voids."""

from .elevation import Elevation, Picture, Unread, check_count
from .facts import facts
from .georeference import DEGREES, METERS, Georeference, guessed
from .imagery import drape, drape_over
from .mosaic import join
from .origin import Lie, Origin, converted
from .reprojection import ZONE, reprojected, system_named
from .systems import (
    CommonSystem,
    Ellipsoid,
    Projection,
    System,
    common_system,
    length_named,
    meters_per_degree,
    system_in,
    utm_zone,
    wkt,
)
from .transforms import resampled, rotated, squared, turned
from .voids import fill_voids, without_marks

__all__ = [
    "DEGREES",
    "METERS",
    "ZONE",
    "CommonSystem",
    "Elevation",
    "Ellipsoid",
    "Georeference",
    "Lie",
    "Origin",
    "Picture",
    "Projection",
    "System",
    "Unread",
    "check_count",
    "common_system",
    "converted",
    "drape",
    "drape_over",
    "facts",
    "fill_voids",
    "guessed",
    "join",
    "length_named",
    "meters_per_degree",
    "reprojected",
    "resampled",
    "rotated",
    "squared",
    "system_in",
    "system_named",
    "turned",
    "utm_zone",
    "without_marks",
    "wkt",
]
