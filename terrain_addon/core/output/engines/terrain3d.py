# SPDX-License-Identifier: GPL-3.0-or-later
"""Godot: the add-on Terrain3D.

Source: T. Stone and C. Wang, *Terrain3D*, the importer of its repository.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...numerics.arrays import Doubles
from .engine import MOST, Engine, Extent, add, each

REGIONS = (256, 512, 1024, 2048, 128, 64)
"""Samples along a side of a region: the usual one first."""
LEAST_REGION = 64
MOST_REGIONS = 32
"""Along a side of the terrain."""
MOST_OFFSET = 8192
"""Import positions reach so far from the origin."""
UNEVEN = 0.005
"""Share by which the spacing along x and y may differ: there is one number for both."""


class Terrain3D(Engine):
    """Row 0 of a file lies at the lowest z of Godot, which is the highest y here.

    One tile fills its regions along its longer side, so it has a multiple of 64 samples there; the
    shorter side ends where the terrain does. Tiles that share samples have one more along both,
    which the next tile overwrites.
    """

    key, label = "terrain3d", "Godot, Terrain3D"
    sizes, usual = (256, 512, 1024, 2048, 4096, 8192), 1024
    suffixes = (".r16", ".exr")
    rectangular = True
    controls = True
    steps = (
        "Open the importer scene of Terrain3D, and set the region size and the vertex spacing.",
        "For each tile: choose the height file, enter its size, range and position, and press Run "
        "Import. Tiles share the samples on their borders, so the order does not matter.",
        "Choose the control file with weights as control map: its textures have the numbers 0, 1 "
        "and so on, in the order of the list of files. Choose the color file as color map.",
        "The first number of each import position is that of the first tile, x0_z0, the second the "
        "step from tile to tile.",
        "Sides of a multiple of 64 samples and one more begin further regions at the east and the "
        "south: delete those. Other sides leave the rest of their last regions at height 0: hide "
        "it with holes.",
    )

    def sizes_of(self, tiled: bool) -> Sequence[int]:
        return tuple(size + 1 for size in self.sizes) if tiled else self.sizes

    def sides(self, size: int, width: float, length: float) -> tuple[int, int]:
        """Return as many samples along the shorter side as give both one spacing; whole regions for
        tiles."""
        rest = size % LEAST_REGION
        if width == length or size <= LEAST_REGION:
            return size, size
        if not rest:
            return super().sides(size, width, length)
        share = min(width, length) / max(width, length)
        shorter = max(round((size - rest) * share / LEAST_REGION), 1) * LEAST_REGION + rest
        return (size, shorter) if width > length else (shorter, size)

    def check(self, extent: Extent) -> None:
        rests = (1,) if extent.is_tiled else (0, 1)
        whole = extent.sides if extent.is_tiled else (max(extent.sides),)
        for side in whole:
            if side < LEAST_REGION or side % LEAST_REGION not in rests:
                more = " and one more" if extent.is_tiled else ""
                count = max(round((side - rests[0]) / LEAST_REGION), 1)
                raise ValueError(
                    f"Terrain3D takes tiles of a multiple of {LEAST_REGION} samples{more}, not "
                    f"{side}: the nearest is {count * LEAST_REGION + rests[0]}"
                )
        if self._region(extent) is None or max(extent.points) > 2 * MOST_OFFSET + 1:
            raise ValueError(
                f"Terrain3D takes at most {2 * MOST_OFFSET} samples a side of the whole, not "
                f"{extent.columns} x {extent.rows} tiles of {extent.sides[0]} x {extent.sides[1]}"
            )
        dx, dy = extent.spacing
        if abs(dx - dy) > UNEVEN * max(dx, dy):
            raise ValueError(
                f"Terrain3D has one spacing, but samples are {dx:.4g} m apart along x and "
                f"{dy:.4g} m along y: choose other tiles, or sides of the terrain that are "
                "multiples of one length"
            )

    @staticmethod
    def _region(extent: Extent) -> int | None:
        """Return the size of regions: tiles begin where regions do, and one tile leaves little of
        them."""
        longest = max(extent.points) - 1
        known = [size for size in REGIONS if longest <= MOST_REGIONS * size]
        fitting = (
            size
            for size in known
            if all((side - side % LEAST_REGION) % size == 0 for side in extent.sides)
        )
        return next(fitting, None if extent.is_tiled else min(known, default=None))

    def place(self, extent: Extent, column: int, row: int) -> str:
        return f"_x{column}_z{extent.rows - 1 - row}"

    def import_settings(self, extent: Extent) -> dict[str, Any]:
        region, (dx, _) = self._region(extent), extent.spacing
        assert region is not None
        nx, ny = extent.points
        first = [-(count // 2) // region * region for count in (nx, ny)]
        steps = [side - 1 for side in extent.sides]
        raw = {"r16_size": list(extent.sides), "r16_range": [extent.low, extent.high]}
        return {
            "region_size": region,
            "vertex_spacing": dx,
            **({} if extent.is_float else raw),
            "import_scale": 1.0,
            "height_offset": 0.0,
            "import_position x": each(first[0], steps[0], extent.columns),
            "import_position y": each(first[1], steps[1], extent.rows),
        }

    def meters(self, numbers: Doubles, settings: Mapping[str, Any]) -> Doubles:
        low, high = settings["r16_range"]
        return numbers / MOST * (high - low) + low


add(Terrain3D())
