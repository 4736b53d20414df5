# SPDX-License-Identifier: GPL-3.0-or-later
"""Unreal Engine: Landscape.

Source: Epic Games, *Landscape Technical Guide*; a height is (h - 32768) / 128 * scale + location,
in centimeters.
"""

from __future__ import annotations

from typing import Any

from .engine import Engine, Extent, add

SIZES = {
    127: (63, 1),
    253: (63, 2),
    505: (63, 2),
    1009: (63, 2),
    2017: (63, 2),
    4033: (63, 2),
    8129: (127, 2),
}
"""Recommended samples along a side: quads of a section, sections of a component."""
MOST_COMPONENTS = 1024


class Unreal(Engine):
    """Row 0 of a file has the smallest Y of Unreal, which is the highest y here."""

    key, label, suffix = "unreal", "Unreal Engine, Landscape", ".r16"
    north_first = True
    steps = (
        "Landscape mode > Manage > Import from File: choose the height file; of several tiles, "
        "choose one and answer Yes where Unreal asks to import them all.",
        "Enter the section size, the sections per component and the numbers of components.",
        "Enter location and scale as below. Lengths are centimeters.",
        "Normal maps have the green channel of OpenGL: turn on Flip Green Channel.",
        "Tiles share the samples on their borders. World Composition expects that. With World "
        "Partition, compare the resolution that Unreal shows with the one below.",
    )

    def check(self, extent: Extent) -> None:
        if extent.side not in SIZES:
            sizes = ", ".join(map(str, SIZES))
            raise ValueError(f"Unreal takes tiles of {sizes} samples, not {extent.side}")

    def name(self, extent: Extent, column: int, row: int) -> str:
        return f"world_x{column}_y{extent.rows - 1 - row}{self.suffix}"

    def enter(self, extent: Extent) -> dict[str, Any]:
        quads, sections = SIZES[extent.side]
        components = (extent.side - 1) // (quads * sections)
        scale = (extent.high - extent.low) * 100 * 128 / 65535
        dx, dy = extent.spacing
        return {
            "Section Size": f"{quads}x{quads} Quads",
            "Sections Per Component": f"{sections}x{sections}",
            "Number of Components": [extent.columns * components, extent.rows * components],
            "Overall Resolution": list(extent.points),
            "Location X": round(-extent.size_x * 50, 4),
            "Location Y": round(-extent.size_y * 50, 4),
            "Location Z": round(extent.low * 100 + 256 * scale, 4),
            "Scale X": round(dx * 100, 6),
            "Scale Y": round(dy * 100, 6),
            "Scale Z": round(scale, 8),
        }


add(Unreal())
