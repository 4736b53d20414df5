# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation files that GDAL reads, with rasterio."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ...core import formats
from ...core.elevation import (
    Elevation,
    Picture,
    System,
    check_count,
    length_named,
    system_in,
    without_marks,
)
from ...core.formats import Raster, Stated
from ...core.settings import check_regular
from .libraries import library

BATCH = 4 << 20
"""Samples that are read together."""


def is_installed() -> bool:
    """Return whether rasterio is installed."""
    return find_spec("rasterio") is not None


def read(path: Path, stated: Stated, why: str) -> Elevation:
    """Read the one band of a file, with its mask, place, unit, scale and offset.

    Parameters
    ----------
    path : a file that GDAL knows; archives are looked into
    stated : what the user says instead of the file
    why : why the file is not read otherwise, for the message where GDAL does not read it either

    Raises
    ------
    OSError : a folder, a pipe or a device
    ValueError : GDAL does not read it either; :class:`Picture` for several bands
    """
    check_regular(path)
    rasterio = library("rasterio", "gis")
    name = f"/vsizip/{path}" if path.suffix.lower() == ".zip" else str(path)
    try:
        with rasterio.open(name) as dataset:
            raster = _raster(dataset)
    except (rasterio.errors.RasterioError, rasterio.errors.RasterioIOError) as error:
        raise ValueError(f"{why}. GDAL does not read it either: {error}") from None
    except ValueError as error:
        raise type(error)(f"{path.name}: {error}") from None
    try:
        return formats.elevation_of(raster, stated)
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None


def _raster(dataset: Any) -> Raster:
    """Read a dataset of rasterio."""
    if dataset.count != 1 and not (dataset.count == 2 and dataset.colorinterp[1].name == "alpha"):
        raise Picture(
            f"it has {dataset.count} bands: choose the one with heights, for example with "
            "gdal_translate -b 1"
        )
    check_count(dataset.width, dataset.height)
    dtype = np.dtype(dataset.dtypes[0])
    if dtype.kind not in "fiu":
        raise ValueError(f"its numbers are {dtype}, not heights")
    height = _heights(dataset)
    notes = (f"Read by GDAL as {dataset.driver}.", *without_marks(height, dataset.nodata)[1])
    affine = None
    if not dataset.transform.is_identity:
        step = dataset.transform
        x, y = step @ (0.5, 0.5) if hasattr(step, "__matmul__") else step * (0.5, 0.5)
        affine = x, step.a, step.b, y, step.d, step.e
    system, trouble = _system(dataset)
    stored, more = formats.stored_numbers(dtype, height, affine is not None)
    unit = dataset.units[0] or ""
    return Raster(
        height, True, affine, system, trouble, dataset.scales[0], dataset.offsets[0],
        length_named(unit), unit, stored, notes + more,
    )  # fmt: skip


def _heights(dataset: Any) -> np.ndarray:
    """Return the heights, the southern row first, as NaN where the mask says so."""
    height = np.empty((dataset.height, dataset.width), np.float32)
    north_first = height[::-1]
    count = max(BATCH // dataset.width, 1)
    for start in range(0, dataset.height, count):
        rows = slice(start, min(start + count, dataset.height))
        window = ((rows.start, rows.stop), (0, dataset.width))
        part = dataset.read(1, window=window)
        with np.errstate(over="ignore", invalid="ignore"):
            values = part.astype(np.float32)
        values[np.isinf(values) | (dataset.read_masks(1, window=window) == 0)] = np.nan
        north_first[rows] = values
    return height


def _system(dataset: Any) -> tuple[System | None, str]:
    """Return the coordinate system, or why it is not known."""
    if dataset.crs is None:
        return None, ""
    try:
        return system_in(dataset.crs.to_wkt()), ""
    except ValueError as error:
        return None, str(error)
