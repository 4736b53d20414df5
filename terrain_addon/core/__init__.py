# SPDX-License-Identifier: GPL-3.0-or-later
"""The terrain generator without Blender: NumPy and the standard library only.

``Recipe -> evaluate(recipe, grid) -> Heightfield -> mesh | colours | images``
"""

from . import colors, memory, noise, presets
from .bake_settings import Bake
from .cache import Cache
from .cancel import Cancel, LayerProgress, never, untold
from .coloring import Coloring, Weight as ShownWeight, colored, recolored
from .engine_code import (
    LANGUAGES as ENGINE_LANGUAGES,
    engine_code,
    left_out as left_out_of_engine_code,
    why_not as why_no_engine_code,
)
from .erosion.recent import forget as forget_erosion
from .errors import Cancelled, told
from .evaluate import Heightfield, evaluate
from .fields import FIELDS
from .files import check_place, replaced
from .grid import Grid
from .image_kinds import IMAGES, masks_of, why_no_noise
from .image_set import ImageSet
from .images import Image, bake, check as check_bake
from .layers import GENERATE, LAYERS, SHAPE, WHOLE, Kind, layer
from .maps import Map, gap_mark
from .masks import MASKS, Mask, mask
from .mesh import positions, topology, uvs
from .palette import BY_HEIGHT, MAX_REGIONS, Palette, Region
from .params import NOT_ZERO, Setting, Settings, param, settings_of
from .realism import (
    USUAL as REALISM_SAMPLES,
    Measure,
    measure as measure_realism,
    report as realism_report,
)
from .recipe import MAX_LAYERS, Layer, Recipe, Water
from .scaling import fitted, fitted_mask, scaled
from .showing import LAYER as SHOWN_LAYER, Legend, Shown
from .waters import InlandWater, WaterMesh, inland_water
from .work import Work

__all__ = [
    "BY_HEIGHT",
    "ENGINE_LANGUAGES",
    "FIELDS",
    "GENERATE",
    "IMAGES",
    "LAYERS",
    "MASKS",
    "MAX_LAYERS",
    "MAX_REGIONS",
    "NOT_ZERO",
    "REALISM_SAMPLES",
    "SHAPE",
    "SHOWN_LAYER",
    "WHOLE",
    "Bake",
    "Cache",
    "Cancel",
    "Cancelled",
    "Coloring",
    "Grid",
    "Heightfield",
    "Image",
    "ImageSet",
    "InlandWater",
    "Kind",
    "Layer",
    "LayerProgress",
    "Legend",
    "Map",
    "Mask",
    "Measure",
    "Palette",
    "Recipe",
    "Region",
    "Setting",
    "Settings",
    "Shown",
    "ShownWeight",
    "Water",
    "WaterMesh",
    "Work",
    "bake",
    "check_bake",
    "check_place",
    "colored",
    "colors",
    "engine_code",
    "evaluate",
    "fitted",
    "fitted_mask",
    "forget_erosion",
    "gap_mark",
    "inland_water",
    "layer",
    "left_out_of_engine_code",
    "mask",
    "masks_of",
    "measure_realism",
    "memory",
    "never",
    "noise",
    "param",
    "positions",
    "presets",
    "realism_report",
    "recolored",
    "replaced",
    "scaled",
    "settings_of",
    "told",
    "topology",
    "untold",
    "uvs",
    "why_no_engine_code",
    "why_no_noise",
]
