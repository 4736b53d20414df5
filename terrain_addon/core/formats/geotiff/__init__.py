# SPDX-License-Identifier: GPL-3.0-or-later
"""GeoTIFF elevation models (.tif, .tiff), BigTIFF and cloud-optimized ones included.

Sources: Adobe, *TIFF Revision 6.0*, 1992; *TIFF Technical Note 3* (predictor 3), 2005; AWare
Systems, *The BigTIFF File Format*, 2004; OGC 19-008r4, *GeoTIFF Standard 1.1*, 2019.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from ...elevation import without_marks
from ...elevation.systems import length_named
from ...numerics.arrays import Floats
from ...numerics.progress import Cancel
from ..beside import Beside
from ..raster import Raster
from ..registry import Format, add
from ..samples import mark_of
from .blocks import apply_mask, read_blocks
from .keys import Keys
from .layout import Layout
from .metadata import Metadata
from .placing import placed
from .tags import read_directories
from .writer import write_geotiff

HIGHEST = 9000
"""Meters that no terrain of the Earth exceeds; numbers that are normalized reach 65535."""


@contextmanager
def _whole() -> Generator[None]:
    """Turn what damaged files cause into one message."""
    try:
        yield
    except (struct.error, zlib.error, OverflowError, IndexError) as error:
        raise ValueError(f"this is not a complete TIFF file: {error}") from None


def read_geotiff(path: Path, beside: Beside, cancelled: Cancel | None = None) -> Raster:
    """Read the first image of a file with one band, or with one and a mask.

    Raises ValueError for damaged files, compression with ZSTD, LERC or JPEG, and pictures.
    """
    with _whole(), path.open("rb") as file:
        tags, mask = read_directories(file, path.stat().st_size)
        layout = Layout.of(tags)
        meta = Metadata.of(tags)
        keys = Keys.of(tags)
        affine, notes = placed(tags, keys)
        no_data = beside.no_data or meta.no_data
        mark = mark_of(no_data, layout.dtype)
        height = read_blocks(file, layout, mark, cancelled)
        masked = 0
        if mask is not None:
            masked += apply_mask(file, Layout.of(mask, mask=True), height, cancelled)
    masked += _mask_beside(beside, height, cancelled)
    if masked or layout.has_alpha:
        notes += (f"{masked} samples are void by the mask.",) if masked else ()
    notes += without_marks(height, mark)[1]
    system, trouble = None, ""
    try:
        system, more = keys.system()
        notes += more
    except ValueError as error:
        trouble = str(error)
    if layout.is_rounded:
        notes += (f"Heights rounded from {layout.type_name} to 32-bit floats.",)
    stored, more = _stored(layout, height, affine is not None or beside.is_placed)
    return Raster(
        height, True, affine, system, trouble, meta.factor, meta.offset, length_named(meta.unit),
        meta.unit, stored, notes + more,
    )  # fmt: skip


def _mask_beside(beside: Beside, height: Floats, cancelled: Cancel | None) -> int:
    """Make void what NAME.tif.msk masks; return how many samples."""
    path = beside.find(".msk")
    if path is None:
        return 0
    with _whole(), path.open("rb") as file:
        tags, _ = read_directories(file, path.stat().st_size)
        return apply_mask(file, Layout.of(tags, mask=True), height, cancelled)


def _stored(
    layout: Layout, height: Floats, is_placed: bool
) -> tuple[tuple[float, float] | None, tuple[str, ...]]:
    """Return the lowest and highest number that a file can store; None if its numbers are meters.

    Terrain tools write unsigned numbers from the lowest to the highest point, up to the largest."""
    if layout.dtype.kind != "u" or is_placed:
        return None, ()
    highest = float(np.fmax.reduce(height, None))
    if layout.dtype.itemsize > 1 and highest <= HIGHEST:
        return None, (f"Whole numbers up to {highest:g} taken as meters.",)
    return (0.0, float(np.iinfo(layout.dtype).max)), ()


for _suffix in (".tif", ".tiff"):
    add(Format(_suffix, "a GeoTIFF elevation model", read_geotiff, write_geotiff, places=True))
