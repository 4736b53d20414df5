# SPDX-License-Identifier: GPL-3.0-or-later
"""Contours: lines of equal height, with labels, as GeoJSON and as SVG."""

from .geojson import geojson
from .labels import Label, labels
from .lines import Contour, contours, lines_at
from .settings import ContourSettings
from .svg import svg

__all__ = [
    "Contour",
    "ContourSettings",
    "Label",
    "contours",
    "geojson",
    "labels",
    "lines_at",
    "svg",
]
