# SPDX-License-Identifier: GPL-3.0-or-later
"""The terrain generator as a library: NumPy and the standard library only, no Blender.

``Recipe -> evaluate(recipe, grid) -> Heightfield -> bake, formats.write, realism.measure``

The settings class of each kind of layer and mask is an attribute of this package:
``Layer.of(Erosion(), masks=(...))``.

Examples
--------
>>> from terrain_addon.core import FractalNoise, HeightMask, Layer, Recipe, Smooth, evaluate
>>> hills = Layer.of(FractalNoise(height=200.0, octaves=6))
>>> plains = Layer.of(Smooth(radius=50.0), masks=(HeightMask(high=0.0),))
>>> recipe = Recipe(seed=7, layers=(hills, plains))
>>> terrain = evaluate(recipe, recipe.grid(65))
>>> terrain.height.shape, terrain.fields["slope"].shape
((65, 65), (65, 65))
"""

from typing import Any

from . import analysis, elevation, erosion, formats, hydrology, noise, real_terrain, shapes
from .analysis import realism
from .analysis.habitat import Climate
from .evaluation.cache import Cache
from .evaluation.heightfield import Heightfield
from .evaluation.solution import Solution
from .evaluation.solving import solve
from .evaluation.solving_fields import solve_fields
from .evaluation.stack import evaluate
from .layers import LAYERS, MASKS
from .layers.maps import Map
from .numerics.grid import Grid
from .numerics.progress import Cancelled
from .output import checks
from .output.images.baking import Image, bake
from .output.images.settings import Bake
from .recipe import presets
from .recipe.imagery import Imagery
from .recipe.palette import Palette, Region
from .recipe.recipe import Layer, Recipe, Water
from .shapes import Shape

__all__ = [
    "Bake",
    "Cache",
    "Cancelled",
    "Climate",
    "Grid",
    "Heightfield",
    "Image",
    "Imagery",
    "Layer",
    "Map",
    "Palette",
    "Recipe",
    "Region",
    "Shape",
    "Solution",
    "Water",
    "analysis",
    "bake",
    "checks",
    "elevation",
    "erosion",
    "evaluate",
    "formats",
    "hydrology",
    "noise",
    "presets",
    "real_terrain",
    "realism",
    "shapes",
    "solve",
    "solve_fields",
]


def __getattr__(name: str) -> Any:
    """Return the settings class of a kind of layer or mask by its name, such as ``Erosion``."""
    for kind in (*LAYERS.values(), *MASKS.values()):
        if kind.__name__ == name:
            return kind
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *(kind.__name__ for kind in (*LAYERS.values(), *MASKS.values()))]
