# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the pictures of the presets that the menus show.

    python docs/scripts/make_preset_pictures.py              all of them
    python docs/scripts/make_preset_pictures.py alps mesa    only these

Needs Pillow, and neither Blender nor a renderer. Writes a PNG file (CC0) beside each preset.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
from PIL import Image

from terrain_addon.core import presets
from terrain_addon.core.output import terrain_picture, write_png


def main(wanted: list[str]) -> None:
    """Draw the named pictures, or all."""
    recipes = {"empty": presets.empty(), **{name: presets.load(name) for name in presets.names()}}
    for name, recipe in recipes.items():
        if not wanted or name in wanted:
            path = presets.picture_path(name)
            write_smaller(path, terrain_picture(recipe))
            print(path.name, flush=True)


def write_smaller(path: Path, picture: np.ndarray) -> None:
    """Write a picture as the extension packs pictures, or as Pillow does where that is smaller."""
    write_png(path, picture)
    packed = io.BytesIO()
    Image.fromarray(picture).save(packed, "PNG", optimize=True)
    if packed.tell() < path.stat().st_size:
        path.write_bytes(packed.getvalue())


if __name__ == "__main__":
    main(sys.argv[1:])
