# SPDX-License-Identifier: GPL-3.0-or-later
"""Headers of ESRI grids, ASCII and binary: one name and number a line.

Source: Esri, *ArcGIS documentation*, "Esri ASCII raster format" and "Float To Raster".
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path

from ...elevation import Georeference, check_count, seem_degrees
from ...settings.params import short_repr

COUNTS = ("ncols", "nrows")
SIZES = ("cellsize", "dx", "dy", "xdim", "ydim")
"""The size of cells in one number or, as GDAL writes it, in two."""
PLACES = ("xllcorner", "yllcorner", "xllcenter", "yllcenter", "ulxmap", "ulymap")
"""The outer corner, or the middle, of the south-western cell; the middle of the north-western."""
NO_DATA = ("nodata_value", "nodata")
BYTE_ORDER = "byteorder"
DEFAULT_NO_DATA = -9999.0
_UNIT = re.compile(r'UNIT\s*\[\s*"([^"]{0,80})"\s*,\s*([0-9.eE+-]{1,40})')
_EPSG = re.compile(r'(?:AUTHORITY|ID)\s*\[\s*"EPSG"\s*,\s*"?(\d{4,6})"?\s*\]\s*\]\s*$')


def number_of(name: str, words: list[str]) -> float:
    """Parse the value in a line of the header; ValueError for an unknown name or another value."""
    if name not in (*COUNTS, *SIZES, *PLACES, *NO_DATA):
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
    """Columns and rows; ValueError if they are missing, or too many."""
    for name in COUNTS:
        if name not in header:
            raise ValueError(f"its header has no {name}")
    columns, rows = int(header["ncols"]), int(header["nrows"])
    check_count(columns, rows)
    return columns, rows


def no_data_of(header: Mapping[str, float]) -> float:
    """Return the value that marks voids."""
    return next((header[name] for name in NO_DATA if name in header), DEFAULT_NO_DATA)


def place_of(path: Path, header: Mapping[str, float]) -> tuple[Georeference | None, str | None]:
    """Return the georeference of the grid in ``path``, and a note; None where it is not known.

    Corners are those of the outer cells, centers their samples. A .prj file beside the grid names
    the coordinate system. Without one, small cells at places on the globe are in degrees.
    """
    dx, dy = _cell_size(header)
    if not dx or not dy:
        return None, "The file states no size of cells."
    x, y = (_place(header, axis, size) for axis, size in (("x", dx), ("y", dy)))
    if "ulymap" in header:
        y = header["ulymap"] - (header["nrows"] - 1) * dy
    system = _system(path)
    if system is not None:
        geographic, epsg, unit = system
        return Georeference((x, y), (dx, 0.0), (0.0, dy), geographic, epsg, unit), None
    try:
        degrees = seem_degrees((x, y), (dx, dy))
    except ValueError as error:
        return None, str(error)
    note = "Coordinates assumed to be degrees." if degrees else "Unit assumed to be meters."
    return Georeference((x, y), (dx, 0.0), (0.0, dy), geographic=degrees), note


def _cell_size(header: Mapping[str, float]) -> tuple[float, float]:
    """Width and height of a cell."""
    both = header.get("cellsize")
    dx = header.get("dx", header.get("xdim", both))
    dy = header.get("dy", header.get("ydim", both))
    if dx is None or dy is None:
        raise ValueError("its header has no cellsize")
    return dx, dy


def _place(header: Mapping[str, float], axis: str, size: float) -> float:
    """Coordinate of the first sample."""
    if f"{axis}llcenter" in header:
        return header[f"{axis}llcenter"]
    if axis == "x" and "ulxmap" in header:
        return header["ulxmap"]
    return header.get(f"{axis}llcorner", 0.0) + size / 2


def _system(path: Path) -> tuple[bool, int | None, float] | None:
    """Whether coordinates are degrees, the EPSG code and the unit in meters, of the .prj file."""
    for suffix in (".prj", ".PRJ"):
        beside = path.with_suffix(suffix)
        if beside.is_file():
            with beside.open("rb") as file:
                text = file.read(20_000).decode("utf-8", "replace").strip()
            break
    else:
        return None
    code = _EPSG.search(text)
    epsg = int(code[1]) if code else None
    if text.upper().startswith(("GEOGCS", "GEOGCRS")):
        return True, epsg, 1.0
    units = _UNIT.findall(text)
    if not text.upper().startswith(("PROJCS", "PROJCRS")) or not units:
        return None
    try:  # the last unit is that of the projection, the one before it that of its angles
        return False, epsg, float(units[-1][1])
    except ValueError:
        return None
