# SPDX-License-Identifier: GPL-3.0-or-later
"""The terrain generator without Blender: NumPy and the standard library only.

``Recipe -> evaluate(recipe, grid) -> Heightfield -> mesh | colours | images``
"""

from . import formats, noise
from .analysis.fields import FIELDS
from .analysis.realism import (
    USUAL as REALISM_SAMPLES,
    Measure,
    measure as measure_realism,
    report as realism_report,
)
from .erosion.surface.cache import forget as forget_erosion
from .evaluation import memory
from .evaluation.cache import Cache
from .evaluation.evaluate import evaluate
from .evaluation.heightfield import Heightfield
from .layers import GENERATE, LAYERS, SHAPE, WHOLE, LayerKind, layer
from .layers.context import LayerContext
from .layers.maps import Map, gap_mark
from .layers.masks import MASKS, Mask, mask
from .numerics import srgb as colors
from .numerics.grid import Grid
from .numerics.progress import (
    Cancel,
    Cancelled,
    LayerProgress,
    never_cancelled,
    no_progress,
    user_message,
)
from .output.coloring import Coloring, Weight as ShownWeight, colored, recolored
from .output.engine_code import (
    LANGUAGES as ENGINE_LANGUAGES,
    engine_code,
    left_out as left_out_of_engine_code,
    why_not as why_no_engine_code,
)
from .output.images.bake import Image, bake, check as check_bake
from .output.images.image_set import ImageSet
from .output.images.kinds import IMAGES, masks_of, why_no_noise
from .output.images.settings import Bake
from .output.mask_view import LAYER as SHOWN_LAYER, Legend, Shown
from .output.mesh import positions, topology, uvs
from .output.water_meshes import InlandWater, WaterMesh, inland_water
from .recipe import presets
from .recipe.palette import BY_HEIGHT, MAX_REGIONS, Palette, Region
from .recipe.recipe import MAX_LAYERS, Layer, Recipe, Water
from .recipe.rescaling import default_mask_for, default_settings_for, rescale
from .settings.atomic_files import check_place, replaced
from .settings.params import NOT_ZERO, Setting, Settings, param, settings_of

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
    "Layer",
    "LayerContext",
    "LayerKind",
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
    "bake",
    "check_bake",
    "check_place",
    "colored",
    "colors",
    "default_mask_for",
    "default_settings_for",
    "engine_code",
    "evaluate",
    "forget_erosion",
    "formats",
    "gap_mark",
    "inland_water",
    "layer",
    "left_out_of_engine_code",
    "mask",
    "masks_of",
    "measure_realism",
    "memory",
    "never_cancelled",
    "no_progress",
    "noise",
    "param",
    "positions",
    "presets",
    "realism_report",
    "recolored",
    "replaced",
    "rescale",
    "settings_of",
    "topology",
    "user_message",
    "uvs",
    "why_no_engine_code",
    "why_no_noise",
]
