# SPDX-License-Identifier: GPL-3.0-or-later
"""Headers of ESRI grids, ASCII and binary: one name and number a line.

Source: Esri, *ArcGIS documentation*, "Esri ASCII raster format" and "Float To Raster".
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ...elevation import check_count
from ...settings.params import short_repr
from ..raster import Affine

COUNTS = ("ncols", "nrows")
SIZES = ("cellsize", "dx", "dy", "xdim", "ydim")
"""The size of cells in one number or, as GDAL writes it, in two."""
PLACES = ("xllcorner", "yllcorner", "xllcenter", "yllcenter", "ulxmap", "ulymap")
"""The outer corner, or the middle, of the south-western cell; the middle of the north-western."""
NO_DATA = ("nodata_value", "nodata")
BYTE_ORDER = "byteorder"
DEFAULT_NO_DATA = -9999.0
KNOWN = (*COUNTS, *SIZES, *PLACES, *NO_DATA)


def number_of(name: str, words: list[str]) -> float:
    """Parse the value in a line of the header; ValueError for an unknown name or another value."""
    if name not in KNOWN:
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


def counts_of(header: Mapping[str, float]) -> tuple[int, int]:
    """Return the columns and rows; ValueError if they are missing, or too many."""
    for name in COUNTS:
        if name not in header:
            raise ValueError(f"its header has no {name}")
    columns, rows = int(header["ncols"]), int(header["nrows"])
    check_count(columns, rows)
    return columns, rows


def no_data_of(header: Mapping[str, float]) -> float:
    """Return the value that marks voids."""
    return next((header[name] for name in NO_DATA if name in header), DEFAULT_NO_DATA)


def affine_of(header: Mapping[str, float]) -> tuple[Affine | None, tuple[str, ...]]:
    """Return the coordinates of the samples in columns and rows of the file, and notes.

    Corners are those of the outer cells, centers their samples.
    """
    dx, dy = _cell_size(header)
    if not dx or not dy:
        return None, ("The file states no size of cells.",)
    x, y = (_place(header, axis, size) for axis, size in (("x", dx), ("y", dy)))
    north = header.get("ulymap", y + (header["nrows"] - 1) * dy)
    return (x, dx, 0.0, north, 0.0, -dy), ()


def _cell_size(header: Mapping[str, float]) -> tuple[float, float]:
    """Return the width and height of a cell."""
    both = header.get("cellsize")
    dx = header.get("dx", header.get("xdim", both))
    dy = header.get("dy", header.get("ydim", both))
    if dx is None or dy is None:
        raise ValueError("its header has no cellsize")
    return dx, dy


def _place(header: Mapping[str, float], axis: str, size: float) -> float:
    """Return the coordinate of the first sample."""
    if f"{axis}llcenter" in header:
        return header[f"{axis}llcenter"]
    if axis == "x" and "ulxmap" in header:
        return header["ulxmap"]
    return header.get(f"{axis}llcorner", 0.0) + size / 2
