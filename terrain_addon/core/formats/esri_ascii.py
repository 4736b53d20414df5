# SPDX-License-Identifier: GPL-3.0-or-later
"""ESRI ASCII grids (.asc): a header of names and numbers, then rows from north to south.

GDAL converts any elevation file to this format, and many map services offer it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np

from .registry import Format, Heights, add, finite

MIN_SPACING = 0.05
"""Meters. A smaller cell size is in degrees, of which 0.05 would be 5 km."""


def read(path: Path) -> Heights:
    """Heights in meters; without a spacing if the file has it in degrees."""
    try:
        with path.open(encoding="ascii") as file:
            header, rows = _split(file)
            heights = np.loadtxt(rows, np.float64, ndmin=2)
        heights = heights.reshape(int(header["nrows"]), int(header["ncols"]))
        missing = heights == float(header.get("nodata_value", "nan"))
        size = float(header["cellsize"])
    except (ValueError, KeyError):
        raise ValueError(f"{path.name}: this is not a complete ESRI ASCII grid") from None
    if missing.any():
        raise ValueError(f"{path.name}: some cells hold no data: crop to a part without gaps")
    return Heights(finite(path, heights[::-1]), size if size >= MIN_SPACING else None)


def _split(lines: Iterator[str]) -> tuple[dict[str, str], Iterator[str]]:
    """The names and numbers of the header, and the rows after them."""
    header: dict[str, str] = {}
    for line in lines:
        words = line.split()
        if words and not words[0][0].isalpha():
            return header, chain([line], lines)
        if words:
            name, number = words
            header[name.lower()] = number
    raise ValueError("There are no rows")


add(Format(".asc", "an ESRI ASCII grid, from gdal_translate -of AAIGrid", read))
