# SPDX-License-Identifier: GPL-3.0-or-later
"""Files for any other program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...numerics.arrays import Doubles
from .engine import MOST, Engine, Extent, add, refuse_size

MOST_SAMPLES = 65536


class Plain(Engine):
    """Images with north on top; raw files begin in the north, NumPy arrays in the south."""

    key, label = "plain", "Any Program"
    sizes, usual = (257, 513, 1025, 2049, 4097, 8193, 16385), 1025
    suffixes = (".png", ".tif", ".exr", ".r16", ".raw", ".npy")
    rectangular = True
    steps = (
        "The first sample lies on the western and northern border, the last on the eastern and "
        "southern one. Tiles share the samples on their borders; x counts from the west, y from "
        "the north.",
        "Files of 16 bits hold 0 to 65535 from the lowest to the highest height, raw ones without "
        "a header, unsigned, little-endian. Files of floats hold meters.",
    )

    def check(self, extent: Extent) -> None:
        if not all(2 <= side <= MOST_SAMPLES for side in extent.sides):
            raise refuse_size("A file", self.sizes, extent.sides)

    def import_settings(self, extent: Extent) -> dict[str, Any]:
        range_ = {"Lowest (0)": extent.low, "Highest (65535)": extent.high}
        return {
            **({} if extent.is_float else range_),
            "Size X": extent.size_x,
            "Size Y": extent.size_y,
            "Spacing X": extent.spacing[0],
            "Spacing Y": extent.spacing[1],
        }

    def meters(self, numbers: Doubles, settings: Mapping[str, Any]) -> Doubles:
        low, high = settings["Lowest (0)"], settings["Highest (65535)"]
        return low + numbers / MOST * (high - low)


add(Plain())
