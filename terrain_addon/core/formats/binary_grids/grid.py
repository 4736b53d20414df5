# SPDX-License-Identifier: GPL-3.0-or-later
"""What a header says about a file of numbers in one band."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, Any

import numpy as np

from ...elevation import Picture, System, Unread
from ...numerics.arrays import Floats
from ...numerics.blocks import parts
from ...numerics.progress import Cancel
from ..raster import Affine
from ..samples import check_row, read_numbers, store

BATCH = 1 << 20
"""Bytes of rows with gaps that are read together."""


@dataclass(frozen=True)
class Grid:
    """Size, type and place of the numbers of a file, from its header.

    Attributes
    ----------
    columns, rows : samples, the northern row first
    dtype : of the numbers, in the byte order of the file
    skip : bytes before the first row
    gap : bytes after each row
    no_data : the value that marks voids, as a text
    affine : where the samples lie; None where the header does not say
    system : of the coordinates; None where the header does not say
    trouble : why the system is not known although the header names one
    """

    columns: int
    rows: int
    dtype: np.dtype[Any]
    skip: int = 0
    gap: int = 0
    no_data: str | None = None
    affine: Affine | None = None
    system: System | None = None
    trouble: str = ""
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Bytes that the file has, at least."""
        row = self.columns * self.dtype.itemsize
        return self.skip + self.rows * (row + self.gap) - self.gap


def read_grid(
    file: IO[bytes],
    grid: Grid,
    heights: Floats,
    cancelled: Cancel | None = None,
    mark: int | float | None = None,
) -> None:
    """Fill heights with the numbers of a file, the first row on top."""
    file.seek(grid.skip)
    if not grid.gap:
        read_numbers(file, grid.dtype, heights, cancelled, mark)
        return
    used = grid.columns * grid.dtype.itemsize
    row = used + grid.gap
    check_row(row)
    for some in parts(grid.rows, BATCH // row, cancelled):
        data = file.read((some.stop - some.start) * row).ljust((some.stop - some.start) * row)
        lines = np.frombuffer(data, np.uint8).reshape(-1, row)[:, :used]
        store(np.ascontiguousarray(lines).view(grid.dtype), heights[some], mark)


def check_bands(bands: int) -> None:
    """Raise :class:`Picture` for several bands."""
    if bands != 1:
        raise Picture(
            f"it has {bands} bands: choose the one with heights, for example with "
            "gdal_translate -b 1"
        )


def number_type(kind: str, bits: int, order: str) -> np.dtype[Any]:
    """Return the type of numbers; :class:`Unread` for an unusual one."""
    if kind not in "uif" or bits not in (8, 16, 32, 64) or (kind, bits) in (("f", 8), ("f", 16)):
        raise Unread(f"its numbers of {bits} bits are of a kind that is not read")
    return np.dtype(f"{order}{kind}{bits // 8}")
