# SPDX-License-Identifier: GPL-3.0-or-later
"""Unity: Terrain.

Source: Unity Technologies, TerrainData.heightmapResolution and the Terrain Tools package.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...numerics.arrays import Doubles
from .engine import MOST, Engine, Extent, add, each, refuse_size

_PLACE = re.compile(r"_\d+$")


class Unity(Engine):
    """Row 0 of a file lies at the lowest z of Unity, which is the lowest y here."""

    key, label = "unity", "Unity, Terrain"
    sizes, usual = tuple(2**n + 1 for n in range(5, 13)), 1025
    suffixes = (".raw",)
    north_first = False
    steps = (
        "Terrain Settings > Import Raw for one tile; of several, Window > Terrain > Terrain "
        "Toolbox > Create New Terrain > Import Heightmap, mode Batch: the names end in column and "
        "row.",
        "Enter resolution, depth, byte order and size as below. Flip Vertically stays off.",
        "Put the terrain at Position Y; the first number of Position X and Position Z is that of "
        "the tile 0_0, the second the step from tile to tile.",
    )

    def check(self, extent: Extent) -> None:
        if extent.sides[0] != extent.sides[1] or extent.sides[0] not in self.sizes:
            raise refuse_size("Unity", self.sizes, extent.sides)

    def check_name(self, name: str) -> None:
        super().check_name(name)
        if _PLACE.search(name):
            raise ValueError(
                f"Unity takes the end of the name {name!r} for the place of a tile: use "
                f"{_PLACE.sub('', name) or 'terrain'!r}"
            )

    def place(self, extent: Extent, column: int, row: int) -> str:
        return f"_{column}_{row}"

    def import_settings(self, extent: Extent) -> dict[str, Any]:
        width, length = extent.tile_size
        return {
            "Heightmap Resolution": extent.sides[0],
            "Depth": "16 bit",
            "Byte Order": "Windows",
            "Flip Vertically": "off",
            "Terrain Width": width,
            "Terrain Length": length,
            "Terrain Height": extent.high - extent.low,
            "Position X": each(-extent.size_x / 2, width, extent.columns),
            "Position Y": extent.low,
            "Position Z": each(-extent.size_y / 2, length, extent.rows),
        }

    def meters(self, numbers: Doubles, settings: Mapping[str, Any]) -> Doubles:
        return numbers / MOST * settings["Terrain Height"] + settings["Position Y"]


add(Unity())
