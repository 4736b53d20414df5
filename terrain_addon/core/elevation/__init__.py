# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation models of real terrain: heights, spacing, georeference and voids."""

from .elevation import Elevation, Picture, check_count
from .facts import facts
from .georeference import Georeference, meters_per_degree, seem_degrees
from .mosaic import join
from .transforms import resampled, rotated, squared, turned
from .voids import fill_voids, without_marks

__all__ = [
    "Elevation",
    "Georeference",
    "Picture",
    "check_count",
    "facts",
    "fill_voids",
    "join",
    "meters_per_degree",
    "resampled",
    "rotated",
    "seem_degrees",
    "squared",
    "turned",
    "without_marks",
]
