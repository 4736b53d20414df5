# SPDX-License-Identifier: GPL-3.0-or-later
"""ESRI float grids (.flt), with their header in a .hdr file beside them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...elevation import Elevation, without_marks
from ...numerics.progress import Cancel
from ..registry import Format, add
from ..samples import read_numbers
from .header import BYTE_ORDER, counts_of, no_data_of, number_of, place_of

ORDERS = {"lsbfirst": "<", "i": "<", "intel": "<", "msbfirst": ">", "m": ">", "motorola": ">"}
"""Byte orders of NumPy by those of Esri's and GDAL's headers."""
SKIPPED = ("nbands", "layout", "bandrowbytes", "totalrowbytes", "bandgapbytes", "skipbytes")
LONGEST_HEADER = 10_000


def read(path: Path, cancelled: Cancel | None = None) -> Elevation:
    """Heights in meters, rows from north to south in the file."""
    header, order = _header(path)
    columns, rows = counts_of(header)
    size = path.stat().st_size
    if size != 4 * columns * rows:
        raise ValueError(
            f"it has {size} bytes, not the {4 * columns * rows} of {columns} x {rows} heights"
        )
    place, note = place_of(path, header)
    height = np.empty((rows, columns), np.float32)
    with path.open("rb") as file:
        read_numbers(file, np.dtype(order + "f4"), height[::-1], cancelled)
    notes = without_marks(height, no_data_of(header))[1] + ((note,) if note else ())
    return Elevation.at(height, place, notes) if place else Elevation(height, notes=notes)


def _header(path: Path) -> tuple[dict[str, float], str]:
    """Read the names and numbers of the header, and the byte order."""
    beside = next((path.with_suffix(one) for one in (".hdr", ".HDR")
                   if path.with_suffix(one).is_file()), None)  # fmt: skip
    if beside is None:
        raise ValueError(f"its header {path.stem}.hdr is not beside it")
    with beside.open("rb") as file:
        text = file.read(LONGEST_HEADER).decode("ascii", "replace")
    header: dict[str, float] = {}
    order = "<"
    for line in text.splitlines():
        name, *words = line.lower().split() or [""]
        if name == BYTE_ORDER:
            order = ORDERS.get(" ".join(words), "")
            if not order:
                raise ValueError(f"its byte order is {' '.join(words)[:40]!r}, not LSBFIRST")
        elif name in ("nbits", "pixeltype"):
            if words not in (["32"], ["float"]):
                raise ValueError(f"its header says {line[:40]!r}: only 32-bit floats are read")
        elif name in SKIPPED:
            continue
        elif name:
            header[name] = number_of(name, words)
    return header, order


add(Format(".flt", "an ESRI float grid, with a .hdr file beside it", read))
