# SPDX-License-Identifier: GPL-3.0-or-later
"""Output: a heightfield as colors, mesh, water, images, pictures and code for engines."""

from ..formats.png import write_png
from . import engine_code
from .bridge_meshes import bridge_mesh
from .coloring import Coloring, evaluate_colored, recolored
from .images.baking import check as check_bake
from .images.files import ImageFile, ImageLayer, begin_file, check_image_file, write_image
from .images.image_set import ImageSet
from .images.kinds import IMAGES, fields_of, why_no_noise
from .images.streaming import ImageRows, stream as stream_image
from .mask_view import LAYER_MASKS, Legend, MaskView
from .mesh import positions, topology, uvs
from .pictures.block import terrain_picture
from .pictures.overview import ProfileLine, overview
from .pictures.palettes import palette_picture
from .pictures.shaded_relief import shaded_relief
from .water_meshes import InlandWater, WaterMesh, inland_water
from .window_colors import colored_window, window_fields

__all__ = [
    "IMAGES",
    "LAYER_MASKS",
    "Coloring",
    "ImageFile",
    "ImageLayer",
    "ImageRows",
    "ImageSet",
    "InlandWater",
    "Legend",
    "MaskView",
    "ProfileLine",
    "WaterMesh",
    "begin_file",
    "bridge_mesh",
    "check_bake",
    "check_image_file",
    "colored_window",
    "engine_code",
    "evaluate_colored",
    "fields_of",
    "inland_water",
    "overview",
    "palette_picture",
    "positions",
    "recolored",
    "shaded_relief",
    "stream_image",
    "terrain_picture",
    "topology",
    "uvs",
    "why_no_noise",
    "window_fields",
    "write_image",
    "write_png",
]
