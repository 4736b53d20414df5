# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers with a header file of ESRI or ENVI beside them (.flt, .bil, .bsq, .bip, .img, .dem).

Sources: Esri, *ArcGIS documentation*, "BIL, BIP and BSQ raster files" and "Float To Raster"; NV5,
*ENVI documentation*, "ENVI Header Files".
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...elevation import Unread, without_marks
from ...numerics.progress import Cancel
from ..beside import Beside
from ..raster import Raster, stored_numbers
from ..registry import Format, add
from ..samples import mark_of
from . import envi, esri
from .grid import Grid, read_grid

HFA = b"EHFA_HEADER_TAG"
"""Begins files of ERDAS Imagine, which are called .img too."""


def read(path: Path, beside: Beside, cancelled: Cancel | None = None) -> Raster:
    """Heights, rows from north to south in the file."""
    grid = _grid(path, beside)
    size = path.stat().st_size
    if size < grid.size:
        raise ValueError(
            f"it has {size} bytes, not the {grid.size} that its header says for {grid.columns} x "
            f"{grid.rows} samples"
        )
    height = np.empty((grid.rows, grid.columns), np.float32)
    mark = mark_of(beside.no_data or grid.no_data, grid.dtype)
    with path.open("rb") as file:
        read_grid(file, grid, height[::-1], cancelled, mark)
    notes = (*grid.notes, *without_marks(height, mark)[1])
    stored, more = stored_numbers(grid.dtype, height, grid.affine is not None or beside.is_placed)
    return Raster(
        height, affine=grid.affine, system=grid.system, trouble=grid.trouble, stored=stored,
        notes=notes + more,
    )  # fmt: skip


def _grid(path: Path, beside: Beside) -> Grid:
    """Read the header."""
    with path.open("rb") as file:
        if file.read(len(HFA)) == HFA:
            raise Unread("it is a file of ERDAS Imagine (HFA), which is not read")
    text = beside.text(".hdr")
    if text is None:
        raise Unread(f"its header {path.stem}.hdr is not beside it")
    if text.lstrip().startswith(envi.BEGIN):
        return envi.grid_of(text)
    return esri.grid_of(text, path.suffix.lower(), path.stat().st_size)


for _suffix, _help in {
    ".flt": "an ESRI float grid, with a .hdr file beside it",
    ".bil": "rows of ESRI or ENVI, with a .hdr file beside it",
    ".bsq": "bands of ESRI or ENVI, with a .hdr file beside it",
    ".bip": "pixels of ESRI or ENVI, with a .hdr file beside it",
    ".img": "a raster of ENVI, with a .hdr file beside it",
    ".dem": "a grid of GTOPO30 or SRTM30, with a .hdr file beside it",
}.items():
    add(Format(_suffix, _help, read))
