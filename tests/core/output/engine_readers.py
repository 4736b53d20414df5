# SPDX-License-Identifier: GPL-3.0-or-later
"""Height files of exports as engines read them: by other readers, and by the manifest alone."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
import tifffile
from numpy.typing import NDArray

Array = NDArray[Any]
Enter = Mapping[str, Any]
_PLACE = re.compile(r"_x?(\d+)_[yz]?(\d+)(_gsi)?\.\w+$")
FROM_NORTH = ("unreal", "terrain3d", "hterrain", "roblox", "plain")
"""Engines whose tiles are counted from the north."""


def decoded(path: Path) -> Array:
    """A PNG file, row 0 in the south."""
    with PIL.Image.open(path) as opened:
        return np.array(opened)[::-1]


def stored(path: Path, shape: tuple[int, int], north_first: bool) -> Array:
    """The numbers of a height file, (ny, nx) float64, row 0 in the south."""
    if path.suffix in (".raw", ".r16"):
        found = np.fromfile(path, "<u2").reshape(shape)
        return (found[::-1] if north_first else found).astype(float)
    if path.suffix == ".png":
        return decoded(path).astype(float)
    if path.suffix == ".npy":
        return np.load(path).astype(float)
    if path.suffix == ".tif":
        return tifffile.imread(path)[::-1].astype(float)
    return channel(path).astype(float)


def channel(path: Path) -> Array:
    """The three equal channels of an OpenEXR file, row 0 in the south."""
    exr = pytest.importorskip("OpenEXR")
    red, green, blue = np.moveaxis(exr.File(str(path)).channels()["RGB"].pixels, 2, 0)
    bits = red.view(np.uint32)
    assert (bits == green.view(np.uint32)).all() and (bits == blue.view(np.uint32)).all()
    return red[::-1]


def _scaled(low: str, high: str) -> Callable[[Array, Enter], Array]:
    return lambda tile, enter: enter[low] + tile / 65535 * (enter[high] - enter[low])


METERS: dict[str, Callable[[Array, Enter], Array]] = {
    "unreal": lambda tile, enter: (
        ((tile - 32768) / 128 * enter["Scale Z"] + enter["Location Z"]) / 100
    ),
    "unity": lambda tile, enter: tile / 65535 * enter["Terrain Height"] + enter["Position Y"],
    "terrain3d": lambda tile, enter: (
        tile / 65535 * (enter["r16_range"][1] - enter["r16_range"][0]) + enter["r16_range"][0]
    ),
    "hterrain": _scaled("Min height", "Max height"),
    "o3de": lambda tile, enter: (tile / 65535 - 0.5) * enter["Dimensions Z"] + enter["Translate Z"],
    "roblox": lambda tile, enter: (
        ((tile / 65535 - 0.5) * enter["Size Y"] + enter["Position Y"]) / enter["Studs Per Meter"]
    ),
    "plain": _scaled("Lowest (0)", "Highest (65535)"),
}
"""Meters of numbers of 16 bits."""


def place_of(key: str, name: str, rows: int) -> tuple[int, int]:
    """Column and row of a tile by the name of its file, from the lowest x and y."""
    found = _PLACE.search(name)
    if found is None:
        return 0, 0
    column, row = int(found[1]), int(found[2])
    return column, rows - 1 - row if key in FROM_NORTH else row


def whole(folder: Path, about: Mapping[str, Any]) -> Array:
    """The heights of all tiles in meters; tiles that meet must have equal samples."""
    key, (nx, ny), (side_x, side_y) = about["engine"], about["points"], about["tile_points"]
    out = np.full((ny, nx), np.nan)
    for one in about["files"]:
        if one["kind"] != "height":
            continue
        x, y = place_of(key, one["path"], about["tiles"][1])
        tile = stored(folder / one["path"], (side_y, side_x), key != "unity")
        if not one["path"].endswith((".exr", ".tif", ".npy")):
            tile = METERS[key](tile, about["import_settings"])
        part = out[y * (side_y - 1) :, x * (side_x - 1) :][:side_y, :side_x]
        seen = np.isfinite(part)
        assert (part[seen] == tile[seen]).all()
        part[:] = tile
    assert np.isfinite(out).all()
    return out
