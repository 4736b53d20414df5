# SPDX-License-Identifier: GPL-3.0-or-later
"""A world as one Zarr array: ``pip install "orogen[zarr]"``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.output.engines import Extent
from ...core.worlds import Tile, World
from .libraries import library

KEY = ".zarr"
ARRAY = "heights.zarr"


@dataclass(frozen=True)
class ZarrArray:
    """All heights as one array, in meters, row 0 at the lowest y.

    Its chunks are the tiles without their last row and column, which belong to the neighbors; those
    of the last tiles are chunks of their own. So no chunk is written by two processes.
    """

    folder: str = ARRAY

    def begin(self, world: World) -> None:
        """Make an empty array."""
        grid, step = world.grid, world.side - 1
        zarr = library("zarr", "zarr")
        zarr.create_array(
            store=str(world.folder / self.folder),
            shape=grid.shape,
            chunks=(step, step),
            dtype="float32",
            overwrite=True,
            attributes={"unit": "meters", "spacing": [grid.dx, grid.dy]},
        )

    def write(self, world: World, tile: Tile, height: NDArray[np.float32], extent: Extent) -> None:
        """Write the chunks of a tile."""
        (x, y), step = tile, world.side - 1
        ny = step + (y == world.rows - 1)
        nx = step + (x == world.columns - 1)
        array = library("zarr", "zarr").open_array(str(world.folder / self.folder), mode="r+")
        array[y * step : y * step + ny, x * step : x * step + nx] = height[:ny, :nx]
