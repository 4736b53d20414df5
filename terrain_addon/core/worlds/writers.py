# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the tiles of a finished world in other formats, with one range for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ..formats import Format, HeightRows, check_suffix, writable, write
from ..numerics.arrays import Floats
from ..output.engines import Engine, Extent, named, write_heights
from ..output.exports import on_grid
from .world import Tile, World, name_of


class Writer(Protocol):
    """Writes tiles in a format. It is plain data, which other processes receive."""

    @property
    def folder(self) -> str:
        """The folder of its files, within that of the world."""
        ...

    def begin(self, world: World) -> None:
        """Prepare the folder, once; ValueError where the format does not fit."""
        ...

    def write(self, world: World, tile: Tile, height: Floats, extent: Extent) -> None:
        """Write the heights of a tile, (side, side) float32 in meters, row 0 at the lowest y."""
        ...


@dataclass(frozen=True)
class Files:
    """A file for each tile, in one of the formats of :func:`~..formats.writable`."""

    format: Format

    @classmethod
    def of(cls, suffix: str) -> Files:
        """Return the files of a suffix; ValueError if there is no such format."""
        return cls(check_suffix(Path(f"tiles{suffix}"), writable()))

    @property
    def folder(self) -> str:
        """The suffix without its dot."""
        return self.format.suffix[1:]

    def begin(self, world: World) -> None:
        """Make the folder."""
        (world.folder / self.folder).mkdir(exist_ok=True)

    def write(self, world: World, tile: Tile, height: Floats, extent: Extent) -> None:
        """Write one file."""
        path = world.folder / self.folder / f"{name_of(tile)}{self.format.suffix}"
        limits, place = (extent.low, extent.high), on_grid(world.georeference, world.window(tile))
        write(path, HeightRows(height.shape, [height], range=limits, georeference=place))


@dataclass(frozen=True)
class EngineFiles:
    """Height files for a game engine, with its own names and its own first row."""

    key: str

    @property
    def engine(self) -> Engine:
        """The engine."""
        return named(self.key)

    @property
    def folder(self) -> str:
        """The engine's key, in the folder of all engines."""
        return f"engines/{self.key}"

    def begin(self, world: World) -> None:
        """Make the folder; ValueError where the engine does not take such tiles."""
        self.engine.check(extent_of(world, 0.0, 1.0))
        (world.folder / self.folder).mkdir(parents=True, exist_ok=True)

    def write(self, world: World, tile: Tile, height: Floats, extent: Extent) -> None:
        """Write one file."""
        path = world.folder / self.folder / self.engine.name(extent, *tile)
        place = on_grid(world.georeference, world.window(tile))
        write_heights(path, self.engine, extent, height, place)


def extent_of(world: World, low: float, high: float) -> Extent:
    """Return the extent of a world, with the range of its 16-bit files."""
    recipe = world.recipe
    size = recipe.size_x, recipe.size_y
    return Extent(low, high, *size, (world.side, world.side), world.columns, world.rows)


def write_tile(writers: Sequence[Writer], extent: Extent, folder: Path, tile: Tile) -> None:
    """Write a tile of a finished world in all formats, as a task of a runner."""
    world = World.load(folder)
    height = world.heights(tile)
    for writer in writers:
        writer.write(world, tile, height, extent)
