# SPDX-License-Identifier: GPL-3.0-or-later
"""GeoTIFF elevation models (.tif, .tiff), BigTIFF and cloud-optimized ones included.

Sources: Adobe, *TIFF Revision 6.0*, 1992; *TIFF Technical Note 3* (predictor 3), 2005; AWare
Systems, *The BigTIFF File Format*, 2004; OGC 19-008r4, *GeoTIFF Standard 1.1*, 2019.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np

from ...elevation import Elevation, without_marks
from ...numerics.progress import Cancel
from ..registry import Format, add
from ..samples import flip_rows
from .blocks import read_blocks
from .layout import Layout
from .metadata import Metadata
from .placing import georeference
from .tags import read_directory
from .writer import write_geotiff


def read_geotiff(path: Path, cancelled: Cancel | None = None) -> Elevation:
    """Read heights in meters: the first band of the first image of a file with one band.

    Raises ValueError for damaged files, compression with ZSTD, LERC or JPEG, and pictures.
    """
    try:
        with path.open("rb") as file:
            tags = read_directory(file, path.stat().st_size)
            layout = Layout.of(tags)
            meta = Metadata.of(tags, layout)
            place, notes = georeference(tags, layout)
            height = read_blocks(file, layout, meta.no_data, cancelled)
    except (struct.error, zlib.error, OverflowError, IndexError) as error:
        raise ValueError(f"this is not a complete TIFF file: {error}") from None
    notes += without_marks(height, meta.no_data)[1]
    if meta.factor != 1 or meta.offset:
        height *= height.dtype.type(meta.factor)
        height += height.dtype.type(meta.offset)
        notes += (meta.note,)
    if layout.is_rounded:
        notes += (f"Heights rounded from {layout.type_name} to 32-bit floats.",)
    if place is None:
        notes += ("The file does not say where it lies.",)
        return Elevation(height, stored=_stored(layout, meta), notes=notes)
    if place.mirrored:  # rows from south to north in the file
        rows = height.shape[0]
        place = place.mapped((0, rows - 1), (1, 0), (0, -1))
        flip_rows(height)
    return Elevation.at(height, place, notes)


def _stored(layout: Layout, meta: Metadata) -> tuple[float, float] | None:
    """Return the lowest and highest number that a file can store; None if its numbers are meters.

    Terrain tools write unsigned numbers from the lowest to the highest point."""
    if layout.dtype.kind != "u" or meta != Metadata(meta.no_data):
        return None
    return 0.0, float(np.iinfo(layout.dtype).max)


for _suffix in (".tif", ".tiff"):
    add(Format(_suffix, "a GeoTIFF elevation model", read_geotiff, write_geotiff))
