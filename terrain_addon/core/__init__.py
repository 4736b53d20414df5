# SPDX-License-Identifier: GPL-3.0-or-later
"""The terrain generator without Blender: NumPy and the standard library only.

``Recipe -> evaluate(recipe, grid) -> Heightfield -> mesh | colors | images``
"""

from . import analysis, erosion, formats, hydrology, noise
from .analysis import realism
from .evaluation.cache import Cache
from .evaluation.evaluate import evaluate
from .evaluation.heightfield import Heightfield
from .layers.maps import Map
from .numerics.grid import Grid
from .numerics.progress import Cancelled
from .output.images.bake import Image, bake
from .output.images.settings import Bake
from .recipe import presets
from .recipe.palette import Palette, Region
from .recipe.recipe import Layer, Recipe, Water

__all__ = [
    "Bake",
    "Cache",
    "Cancelled",
    "Grid",
    "Heightfield",
    "Image",
    "Layer",
    "Map",
    "Palette",
    "Recipe",
    "Region",
    "Water",
    "analysis",
    "bake",
    "erosion",
    "evaluate",
    "formats",
    "hydrology",
    "noise",
    "presets",
    "realism",
]
