# SPDX-License-Identifier: GPL-3.0-or-later
"""NumPy arrays (.npy)."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import numpy as np

from ..elevation import check_count, without_marks
from ..numerics.progress import Cancel
from .beside import Beside
from .raster import Raster
from .registry import Format, add
from .rows import HeightRows
from .samples import mark_of, read_numbers

LONGEST_HEADER = 10_000
"""Bytes of the text that describes the array; NumPy parses no longer one either."""


def read(path: Path, beside: Beside, cancelled: Cancel | None = None) -> Raster:
    """Read a two-dimensional array of real numbers in meters, the southern row first."""
    with path.open("rb") as file:
        try:
            shape, by_columns, dtype = _header(file)
        except OSError:
            raise
        except Exception:  # any error that a damaged header causes in NumPy
            raise ValueError("this is not a complete .npy file") from None
        if len(shape) != 2 or dtype.kind not in "fiu":
            raise ValueError("expected a two-dimensional array of numbers")
        rows, columns = shape
        check_count(columns, rows)
        if file.tell() + rows * columns * dtype.itemsize > path.stat().st_size:
            raise ValueError("this is not a complete .npy file")
        height = np.empty((rows, columns), np.float32)
        mark = mark_of(beside.no_data, dtype)
        read_numbers(file, dtype, height.T if by_columns else height, cancelled, mark)
    return Raster(height, False, notes=without_marks(height, mark)[1])


def _header(file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Return the shape, whether columns come one after the other, and type."""
    version = np.lib.format.read_magic(file)
    read_header, bytes_of_length = {
        (1, 0): (np.lib.format.read_array_header_1_0, 2),
        (2, 0): (np.lib.format.read_array_header_2_0, 4),
    }[version]
    start = file.tell()
    if int.from_bytes(file.read(bytes_of_length), "little") > LONGEST_HEADER:
        raise ValueError("its header is too long")  # NumPy would take memory for it
    file.seek(start)
    return read_header(file)


def write(file: IO[bytes], rows: HeightRows) -> None:
    """Write the heights in meters as float32."""
    about = {"descr": "<f4", "fortran_order": False, "shape": rows.shape}
    np.lib.format.write_array_header_1_0(file, about)
    for part in rows:
        file.write(part.astype("<f4", copy=False).data.cast("B"))


add(Format(".npy", "a NumPy array, float32 in meters", read, write, any_row=True, south_first=True))
