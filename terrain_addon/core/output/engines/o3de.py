# SPDX-License-Identifier: GPL-3.0-or-later
"""Open 3D Engine: terrain from image gradients.

Source: Open 3D Engine, *Create Terrain from Images*, and its component Image Gradient: sample
(i, j) of an image lies at i / columns and j / rows of the box, the first row at the greatest y.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...numerics.arrays import Doubles
from .engine import MOST, Engine, Extent, add, each, refuse_size

MOST_SAMPLES = 8192
"""Samples along a side that the asset processor takes."""


class O3DE(Engine):
    """The box is one cell longer than the terrain: the last sample is not on its border."""

    key, label = "o3de", "Open 3D Engine, Terrain"
    sizes, usual = (256, 512, 1024, 2048, 4096, 8192), 1024
    suffixes = (".png",)
    rectangular = True
    steps = (
        "Copy the files into the project. Names that end in _gsi make the asset processor keep "
        "the heights as they are.",
        "Level > Terrain World: set the height query resolution, and bounds that hold the terrain.",
        "For each tile: an entity with Terrain Layer Spawner, Axis Aligned Box Shape and Terrain "
        "Height Gradient List, with the dimensions and the translation below. The first number of "
        "a translation is that of the first tile, x0_y0, the second the step from tile to tile.",
        "A second entity with Image Gradient, Gradient Transform Modifier and Shape Reference to "
        "that box: choose the height file, sampling type Bilinear, wrapping type Clamp to Edge.",
        "Add that entity to the Terrain Height Gradient List.",
    )

    def check(self, extent: Extent) -> None:
        if not all(2 <= side <= MOST_SAMPLES for side in extent.sides):
            raise refuse_size("Open 3D Engine", self.sizes, extent.sides)

    def place(self, extent: Extent, column: int, row: int) -> str:
        return f"_x{column}_y{row}"

    def name(self, extent: Extent, column: int, row: int) -> str:
        return f"{self.file_name(extent, '', column, row)}_gsi{self.suffix(extent)}"

    def import_settings(self, extent: Extent) -> dict[str, Any]:
        (dx, dy), (nx, ny), (width, length) = extent.spacing, extent.sides, extent.tile_size
        return {
            "Height Query Resolution": min(dx, dy),
            "Dimensions X": nx * dx,
            "Dimensions Y": ny * dy,
            "Dimensions Z": extent.high - extent.low,
            "Translate X": each((nx * dx - extent.size_x) / 2, width, extent.columns),
            "Translate Y": each((ny * dy - extent.size_y) / 2, length, extent.rows),
            "Translate Z": (extent.low + extent.high) / 2,
        }

    def meters(self, numbers: Doubles, settings: Mapping[str, Any]) -> Doubles:
        bottom = settings["Translate Z"] - settings["Dimensions Z"] / 2
        return numbers / MOST * settings["Dimensions Z"] + bottom


add(O3DE())
