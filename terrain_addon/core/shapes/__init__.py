# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes: lines and areas that terrain follows; exact distances, sides and winding numbers."""

from .areas import winding, winding_at
from .nearest import Nearest, nearest, nearest_at
from .regions import Boxes, HalfPlanes, Regions, samples_in
from .segments import Segments
from .shape import CLOSED, FACE, OPEN, Shape

__all__ = [
    "CLOSED",
    "FACE",
    "OPEN",
    "Boxes",
    "HalfPlanes",
    "Nearest",
    "Regions",
    "Segments",
    "Shape",
    "nearest",
    "nearest_at",
    "samples_in",
    "winding",
    "winding_at",
]
