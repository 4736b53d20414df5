# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation models of real terrain: heights, spacing, georeference and voids."""

from .elevation import Elevation, Picture, Unread, check_count
from .facts import facts
from .georeference import DEGREES, METERS, Georeference, guessed
from .mosaic import join
from .systems import Ellipsoid, Projection, System, length_named, meters_per_degree, system_in
from .transforms import resampled, rotated, squared, turned
from .voids import fill_voids, without_marks

__all__ = [
    "DEGREES",
    "METERS",
    "Elevation",
    "Ellipsoid",
    "Georeference",
    "Picture",
    "Projection",
    "System",
    "Unread",
    "check_count",
    "facts",
    "fill_voids",
    "guessed",
    "join",
    "length_named",
    "meters_per_degree",
    "resampled",
    "rotated",
    "squared",
    "system_in",
    "turned",
    "without_marks",
]
