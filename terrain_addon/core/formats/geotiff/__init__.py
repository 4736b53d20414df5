# SPDX-License-Identifier: GPL-3.0-or-later
"""GeoTIFF elevation models (.tif, .tiff), BigTIFF and cloud-optimized ones included.

Sources: Adobe, *TIFF Revision 6.0*, 1992; *TIFF Technical Note 3* (predictor 3), 2005; AWare
Systems, *The BigTIFF File Format*, 2004; OGC 19-008r4, *GeoTIFF Standard 1.1*, 2019.
"""

from __future__ import annotations

import struct
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from ...elevation import without_marks
from ...elevation.systems import length_named
from ...numerics.arrays import Floats
from ...numerics.progress import Cancel
from ..beside import Beside
from ..raster import Raster, stored_numbers
from ..registry import Format, add
from ..samples import mark_of
from .blocks import apply_mask, read_blocks
from .compression import errors
from .keys import Keys
from .layout import Layout
from .metadata import Metadata
from .placing import placed
from .tags import read_directories
from .writer import write_geotiff


@contextmanager
def _whole() -> Generator[None]:
    """Turn what damaged files cause into one message."""
    try:
        yield
    except (struct.error, OverflowError, IndexError, *errors()) as error:
        raise ValueError(f"this is not a complete TIFF file: {error}") from None


def read_geotiff(path: Path, beside: Beside, cancelled: Cancel | None = None) -> Raster:
    """Read the first image of a file with one band, or with one and a mask.

    Raises ValueError for damaged files, compression with LERC or JPEG, and pictures.
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
    stored, more = stored_numbers(layout.dtype, height, affine is not None or beside.is_placed)
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


for _suffix in (".tif", ".tiff"):
    add(Format(_suffix, "a GeoTIFF elevation model", read_geotiff, write_geotiff, places=True))
