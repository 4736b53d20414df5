# SPDX-License-Identifier: GPL-3.0-or-later
"""Headers of ESRI beside binary grids: one name and value a line."""

from __future__ import annotations

from ..esri.header import KNOWN, SIZES, affine_of, counts_of, number_of
from .grid import Grid, check_bands, number_type

LONGEST_HEADER = 10_000
ORDERS = {"lsbfirst": "<", "i": "<", "intel": "<", "msbfirst": ">", "m": ">", "motorola": ">"}
"""Byte orders of NumPy by those of Esri's and GDAL's headers."""
PIXEL_TYPES = {"float": "f", "signedint": "i", "unsignedint": "u"}
NUMBERS = ("nbands", "nbits", "skipbytes", "bandrowbytes", "totalrowbytes", "bandgapbytes")
DEFAULT_NO_DATA = "-9999"
"""Of a float grid."""


def grid_of(text: str, suffix: str, size: int) -> Grid:
    """Return what a header says about a file of ``size`` bytes."""
    header, words, given = _lines(text)
    columns, rows = counts_of(header)
    check_bands(given.get("nbands", 1))
    order = ORDERS.get(words.get("byteorder", "i"), "")
    if not order:
        raise ValueError(f"its byte order is {words['byteorder'][:40]!r}, not LSBFIRST")
    no_data = words.get("nodata_value", words.get("nodata"))
    kind, bits, notes = _type(words, given, suffix, no_data)
    dtype = number_type(kind, bits, order)
    row = columns * dtype.itemsize
    whole = given.get("totalrowbytes", given.get("bandrowbytes", row))
    if whole < row:
        raise ValueError(f"its rows of {whole} bytes are too short for {columns} samples")
    grid = Grid(columns, rows, dtype, given.get("skipbytes", 0), whole - row, no_data)
    if suffix == ".flt" and size != grid.size:
        raise ValueError(f"it has {size} bytes, not the {grid.size} of {columns} x {rows} heights")
    affine, more = affine_of(header) if any(name in header for name in SIZES) else (None, ())
    return Grid(columns, rows, dtype, grid.skip, grid.gap, no_data, affine, notes=(*notes, *more))


def _lines(text: str) -> tuple[dict[str, float], dict[str, str], dict[str, int]]:
    """Return numbers of grids, words, and numbers of binary files, by their names."""
    header: dict[str, float] = {}
    words: dict[str, str] = {}
    given: dict[str, int] = {}
    for line in text[:LONGEST_HEADER].splitlines():
        name, *values = line.lower().split() or [""]
        words.setdefault(name, " ".join(values))
        if name in NUMBERS:
            given[name] = _whole(name, words[name])
        elif name in KNOWN:  # others say nothing of numbers in one band
            header[name] = number_of(name, values)
    return header, words, given


def _whole(name: str, text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise ValueError(f"{name} is {text[:40]!r}, not a whole number")
    return int(text)


def _type(
    words: dict[str, str], given: dict[str, int], suffix: str, no_data: str | None
) -> tuple[str, int, tuple[str, ...]]:
    """Return the kind of numbers, their bits, and notes; Esri's default is unsigned."""
    said = words.get("pixeltype")
    if said is not None and said not in PIXEL_TYPES:
        raise ValueError(f"its pixel type is {said[:40]!r}, not FLOAT, SIGNEDINT or UNSIGNEDINT")
    if suffix == ".flt":
        if given.get("nbits", 32) != 32 or said not in (None, "float"):
            raise ValueError("its header says other numbers: only 32-bit floats are read")
        return "f", 32, ()
    bits = given.get("nbits", 8)
    if said is not None:
        return PIXEL_TYPES[said], bits, ()
    if bits > 8 and (suffix == ".dem" or (no_data or "").startswith("-")):
        return "i", bits, ("Its header names no PIXELTYPE: numbers taken as signed.",)
    return "u", bits, () if bits == 8 else ("Its header names no PIXELTYPE: unsigned, as usual.",)
