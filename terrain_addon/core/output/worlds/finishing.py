# SPDX-License-Identifier: GPL-3.0-or-later
"""The index of a finished world: range and digests of its tiles, and an overview picture."""

from __future__ import annotations

import hashlib
import json
import math

import numpy as np
from numpy.typing import NDArray

from ...numerics import srgb
from ...settings import replaced
from ..images.baking import bake
from ..images.settings import Bake
from ..pictures.png import write_png
from .world import Tile, World

INDEX, OVERVIEW = "index.json", "overview.png"
PICTURE = 512
"""Pixels along the longer side of the overview picture."""
LEVEL = 0.5**0.5
"""Hillshade of level ground, which keeps the colors of the palette."""

AMBIENT = 0.45
"""Share of the light that comes from the whole sky: slopes in the shade are not black."""


def finish(world: World) -> tuple[float, float]:
    """Write the index and the overview of a world; return its lowest and highest height.

    Tiles have one range, so that 16-bit files made with it meet at the same values.

    Raises
    ------
    ValueError : tiles are missing, or damaged
    OSError : a file cannot be written
    """
    missing = world.columns * world.rows - len(world.made())
    if missing:
        raise ValueError(f"{missing} of {world.columns * world.rows} tiles are missing: run it")
    low, high, digests = math.inf, -math.inf, dict[str, str]()
    for tile in world.tiles:
        path = world.path(tile)
        height = _opened(world, tile)
        low, high = min(low, float(height.min())), max(high, float(height.max()))
        digests[path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
    with replaced(world.folder / INDEX) as new:
        index = {"low": low, "high": high, "sha256": digests}
        new.write_text(json.dumps(index, indent=1), "utf-8")
    write_png(world.folder / OVERVIEW, _picture(world))
    return low, high


def _opened(world: World, tile: Tile) -> NDArray[np.float32]:
    """The heights of a tile, mapped into memory; ValueError if it is damaged."""
    path = world.path(tile)
    try:
        height: NDArray[np.float32] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (EOFError, ValueError):  # an empty file, a cut one
        height = np.empty((0, 0), np.float32)
    if height.shape != (world.side, world.side) or height.dtype != np.dtype("<f4"):
        raise ValueError(f"{path} is damaged: delete it and run the world again")
    return height


def _picture(world: World) -> NDArray[np.uint8]:
    """(H, W, 4) sRGB: the colors of the palette in the light of a low sun, north on top."""
    grid, solution = world.recipe.pixel_grid(PICTURE), world.solution
    color, light = (
        bake(world.recipe, grid, what, solution=solution).pixels[::-1]
        for what in (Bake(image="color"), Bake(image="field", field="hillshade"))
    )
    color[..., :3] *= np.float32(AMBIENT) + np.float32((1 - AMBIENT) / LEVEL) * light[..., :3]
    return np.rint(srgb.encoded(np.clip(color, 0, 1)) * 255).astype(np.uint8)
