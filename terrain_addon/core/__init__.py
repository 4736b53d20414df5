# SPDX-License-Identifier: GPL-3.0-or-later
"""The terrain generator without Blender: NumPy and the standard library only.

``Recipe -> evaluate(recipe, grid) -> Heightfield -> mesh | colours | images``
"""

from . import presets
from .errors import Cancelled
from .evaluate import Cache, Heightfield, evaluate
from .grid import Grid
from .layers import GENERATE, LAYERS, SHAPE, Kind, layer
from .masks import MASKS, Mask, mask
from .mesh import positions, topology, uvs
from .palette import Palette, Region
from .params import Setting, Settings, param, settings_of
from .recipe import MAX_LAYERS, Layer, Recipe, Water
from .work import Work

__all__ = [
    "GENERATE",
    "LAYERS",
    "MASKS",
    "MAX_LAYERS",
    "SHAPE",
    "Cache",
    "Cancelled",
    "Grid",
    "Heightfield",
    "Kind",
    "Layer",
    "Mask",
    "Palette",
    "Recipe",
    "Region",
    "Setting",
    "Settings",
    "Water",
    "Work",
    "evaluate",
    "layer",
    "mask",
    "param",
    "positions",
    "presets",
    "settings_of",
    "topology",
    "uvs",
]
