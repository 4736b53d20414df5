# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the pixels of an image lie: by its own tags, a world file or an .aux.xml file."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from ..elevation import Georeference
from .beside import Beside
from .geotiff.keys import Keys
from .geotiff.placing import placed
from .geotiff.tags import read_directories
from .raster import Raster, Stated, place_of

TIFF = (".tif", ".tiff")


class Unplaced(ValueError):
    """An image that does not say where it lies."""


def image_place(path: str | Path, columns: int, rows: int) -> Georeference:
    """Return the coordinates of the middles of an image's pixels, row 0 in the south.

    Parameters
    ----------
    path : a GeoTIFF, or any image with a world file (.jgw, .pgw, .tfw, .wld) or .aux.xml file. The
        coordinate system is that of the file, of a .prj or of the .aux.xml file beside it
    columns, rows : pixels of the image

    Raises
    ------
    Unplaced : an image that does not say where it lies
    ValueError : a damaged file, or a coordinate system that is not known
    OSError : the file cannot be read
    """
    path = Path(path)
    raster = Raster(np.broadcast_to(np.float32(0), (rows, columns)))
    if path.suffix.lower() in TIFF:
        raster = _tagged(path, raster)
    place, _ = place_of(Beside(path).complete(raster), Stated())
    if place is None:
        raise Unplaced(
            f"{path.name} does not say where it lies: put a world file beside it, such as "
            f"{path.stem}.{path.suffix[1:2].lower()}{path.suffix[-1:].lower()}w, and a .prj file"
        )
    return place


def _tagged(path: Path, raster: Raster) -> Raster:
    """Add what the tags of a TIFF file say."""
    try:
        with path.open("rb") as file:
            tags, _ = read_directories(file, path.stat().st_size)
            keys = Keys.of(tags)
            affine, notes = placed(tags, keys)
    except (struct.error, OverflowError, IndexError) as error:
        raise ValueError(f"{path.name} is not a complete TIFF file: {error}") from None
    try:
        system, trouble = keys.system()[0], ""
    except ValueError as error:
        system, trouble = None, str(error)
    return Raster(raster.height, affine=affine, system=system, trouble=trouble, notes=notes)
