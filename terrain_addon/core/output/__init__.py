# SPDX-License-Identifier: GPL-3.0-or-later
"""What is made of a heightfield: colors, meshes, images, code."""

from . import engine_code
from .coloring import Coloring, Weight as ShownWeight, colored, recolored
from .images.baking import check as check_bake
from .images.image_set import ImageSet
from .images.kinds import IMAGES, masks_of, why_no_noise
from .mask_view import LAYER as SHOWN_LAYER, Legend, Shown
from .mesh import positions, topology, uvs
from .water_meshes import InlandWater, WaterMesh, inland_water

__all__ = [
    "IMAGES",
    "SHOWN_LAYER",
    "Coloring",
    "ImageSet",
    "InlandWater",
    "Legend",
    "Shown",
    "ShownWeight",
    "WaterMesh",
    "check_bake",
    "colored",
    "engine_code",
    "inland_water",
    "masks_of",
    "positions",
    "recolored",
    "topology",
    "uvs",
    "why_no_noise",
]
