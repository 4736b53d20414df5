# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the pictures of the biomes that the menu shows.

    python docs/scripts/make_biome_pictures.py                 all of them
    python docs/scripts/make_biome_pictures.py dunes wetland   only these

Needs Pillow, but neither Blender nor a renderer. Writes a small PNG file (CC0) beside each biome.
"""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from terrain_addon.core import Recipe, evaluate, presets  # noqa: E402
from terrain_addon.core.output import terrain_picture  # noqa: E402
from terrain_addon.core.recipe import biomes  # noqa: E402

SIDE, COLORS = 96, 128
"""Pixels each way; colors in a file, which is then a third as large."""
GROUND = {"kind": "fractal_noise", "settings": {"seed": 4, "octaves": 6}}
EROSION = {"kind": "erosion", "settings": {"valley_spacing": 130.0}}
PLAIN, HILLS, MOUNTAINS = (420.0, 22.0), (460.0, 180.0), (700.0, 560.0)
"""Size and height of the ground that biomes are shown on."""
ON = {"alpine_meadow": HILLS, "forest": HILLS, "scree": MOUNTAINS}
WIDTH = 900.0


def main(wanted: list[str]) -> None:
    """Draw the named pictures, or all."""
    for name in biomes.names():
        if not wanted or name in wanted:
            picture = Image.fromarray(terrain_picture(recipe_of(name), SIDE))
            few = picture.quantize(
                COLORS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
            )
            few.save(presets.picture_path(name, biomes.BIOMES), optimize=True)
            print(name, flush=True)


def recipe_of(name: str) -> Recipe:
    """Return a recipe that shows a biome."""
    size, height = ON.get(name, PLAIN)
    settings = {**GROUND["settings"], "size": size, "height": height}
    layers = [GROUND | {"settings": settings}]
    if height > PLAIN[1]:
        layers.append(EROSION)
    palette = {"regions": [{"color": "#77795F"}], "rock_on_slopes": name == "scree"}
    data = {"size_x": WIDTH, "size_y": WIDTH, "material": "simple", "layers": layers}
    ground = Recipe.from_dict(data | {"palette": palette})
    heights = evaluate(ground, ground.grid(129), fields=()).range
    added = biomes.biome(name, WIDTH, WIDTH, heights)
    return dataclasses.replace(ground, layers=(*ground.layers, *added))


if __name__ == "__main__":
    main(sys.argv[1:])
