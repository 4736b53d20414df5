# SPDX-License-Identifier: GPL-3.0-or-later
"""NumPy arrays (.npy)."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from .registry import Format, Heights, add, finite
from .rows import HeightRows


def read(path: Path) -> Heights:
    """A two-dimensional array of real numbers, without a spacing."""
    try:
        with path.open("rb") as file:  # np.load itself leaves some damaged files open
            found: object = np.load(file, allow_pickle=False)
    except OSError:
        raise
    except Exception:  # any error that a damaged file causes in NumPy
        raise ValueError(f"{path.name}: this is not a complete .npy file") from None
    values = cast(NDArray[Any], found)
    if not isinstance(found, np.ndarray) or values.ndim != 2 or values.dtype.kind not in "fiu":
        raise ValueError(f"{path.name}: expected a two-dimensional array of numbers")
    return Heights(finite(path, values))


def write(file: IO[bytes], rows: HeightRows) -> None:
    """The heights in meters, float32."""
    about = {"descr": "<f4", "fortran_order": False, "shape": rows.shape}
    np.lib.format.write_array_header_1_0(file, about)
    for part in rows:
        file.write(part.astype("<f4", copy=False).data.cast("B"))


add(Format(".npy", "a NumPy array, float32 in meters", read, write))
