# SPDX-License-Identifier: GPL-3.0-or-later
"""SRTM tiles (.hgt): squares of one degree, named after their south-western corner.

Source: NASA, *SRTM Topography* (SRTM_Topo.pdf), 2005.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from ..elevation import System, without_marks
from ..numerics.progress import Cancel
from .beside import Beside
from .raster import Raster
from .registry import Format, add
from .samples import read_numbers

SIDES = (1201, 3601, 7201)
"""Samples along a meridian: 3, 1 and 1/2 arc seconds apart, the outer ones on the degree lines."""
COARSER = (1, 2)
"""Times by which columns may be farther apart: beyond 50 or 60 degrees, they are close together."""
_NAME = re.compile(r"([NS])(\d{1,2})([EW])(\d{1,3})", re.IGNORECASE)


def read(path: Path, beside: Beside, cancelled: Cancel | None = None) -> Raster:
    """Return the heights in meters, big-endian int16, rows from north to south in the file."""
    size = path.stat().st_size
    shapes = [((side - 1) // coarser + 1, side) for side in SIDES for coarser in COARSER]
    shape = next((shape for shape in shapes if 2 * shape[0] * shape[1] == size), None)
    if shape is None:
        sizes = ", ".join(f"{2 * nx * ny} ({nx} x {ny})" for nx, ny in shapes)
        raise ValueError(f"an SRTM tile has {sizes} bytes, but this file has {size}")
    columns, rows = shape
    height = np.empty((rows, columns), np.float32)
    with path.open("rb") as file:
        read_numbers(file, np.dtype(">i2"), height[::-1], cancelled, mark=-32768)
    _, notes = without_marks(height, -32768.0)
    name = _NAME.match(path.stem)
    if not name:
        note = "Its name is not like N35E138, so that its place and spacing are not known."
        return Raster(height, notes=(*notes, note))
    latitude = int(name[2]) * (1 if name[1].upper() == "N" else -1)
    longitude = int(name[4]) * (1 if name[3].upper() == "E" else -1)
    if not (-90 <= latitude < 90 and -180 <= longitude <= 180):
        raise ValueError(f"its name gives latitude {latitude} and longitude {longitude}")
    affine = longitude, 1 / (columns - 1), 0.0, latitude + 1.0, 0.0, -1 / (rows - 1)
    return Raster(height, affine=affine, system=System.coded(4326), notes=notes)


add(Format(".hgt", "an SRTM tile of one degree", read))
