# SPDX-License-Identifier: GPL-3.0-or-later
"""The terrain generator without Blender: NumPy and the standard library only.

``Recipe -> evaluate(recipe, grid) -> Heightfield -> mesh | colours | images``
"""

from . import presets
from .errors import Cancelled
from .evaluate import Cache, Heightfield, evaluate
from .grid import Grid
from .recipe import Layer, Recipe, Water

__all__ = [
    "Cache",
    "Cancelled",
    "Grid",
    "Heightfield",
    "Layer",
    "Recipe",
    "Water",
    "evaluate",
    "presets",
]
