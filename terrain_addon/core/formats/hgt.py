# SPDX-License-Identifier: GPL-3.0-or-later
"""SRTM tiles (.hgt): squares of one degree, named after their south-western corner.

Source: NASA, *SRTM Topography* (SRTM_Topo.pdf), 2005.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from ..elevation import Elevation, Georeference, without_marks
from ..numerics.progress import Cancel
from .registry import Format, add
from .samples import read_numbers

SIDES = (1201, 3601, 7201)
"""Samples along a side: 3, 1 and 1/2 arc seconds apart, the outer ones on the degree lines."""
NO_DATA = -32768.0
_NAME = re.compile(r"([NS])(\d{1,2})([EW])(\d{1,3})", re.IGNORECASE)


def read(path: Path, cancelled: Cancel | None = None) -> Elevation:
    """Heights in meters, big-endian int16, rows from north to south in the file."""
    size = path.stat().st_size
    side = next((one for one in SIDES if 2 * one * one == size), None)
    if side is None:
        sizes = ", ".join(f"{2 * one * one} ({one} x {one})" for one in SIDES)
        raise ValueError(f"an SRTM tile has {sizes} bytes, but this file has {size}")
    height = np.empty((side, side), np.float32)
    with path.open("rb") as file:
        read_numbers(file, np.dtype(">i2"), height[::-1], cancelled)
    _, notes = without_marks(height, NO_DATA)
    found = _NAME.match(path.stem)
    if not found:
        note = "Its name is not like N35E138, so that its place and spacing are not known."
        return Elevation(height, notes=(*notes, note))
    latitude = int(found[2]) * (1 if found[1].upper() == "N" else -1)
    longitude = int(found[4]) * (1 if found[3].upper() == "E" else -1)
    if not (-90 <= latitude < 90 and -180 <= longitude <= 180):
        raise ValueError(f"its name gives latitude {latitude} and longitude {longitude}")
    step = 1 / (side - 1)
    place = Georeference((longitude, latitude), (step, 0), (0, step), geographic=True, epsg=4326)
    return Elevation.at(height, place, notes)


add(Format(".hgt", "an SRTM tile of one degree", read))
