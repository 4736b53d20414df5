# SPDX-License-Identifier: GPL-3.0-or-later
"""Godot: the add-on Terrain3D.

Source: T. Stone and C. Wang, *Terrain3D*, the importer of its repository.
"""

from __future__ import annotations

from typing import Any

from .engine import Engine, Extent, add

REGIONS = (256, 512, 1024, 2048, 128, 64)
"""Samples along a side of a region: the usual one first."""
MOST_REGIONS = 32
"""Along a side of the terrain."""
MOST_OFFSET = 8192
"""Import positions reach so far from the origin."""


class Terrain3D(Engine):
    """Row 0 of a file lies at the lowest z of Godot, which is the highest y here."""

    key, label, suffix = "terrain3d", "Godot, Terrain3D", ".r16"
    north_first = True
    steps = (
        "Open the importer scene of Terrain3D, and set the region size and the vertex spacing.",
        "For each tile: choose the height file, enter its size, range and position, and press Run "
        "Import. Tiles share the samples on their borders, so the order does not matter.",
        "The first number of each import position is that of the tile x0_z0, the second the step "
        "from tile to tile.",
    )

    def check(self, extent: Extent) -> None:
        if self._region(extent) is None or max(extent.points) > 2 * MOST_OFFSET + 1:
            raise ValueError(
                f"Terrain3D takes tiles of a multiple of 64 samples and one more, and at most "
                f"{2 * MOST_OFFSET} samples a side of the whole, not {extent.columns} x "
                f"{extent.rows} tiles of {extent.side}: use tiles of 1025"
            )

    @staticmethod
    def _region(extent: Extent) -> int | None:
        """The size of regions: tiles begin where regions do."""
        longest = max(extent.points) - 1
        fitting = (
            size
            for size in REGIONS
            if (extent.side - 1) % size == 0 and longest <= MOST_REGIONS * size
        )
        return next(fitting, None)

    def name(self, extent: Extent, column: int, row: int) -> str:
        return f"world_x{column}_z{extent.rows - 1 - row}{self.suffix}"

    def enter(self, extent: Extent) -> dict[str, Any]:
        region, step = self._region(extent), extent.side - 1
        assert region is not None
        first = [-(count * step // 2) // region * region for count in (extent.columns, extent.rows)]
        return {
            "region_size": region,
            "vertex_spacing": extent.spacing[0],
            "r16_size": [extent.side, extent.side],
            "r16_range": [extent.low, extent.high],
            "import_scale": 1.0,
            "height_offset": 0.0,
            "import_position x": [first[0], step],
            "import_position y": [first[1], step],
        }


add(Terrain3D())
