# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation models of real terrain: heights, spacing, georeference and voids."""

from .elevation import Elevation, Picture, check_count
from .facts import facts
from .georeference import DEGREES, METERS, Georeference, guessed
from .mosaic import join
from .systems import (
    CommonSystem,
    Ellipsoid,
    Projection,
    System,
    common_system,
    meters_per_degree,
    utm_zone,
)
from .transforms import resampled, rotated, squared, turned
from .voids import fill_voids, without_marks

__all__ = [
    "DEGREES",
    "METERS",
    "CommonSystem",
    "Elevation",
    "Ellipsoid",
    "Georeference",
    "Picture",
    "Projection",
    "System",
    "check_count",
    "common_system",
    "facts",
    "fill_voids",
    "guessed",
    "join",
    "meters_per_degree",
    "resampled",
    "rotated",
    "squared",
    "turned",
    "utm_zone",
    "without_marks",
]
