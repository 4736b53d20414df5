# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation files and images that GDAL reads, with rasterio."""

from __future__ import annotations

import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

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


def read_colors(path: Path) -> NDArray[np.uint8]:
    """Return the colors of an image such as a JPEG file, (rows, columns, 4): RGB and alpha, row 0
    in the south. Pixels without data are transparent.

    Raises ValueError for a file that GDAL does not read, and for one without 8-bit colors.
    """
    rasterio = library("rasterio", "gis", path.name)
    try:
        with warnings.catch_warnings(), rasterio.open(path) as dataset:
            warnings.simplefilter("ignore")  # of an image without a place
            check_count(dataset.width, dataset.height)
            return _colors(dataset)[::-1].copy()
    except rasterio.errors.RasterioError as error:
        raise ValueError(f"{path.name}: GDAL does not read it: {error}") from None
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None


def _colors(dataset: Any) -> NDArray[np.uint8]:
    """Return RGB and alpha of a dataset of gray, RGB or a palette, with its mask."""
    if set(dataset.dtypes) != {"uint8"}:
        raise ValueError(
            f"its numbers are {dataset.dtypes[0]}: make bytes of them, for example with "
            "gdal_translate -ot Byte -scale"
        )
    out = np.full((dataset.height, dataset.width, 4), 255, np.uint8)
    if dataset.colorinterp[0].name == "palette":
        table = np.zeros((256, 4), np.uint8)
        for number, color in dataset.colormap(1).items():
            table[number] = color
        out[...] = table[dataset.read(1)]
    else:
        bands = (1, 2, 3) if dataset.count > 2 else (1, 1, 1)
        for channel, band in enumerate(bands):
            out[..., channel] = dataset.read(band)
    np.minimum(out[..., 3], dataset.dataset_mask(), out=out[..., 3])
    return out


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
