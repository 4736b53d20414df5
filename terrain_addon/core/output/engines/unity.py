# SPDX-License-Identifier: GPL-3.0-or-later
"""Unity: Terrain.

Source: Unity Technologies, TerrainData.heightmapResolution and the Terrain Tools package.
"""

from __future__ import annotations

from typing import Any

from .engine import Engine, Extent, add

SIZES = tuple(2**n + 1 for n in range(5, 13))


class Unity(Engine):
    """Row 0 of a file lies at the lowest z of Unity, which is the lowest y here."""

    key, label, suffix = "unity", "Unity, Terrain", ".raw"
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
        if extent.side not in SIZES:
            sizes = ", ".join(map(str, SIZES))
            raise ValueError(f"Unity takes tiles of {sizes} samples, not {extent.side}")

    def name(self, extent: Extent, column: int, row: int) -> str:
        return f"world_{column}_{row}{self.suffix}"

    def enter(self, extent: Extent) -> dict[str, Any]:
        dx, dy = extent.spacing
        width, length = (extent.side - 1) * dx, (extent.side - 1) * dy
        return {
            "Heightmap Resolution": extent.side,
            "Depth": "16 bit",
            "Byte Order": "Windows",
            "Flip Vertically": "off",
            "Terrain Width": width,
            "Terrain Length": length,
            "Terrain Height": extent.high - extent.low,
            "Position X": [-extent.size_x / 2, width],
            "Position Y": extent.low,
            "Position Z": [-extent.size_y / 2, length],
        }


add(Unity())
