# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation models of real terrain: heights, spacing, georeference and voids."""

from .elevation import Elevation, check_count
from .georeference import Georeference, meters_per_degree
from .mosaic import join
from .transforms import resampled, rotated, squared, turned
from .voids import fill_voids, without_marks

__all__ = [
    "Elevation",
    "Georeference",
    "check_count",
    "fill_voids",
    "join",
    "meters_per_degree",
    "resampled",
    "rotated",
    "squared",
    "turned",
    "without_marks",
]
