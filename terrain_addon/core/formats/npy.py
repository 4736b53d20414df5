# SPDX-License-Identifier: GPL-3.0-or-later
"""NumPy arrays (.npy)."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from .elevation import Elevation, check_count, without_marks
from .registry import Format, add, as_heights
from .rows import HeightRows


def read(path: Path) -> Elevation:
    """A two-dimensional array of real numbers in meters, without a spacing."""
    try:
        with path.open("rb") as file:  # np.load itself leaves some damaged files open
            _check_header(file, path.stat().st_size)
            found: object = np.load(file, allow_pickle=False)
    except OSError:
        raise
    except Exception:  # any error that a damaged file causes in NumPy
        raise ValueError("this is not a complete .npy file") from None
    values = cast(NDArray[Any], found)
    if not isinstance(found, np.ndarray) or values.ndim != 2 or values.dtype.kind not in "fiu":
        raise ValueError("expected a two-dimensional array of numbers")
    check_count(values.shape[1], values.shape[0])
    height = as_heights(values)
    return Elevation(height, notes=without_marks(height, None)[1])


def _check_header(file: IO[bytes], size: int) -> None:
    """Raise ValueError if the array is larger than its file: np.load would take memory for it."""
    version = np.lib.format.read_magic(file)
    read_header = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }[version]
    shape, _, dtype = read_header(file)
    count = 1
    for side in shape:
        count *= side
    if count * dtype.itemsize > size:
        raise ValueError("it is cut off")
    file.seek(0)


def write(file: IO[bytes], rows: HeightRows) -> None:
    """The heights in meters, float32."""
    about = {"descr": "<f4", "fortran_order": False, "shape": rows.shape}
    np.lib.format.write_array_header_1_0(file, about)
    for part in rows:
        file.write(part.astype("<f4", copy=False).data.cast("B"))


add(Format(".npy", "a NumPy array, float32 in meters", read, write))
