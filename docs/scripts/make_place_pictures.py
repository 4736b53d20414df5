# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the pictures of the guide *A real place in five minutes*.

    python docs/scripts/make_place_pictures.py build/window/drive_real_place

The folder holds the screenshots and the blend file of tests/window/drive_real_place.py. Needs bpy.
Writes place_*.jpg to docs/pictures: the screenshots without the menus around them, and a rendering.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np

PICTURES = Path(__file__).resolve().parents[1] / "pictures"
SHOTS = {"place-4-draped": "draped", "place-5-imported": "lines", "place-6-eroded": "eroded"}
CROP = 0, 70, 1310, 900
"""Left, top, right and bottom of the viewport in a screenshot."""
WIDTH = 800


def main(folder: Path) -> None:
    """Write all pictures."""
    bpy.ops.wm.open_mainfile(filepath=str(folder / "place.blend"))
    render(PICTURES / "place_rendered.jpg")
    for shot, name in SHOTS.items():
        cut(folder / f"{shot}.png", PICTURES / f"place_{name}.jpg")


def cut(source: Path, target: Path) -> None:
    """Write the viewport of a screenshot, smaller."""
    image: Any = bpy.data.images.load(str(source))
    columns, rows = image.size
    pixels = np.empty(columns * rows * 4, np.float32)
    image.pixels.foreach_get(pixels)
    left, top, right, bottom = CROP
    part = pixels.reshape(rows, columns, 4)[rows - bottom : rows - top, left:right]
    out: Any = bpy.data.images.new(target.stem, right - left, bottom - top)
    out.pixels.foreach_set(np.ascontiguousarray(part).ravel())
    out.scale(WIDTH, round(WIDTH * (bottom - top) / (right - left)))
    out.filepath_raw, out.file_format = str(target), "JPEG"
    out.save(quality=82)


def render(target: Path, samples: int = 48) -> None:
    """Render the scene as the driver left it."""
    scene: Any = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = samples, True
    scene.render.resolution_x, scene.render.resolution_y = 960, 540
    scene.render.resolution_percentage = 100
    if hasattr(scene.render.image_settings, "media_type"):
        scene.render.image_settings.media_type = "IMAGE"
    scene.render.image_settings.file_format = "JPEG"
    scene.render.image_settings.quality = 85
    scene.render.filepath = str(target)
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
