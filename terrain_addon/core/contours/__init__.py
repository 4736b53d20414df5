# SPDX-License-Identifier: GPL-3.0-or-later
"""Contours: lines of equal height, with labels, as GeoJSON and as SVG."""

from .drawing import svg
from .labeling import Label, labels
from .lines import Contour, contours, lines_at
from .map_file import geojson
from .settings import ContourSettings

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
