# SPDX-License-Identifier: GPL-3.0-or-later
"""Roblox Studio: terrain of voxels.

Source: Roblox Corporation, *Generating Terrain with Heightmaps*: a pixel is a voxel of 4 studs, at
most 4096 x 4096 of them; settings are in studs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...numerics.arrays import Doubles
from .engine import MOST, Engine, Extent, add, each, refuse_size

VOXEL = 4.0
"""Studs of a pixel, without which heights are resampled."""
MOST_SAMPLES = 4096
MATERIALS = {
    "rock": (102, 108, 111),
    "scree": (63, 127, 107),
    "soil": (102, 92, 59),
    "sand": (143, 126, 95),
    "grass": (106, 127, 63),
    "wood": (115, 132, 74),
    "snow": (195, 199, 218),
    "ice": (129, 194, 224),
}
"""Colors of the materials Rock, Slate, Ground, Sand, Grass, Leafy Grass, Snow and Ice."""


class Roblox(Engine):
    """The terrain is scaled so that a sample is a voxel; its proportions stay."""

    key, label = "roblox", "Roblox Studio, Terrain"
    sizes, usual = (256, 512, 1024, 2048, 4096), 1024
    suffixes = (".png",)
    rectangular = True
    materials = MATERIALS
    steps = (
        "Terrain Editor > Import: choose the height file, and enter position and size as below. "
        "Lengths are studs.",
        "Turn on the colormap, and choose the color file, whose colors stand for materials.",
        "The first number of a position is that of the first tile, x0_z0, the second the step from "
        "tile to tile.",
    )

    def check(self, extent: Extent) -> None:
        if not all(2 <= side <= MOST_SAMPLES for side in extent.sides):
            raise refuse_size("Roblox", self.sizes, extent.sides)

    def place(self, extent: Extent, column: int, row: int) -> str:
        return f"_x{column}_z{extent.rows - 1 - row}"

    def import_settings(self, extent: Extent) -> dict[str, Any]:
        (dx, dy), (nx, ny) = extent.spacing, extent.sides
        scale = VOXEL / dx
        width, length = nx * VOXEL, ny * dy * scale
        steps = (nx - 1) * VOXEL, (ny - 1) * dy * scale
        across, along = (extent.columns - 1) * steps[0] / 2, (extent.rows - 1) * steps[1] / 2
        return {
            "Studs Per Meter": scale,
            "Size X": width,
            "Size Y": (extent.high - extent.low) * scale,
            "Size Z": length,
            "Position X": each(-across, steps[0], extent.columns),
            "Position Y": (extent.low + extent.high) / 2 * scale,
            "Position Z": each(-along, steps[1], extent.rows),
        }

    def meters(self, numbers: Doubles, settings: Mapping[str, Any]) -> Doubles:
        studs = (
            numbers / MOST * settings["Size Y"] + settings["Position Y"] - settings["Size Y"] / 2
        )
        return studs / settings["Studs Per Meter"]


add(Roblox())
