# SPDX-License-Identifier: GPL-3.0-or-later
"""Unreal Engine: Landscape.

Source: Epic Games, *Landscape Technical Guide*; a height is (h - 32768) / 128 * scale + location,
in centimeters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...numerics.arrays import Doubles
from .engine import DIRECTX, MOST, Engine, Extent, add, refuse_numbered, refuse_size

SECTIONS = ((63, 2), (127, 2), (31, 2), (15, 2), (7, 2), (255, 2),
            (63, 1), (127, 1), (31, 1), (15, 1), (7, 1), (255, 1))  # fmt: skip
"""Quads along a section and sections along a component: those of the recommended sizes first."""
MOST_COMPONENTS = 1024


class Unreal(Engine):
    """Row 0 of a file has the smallest Y of Unreal, which is the highest y here."""

    key, label = "unreal", "Unreal Engine, Landscape"
    sizes, usual = (127, 253, 505, 1009, 2017, 4033, 8129), 1009
    suffixes = (".r16", ".png")
    rectangular = True
    green = DIRECTX
    steps = (
        "Landscape mode > Manage > Import from File: choose the height file; of several tiles, "
        "choose one and answer Yes where Unreal asks to import them all.",
        "Enter the section size, the sections per component and the numbers of components.",
        "Enter location and scale as below. Lengths are centimeters.",
        "Tiles share the samples on their borders. World Composition expects that. With World "
        "Partition, compare the resolution that Unreal shows with the one below.",
    )

    def sides(self, size: int, width: float, length: float) -> tuple[int, int]:
        """Return whole components along both sides, whose cells are about square."""
        found = self._parts((size, size))
        if found is None or width == length:
            return size, size
        step = found[0] * found[1]
        longer = (size - 1) // step
        count = max(round(longer * min(width, length) / max(width, length)), 1)
        shorter = count * step + 1
        return (size, shorter) if width > length else (shorter, size)

    def check(self, extent: Extent) -> None:
        if self._parts(extent.sides) is None:
            raise refuse_size("Unreal", self.sizes, extent.sides)

    def check_name(self, name: str) -> None:
        super().check_name(name)
        refuse_numbered("Unreal", name)

    @staticmethod
    def _parts(sides: tuple[int, int]) -> tuple[int, int, int, int] | None:
        """Return the quads of a section, sections of a component, and components along x and y."""
        for quads, sections in SECTIONS:
            step = quads * sections
            nx, ny = ((side - 1) // step for side in sides)
            whole = all((side - 1) % step == 0 for side in sides)
            if whole and 0 < nx * ny <= MOST_COMPONENTS:
                return quads, sections, nx, ny
        return None

    def import_settings(self, extent: Extent) -> dict[str, Any]:
        parts = self._parts(extent.sides)
        assert parts is not None
        quads, sections, nx, ny = parts
        scale = (extent.high - extent.low) * 100 * 128 / MOST
        dx, dy = extent.spacing
        return {
            "Section Size": f"{quads}x{quads} Quads",
            "Sections Per Component": f"{sections}x{sections}",
            "Number of Components": [extent.columns * nx, extent.rows * ny],
            "Overall Resolution": list(extent.points),
            "Location X": round(-extent.size_x * 50, 4),
            "Location Y": round(-extent.size_y * 50, 4),
            "Location Z": extent.low * 100 + 256 * scale,
            "Scale X": round(dx * 100, 6),
            "Scale Y": round(dy * 100, 6),
            "Scale Z": scale,
        }

    def meters(self, numbers: Doubles, settings: Mapping[str, Any]) -> Doubles:
        return ((numbers - 32768) / 128 * settings["Scale Z"] + settings["Location Z"]) / 100


add(Unreal())
