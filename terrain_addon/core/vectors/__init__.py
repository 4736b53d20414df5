# SPDX-License-Identifier: GPL-3.0-or-later
"""Vectors: roads, rivers, lakes and buildings from GeoJSON, GPX and OpenStreetMap files."""

from .classes import AREAS, BUILDINGS, KINDS, LAKES, LINES, RIVERS, ROADS, Kind, classified
from .features import AREA, LINE, Feature, Vectors
from .placing import Placed, placed, to_terrain
from .reading import SUFFIXES, read

__all__ = [
    "AREA",
    "AREAS",
    "BUILDINGS",
    "KINDS",
    "LAKES",
    "LINE",
    "LINES",
    "RIVERS",
    "ROADS",
    "SUFFIXES",
    "Feature",
    "Kind",
    "Placed",
    "Vectors",
    "classified",
    "placed",
    "read",
    "to_terrain",
]
