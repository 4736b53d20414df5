# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays in files that need no library but NumPy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

LEAST_METRES = 0.05
"""Cells of an ESRI grid that are smaller are taken for degrees, of which 0.05 would be 5 km."""


def read_array(path: Path, what: str) -> NDArray[np.float32]:
    """The array of a .npy file, checked; ``what`` it holds is for messages.

    Raises
    ------
    OSError : it cannot be read
    ValueError : damaged, not two-dimensional, or not all finite numbers
    """
    try:
        with path.open("rb") as file:  # np.load itself leaves some damaged files open
            found: object = np.load(file, allow_pickle=False)
    except OSError:
        raise
    except Exception:  # whatever the damage makes NumPy stumble over
        raise ValueError(f"{path.name}: this is not a whole .npy file of {what}") from None
    values = cast(NDArray[Any], found)
    if not isinstance(found, np.ndarray) or values.ndim != 2 or values.dtype.kind not in "fiu":
        raise ValueError(f"{path.name}: expected a two-dimensional array of {what}")
    return _finite(path, values, what)


def read_esri_grid(path: Path) -> tuple[NDArray[np.float32], float | None]:
    """Heights of an ESRI ASCII grid (.asc), and metres between them.

    A few lines of names and numbers, then the rows from north to south. GDAL makes it of any
    elevation file, and many map services offer it.

    Returns
    -------
    heights : (rows, columns) float32, the row of lowest y first
    spacing : None if the file says it in degrees

    Raises
    ------
    OSError : it cannot be read
    ValueError : no such file, damaged, or with cells of no data
    """
    try:
        with path.open(encoding="ascii") as file:
            header, rows = _split(file)
            heights = np.loadtxt(rows, np.float64, ndmin=2)
        heights = heights.reshape(int(header["nrows"]), int(header["ncols"]))
        missing = heights == float(header.get("nodata_value", "nan"))
        size = float(header["cellsize"])
    except (ValueError, KeyError):
        raise ValueError(f"{path.name}: this is not a whole ESRI grid of heights") from None
    if missing.any():
        raise ValueError(f"{path.name}: some cells hold no data: cut out a part without gaps")
    spacing = size if size >= LEAST_METRES else None
    return _finite(path, heights[::-1], "heights"), spacing


def _split(lines: Iterator[str]) -> tuple[dict[str, str], Iterator[str]]:
    """Names and numbers at the top, and the rows after them."""
    header: dict[str, str] = {}
    for line in lines:
        words = line.split()
        if words and not words[0][0].isalpha():
            return header, chain([line], lines)
        if words:
            name, number = words
            header[name.lower()] = number
    raise ValueError("There are no rows")


def _finite(path: Path, found: NDArray[Any], what: str) -> NDArray[np.float32]:
    with np.errstate(over="ignore"):
        values = np.ascontiguousarray(found, np.float32)
    if not np.isfinite(values).all():
        raise ValueError(
            f"{path.name}: all {what} must be finite numbers, of less than 3.4e38 either way"
        )
    return values
