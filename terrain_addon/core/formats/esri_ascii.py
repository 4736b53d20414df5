# SPDX-License-Identifier: GPL-3.0-or-later
"""ESRI ASCII grids (.asc): a header of names and numbers, then rows from north to south.

GDAL converts any elevation file to this format, and many map services offer it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

import numpy as np

from ..numerics.arrays import Doubles
from ..settings.params import short_repr
from .registry import Format, Heights, add, finite

MIN_SPACING = 0.05
"""Meters. A smaller cell size is in degrees, of which 0.05 would be 5 km."""
COUNTS = ("ncols", "nrows")
SIZES = ("cellsize", "dx", "dy")
"""The size of cells in one number or, as GDAL writes it, in two."""
PLACES = ("xllcorner", "yllcorner", "xllcenter", "yllcenter")
NO_DATA = "nodata_value"


def read(path: Path) -> Heights:
    """Heights in meters; without a spacing if the file has it in degrees."""
    try:
        with path.open(encoding="ascii") as file:
            header, rows = _split(file)
            heights = _heights(rows, int(header["nrows"]), int(header["ncols"]))
        dx, dy = _cell_size(header)
    except ValueError as error:
        reason = "" if isinstance(error, UnicodeError) else f": {error}"
        raise ValueError(f"{path.name}: this is not a complete ESRI ASCII grid{reason}") from None
    if abs(dx - dy) > 1e-6 * dx:
        raise ValueError(
            f"{path.name}: its cells are {dx:g} x {dy:g}, not square: resample it, for example "
            "with gdalwarp -tr"
        )
    if (heights == header.get(NO_DATA, math.nan)).any():
        raise ValueError(f"{path.name}: some cells hold no data: crop to a part without gaps")
    return Heights(finite(path, heights[::-1]), dx if dx >= MIN_SPACING else None)


def _split(lines: Iterator[str]) -> tuple[dict[str, float], Iterator[str]]:
    """The names and numbers of the header, and the rows after them."""
    header: dict[str, float] = {}
    for line in lines:
        words = line.split()
        if words and not words[0][0].isalpha():
            missing = [name for name in COUNTS if name not in header]
            if missing:
                raise ValueError(f"its header has no {missing[0]}")
            return header, chain([line], lines)
        if words:
            name = words[0].lower()
            if name in header:
                raise ValueError(f"its header has {name} twice")
            header[name] = _number(name, words[1:])
    raise ValueError("it has no rows")


def _number(name: str, words: list[str]) -> float:
    """The value in a line of the header."""
    if name not in (*COUNTS, *SIZES, *PLACES, NO_DATA):
        raise ValueError(f"its header has the unknown line {short_repr(name)}")
    try:
        (word,) = words
        value = float(word)
    except ValueError:
        raise ValueError(f"{name} is {short_repr(' '.join(words))}, not a number") from None
    if name in COUNTS and not (value.is_integer() and value > 0):
        raise ValueError(f"{name} is {value:g}, not a whole number above zero")
    if name in SIZES and not 0 <= value < math.inf:
        raise ValueError(f"{name} is {value:g}, not a length")
    if name in PLACES and not math.isfinite(value):
        raise ValueError(f"{name} is {value:g}, not a place")
    return value


def _cell_size(header: Mapping[str, float]) -> tuple[float, float]:
    """Width and height of a cell."""
    both = header.get("cellsize")
    size = header.get("dx", both), header.get("dy", both)
    if size[0] is None or size[1] is None:
        raise ValueError("its header has no cellsize")
    return size[0], size[1]


def _heights(rows: Iterator[str], height: int, width: int) -> Doubles:
    """The numbers in all rows."""
    try:
        heights = np.loadtxt(rows, np.float64, comments=None, ndmin=2)
    except UnicodeError:
        raise
    except ValueError:
        raise ValueError("its rows differ in length, or hold more than numbers") from None
    if heights.size != height * width:
        raise ValueError(f"it has {heights.size} heights, not {width} x {height}")
    return heights.reshape(height, width)


add(Format(".asc", "an ESRI ASCII grid, from gdal_translate -of AAIGrid", read))
