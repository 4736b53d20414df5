# SPDX-License-Identifier: GPL-3.0-or-later
"""ESRI float grids (.flt), with their header in a .hdr file beside them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...elevation import without_marks
from ...numerics.progress import Cancel
from ..beside import Beside
from ..raster import Raster
from ..registry import Format, add
from ..samples import mark_of, read_numbers
from .header import BYTE_ORDER, KNOWN, affine_of, counts_of, no_data_of, number_of

LONGEST_HEADER = 10_000
ORDERS = {"lsbfirst": "<", "i": "<", "intel": "<", "msbfirst": ">", "m": ">", "motorola": ">"}
"""Byte orders of NumPy by those of Esri's and GDAL's headers."""


def read(path: Path, beside: Beside, cancelled: Cancel | None = None) -> Raster:
    """Heights, rows from north to south in the file."""
    header, order = _header(path, beside)
    columns, rows = counts_of(header)
    size = path.stat().st_size
    if size != 4 * columns * rows:
        raise ValueError(
            f"it has {size} bytes, not the {4 * columns * rows} of {columns} x {rows} heights"
        )
    affine, notes = affine_of(header)
    height = np.empty((rows, columns), np.float32)
    dtype = np.dtype(order + "f4")
    mark = mark_of(beside.no_data or repr(no_data_of(header)), dtype)
    with path.open("rb") as file:
        read_numbers(file, dtype, height[::-1], cancelled, mark)
    return Raster(height, affine=affine, notes=without_marks(height, mark)[1] + notes)


def _header(path: Path, beside: Beside) -> tuple[dict[str, float], str]:
    """Read the names and numbers of the header that matter here, and the byte order."""
    text = beside.text(".hdr")
    if text is None:
        raise ValueError(f"its header {path.stem}.hdr is not beside it")
    header: dict[str, float] = {}
    order = "<"
    for line in text[:LONGEST_HEADER].splitlines():
        name, *words = line.lower().split() or [""]
        if name == BYTE_ORDER:
            order = ORDERS.get(" ".join(words), "")
            if not order:
                raise ValueError(f"its byte order is {' '.join(words)[:40]!r}, not LSBFIRST")
        elif name in ("nbits", "pixeltype"):
            if words not in (["32"], ["float"]):
                raise ValueError(f"its header says {line[:40]!r}: only 32-bit floats are read")
        elif name in KNOWN:  # others say nothing of 32-bit floats in one band
            header[name] = number_of(name, words)
    return header, order


add(Format(".flt", "an ESRI float grid, with a .hdr file beside it", read))
