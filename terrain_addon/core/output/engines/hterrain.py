# SPDX-License-Identifier: GPL-3.0-or-later
"""Godot: the add-on HTerrain.

Source: M. Gilles (Zylann), *HTerrain*, its documentation and importer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...numerics.arrays import Doubles
from .engine import MOST, Engine, Extent, add, each, refuse_size


class HTerrain(Engine):
    """Row 0 of a file lies at the lowest z of Godot, which is the highest y here."""

    key, label = "hterrain", "Godot, HTerrain"
    sizes, usual = tuple(2**n + 1 for n in range(6, 13)), 1025
    suffixes = (".raw", ".exr")
    steps = (
        "Select the HTerrain node, one for each tile, and open Terrain > Import maps.",
        "Choose the height file; enter least and greatest height, bit depth and byte order.",
        "Choose the first weight map as splatmap: the shader CLASSIC4 has four textures.",
        "Turn off Centered, and enter the scale of the map and the position of the node; the first "
        "number of each position is that of the first tile, x0_z0, the second the step from tile "
        "to tile.",
    )

    def check(self, extent: Extent) -> None:
        if extent.sides[0] != extent.sides[1] or extent.sides[0] not in self.sizes:
            raise refuse_size("HTerrain", self.sizes, extent.sides)

    def place(self, extent: Extent, column: int, row: int) -> str:
        return f"_x{column}_z{extent.rows - 1 - row}"

    def import_settings(self, extent: Extent) -> dict[str, Any]:
        (dx, dy), (width, length) = extent.spacing, extent.tile_size
        raw = {
            "Min height": extent.low,
            "Max height": extent.high,
            "Bit depth": 16,
            "Endianness": "Little Endian",
        }
        return {
            **({} if extent.is_float else raw),
            "Resolution": extent.sides[0],
            "Map Scale": [dx, 1.0, dy],
            "Position X": each(-extent.size_x / 2, width, extent.columns),
            "Position Y": 0.0,
            "Position Z": each(-extent.size_y / 2, length, extent.rows),
        }

    def meters(self, numbers: Doubles, settings: Mapping[str, Any]) -> Doubles:
        low, high = settings["Min height"], settings["Max height"]
        return low + (high - low) * (numbers / MOST)


add(HTerrain())
