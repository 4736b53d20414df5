# SPDX-License-Identifier: GPL-3.0-or-later
"""Drape an image with coordinates, such as an aerial photograph, over a terrain."""

from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy.props import IntProperty, StringProperty
from numpy.typing import NDArray

from ...core import formats
from ...core.elevation import drape_over
from ...core.output.exports import georeference_of
from ..app.preferences import prepares_view
from ..app.registration import registered
from ..data import elevation_files
from ..live import rebuild
from ..materials import image_material
from ..mesh import imagery
from ..properties.recipe import read
from .add import show_image
from .base import OnTerrain, Result, reporting
from .file_browser import ImageBrowser

Floats = NDArray[np.float32]


@registered
class TERRAIN_OT_drape_image(OnTerrain, ImageBrowser):
    """Color the terrain by an image with a place: GeoTIFF, or JPEG and PNG with a world file"""

    bl_idname = "terrain.drape_image"
    bl_label = "Drape Image"

    filepath: StringProperty(name="File", description="A georeferenced image", subtype="FILE_PATH")
    resolution: IntProperty(
        name="Resolution",
        description="Pixels along the longer side. 0: those of the image, at most 4096",
        default=0,
        min=0,
        max=16384,
        options={"SKIP_SAVE"},
    )

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        recipe, path = read(terrain), self.chosen_file()
        lies = georeference_of(
            recipe, read=lambda source, _: elevation_files.model_of(source, mesh)
        )
        if lies is None:
            raise ValueError(
                "The terrain does not say where it lies: its layers have no elevation file with "
                "coordinates"
            )
        pixels = _pixels(path)
        place = formats.image_place(path, pixels.shape[1], pixels.shape[0])
        size = recipe.size_x, recipe.size_y
        out = drape_over(pixels, place, lies, size, self.resolution)
        image = _image(f"{path.stem} on {mesh.name}", out)
        whole = bool(out[..., 3].min() > 0.999)
        material = image_material.of(image, whole=whole)
        if mesh.materials:
            mesh.materials[0] = material
        else:
            mesh.materials.append(material)
        terrain.palette.image = image.name
        rebuild.request(mesh)  # of an image of the same name
        if whole and prepares_view(context):  # solid viewports would show nothing beside it
            show_image(context)
        self.report({"INFO"}, f"Draped as {image.name!r}, {out.shape[1]} x {out.shape[0]} pixels")
        return {"FINISHED"}


def _pixels(path: Path) -> Floats:
    """Return the colors of a file in sRGB, (rows, columns, 4), row 0 in the south.

    Raises ValueError for a file that Blender does not read.
    """
    try:
        image: Any = bpy.data.images.load(str(path), check_existing=False)
    except RuntimeError as error:
        raise ValueError(f"{path.name} is no image that Blender reads: {error}") from None
    try:
        if not image.size[0]:
            raise ValueError(f"{path.name} is no image that Blender reads: save it as PNG")
        return imagery.encoded_pixels(image)
    finally:
        bpy.data.images.remove(image)


def _image(name: str, pixels: Floats) -> bpy.types.Image:
    """Return a packed image of the file, which replaces one of the same name."""
    old = bpy.data.images.get(name)
    rows, columns, _ = pixels.shape
    image: Any = bpy.data.images.new(name, columns, rows, alpha=True)
    image.pixels.foreach_set(np.ascontiguousarray(pixels).ravel())
    image.update()
    image.pack()
    if old:
        old.user_remap(image)
        bpy.data.images.remove(old)
        image.name = name
    return image
