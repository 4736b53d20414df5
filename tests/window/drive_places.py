# SPDX-License-Identifier: GPL-3.0-or-later
"""Add two neighboring elevation files and an aerial image by mouse; read out the 3D cursor."""

from pathlib import Path
from typing import Any

import bpy
import numpy as np

SIZE, STEP = 129, 10.0
PLACE = 206
"""Pixels from the top of the sidebar with all panels closed to the header of Place."""


def files(ui, folder):
    """Write two files of one landscape, and an image of both."""
    formats, elevation = ui.module("core.formats"), ui.module("core.elevation")
    j, i = np.mgrid[:SIZE, : 2 * SIZE - 1]
    ground = 200 + 120 * np.sin(i / 31) * np.cos(j / 23) + 40 * np.sin(i / 9 + j / 7)
    ground = ground.astype(np.float32)
    for name, first in (("west", 0), ("east", SIZE - 1)):
        corner = 500_000 + first * STEP, 5e6
        system = elevation.System.coded(32632)
        place = elevation.Georeference(corner, (STEP, 0.0), (0.0, STEP), system)
        part = np.ascontiguousarray(ground[:, first : first + SIZE])
        rows = formats.HeightRows(part.shape, [part], range=(0.0, 400.0), georeference=place)
        formats.write(folder / f"{name}.tif", rows)
    _picture(folder, ground)


def _picture(folder, ground):
    """Write fields in the colors of crops, with a world file."""
    rows, columns = ground.shape
    j, i = np.mgrid[: 2 * rows, : 2 * columns]
    field = np.random.default_rng(1).random((40, 40, 3)) * [0.3, 0.3, 0.1] + [0.3, 0.4, 0.15]
    colors = np.ones((*j.shape, 4), np.float32)
    colors[..., :3] = field[j // 16, i // 16]
    colors[np.abs(i - 40 - j // 2) < 3, :3] = 0.75
    image = bpy.data.images.new("aerial", j.shape[1], j.shape[0])
    pixels: Any = image.pixels
    pixels.foreach_set(colors.ravel())
    image.filepath_raw, image.file_format = str(folder / "aerial.png"), "PNG"
    image.save()
    bpy.data.images.remove(image)
    half = STEP / 2
    top = 5e6 + (2 * rows - 1) * half - half / 2
    world = f"{half}\n0\n0\n-{half}\n{500_000 - half / 2}\n{top}\n"
    (folder / "aerial.pgw").write_text(world)
    (folder / "aerial.prj").write_text("EPSG:32632")


def chosen(ui, operator, name, shot):
    """Choose a file for an operator in the file browser."""
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        getattr(bpy.ops.terrain, operator)("INVOKE_DEFAULT")
    yield 1.0
    yield from ui.choose_file(name, shot)


def drive(ui):
    bpy.context.preferences.view.filebrowser_display_type = "SCREEN"
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    files(ui, Path(ui.out))
    for name in ("west.tif", "east.tif"):
        yield from chosen(ui, "add_elevation", name, f"places-{name[:4]}")
    west, east = bpy.data.objects["west"], bpy.data.objects["east"]
    assert abs(east.location.x - west.location.x - 1280) < 0.01, east.location
    for item in (west, east):
        ui.activate(item.name)
        yield from chosen(ui, "drape_image", "aerial.png", f"places-image-{item.name}")
        assert "aerial" in item.data.materials[0].name, item.data.materials[0]
    assert ui.view3d().spaces.active.shading.color_type == "TEXTURE"
    scene = bpy.context.scene
    scene.cursor.location = 900.0, 100.0, 250.0
    yield from ui.open_tab("Terrain")
    for down in (13, 38, PLACE):  # close Terrain and Layers, open Place
        yield from ui.click_sidebar(down)
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.object.select_all(action="SELECT")
        bpy.ops.view3d.view_selected()
    yield 3.0
    ui.shot("places-both")
