# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes: lines and areas that terrain follows; exact distances, sides and winding numbers."""

from .areas import winding, winding_at
from .crossings import Crossings, crosses_itself, crossings
from .kept_clear import KeptClear
from .nearest import Nearest, nearest, nearest_at
from .regions import Boxes, HalfPlanes, Regions, samples_in
from .segments import Segments
from .shape import AREA, CLOSED, FACE, FRAME, LINE, OPEN, PLACE, Shape
from .spread import Spread, interpolated, weighted_means
from .thinning import thinned

__all__ = [
    "AREA",
    "CLOSED",
    "FACE",
    "FRAME",
    "LINE",
    "OPEN",
    "PLACE",
    "Boxes",
    "Crossings",
    "HalfPlanes",
    "KeptClear",
    "Nearest",
    "Regions",
    "Segments",
    "Shape",
    "Spread",
    "crosses_itself",
    "crossings",
    "interpolated",
    "nearest",
    "nearest_at",
    "samples_in",
    "thinned",
    "weighted_means",
    "winding",
    "winding_at",
]
