# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of a world: its recipe, its solution, and the grid of its tiles."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..elevation import Georeference
from ..elevation.systems import system_in
from ..evaluation.solution import Solution, made_by
from ..layers.maps import Map
from ..numerics.arrays import Floats
from ..numerics.grid import Grid
from ..numerics.progress import Progress, no_progress
from ..output.exports import LOCAL
from ..recipe.imagery import Imagery
from ..recipe.recipe import Recipe
from ..settings import remove_file, replaced
from ..settings.input_files import read_text_bytes
from ..settings.strict_json import parsed
from .images import check_images, is_float
from .manifest import Manifest, digest_of

MANIFEST, RECIPE, SOLUTION, MAPS, TILES = "world.json", "recipe.json", "solution", "maps", "tiles"
IMAGES = "images"
IMAGE = "image.npy"
"""File among the maps: the image that colors the terrain."""
DIGESTS = "digests"
"""Folder with a file for each tile that is made: the SHA-256 of its heights."""
MAKERS = "makers"
"""Folder with a file for each kind of processor that made tiles."""

NAMED = 5
"""Damaged tiles that a message names, at most."""

Tile = tuple[int, int]
"""Column and row of a tile, from the corner with the lowest x and y."""


@dataclass(frozen=True)
class World:
    """A planned world.

    Attributes
    ----------
    folder : where everything is
    recipe : the terrain, with its maps
    manifest : the grid of tiles, and what they are made from
    """

    folder: Path
    recipe: Recipe
    manifest: Manifest

    @classmethod
    def load(cls, folder: str | Path) -> World:
        """Load the world in a folder.

        Raises
        ------
        ValueError : no world, a damaged one, or a recipe that was changed since it was planned
        OSError : it cannot be read
        """
        folder = Path(folder)
        path = folder / MANIFEST
        if not path.is_file():
            raise ValueError(f"{folder} is not a world: it has no file {MANIFEST}")
        manifest = Manifest.read(path)
        _check_digest(folder / RECIPE, manifest.recipe)
        recipe = Recipe.from_json((folder / RECIPE).read_bytes())
        imagery = _imagery(folder, recipe.palette.image, manifest.image)
        recipe = dataclasses.replace(recipe, maps=_maps(folder, manifest.maps), imagery=imagery)
        world = cls(folder, recipe, manifest)
        if not np.allclose(manifest.spacing, (world.grid.dx, world.grid.dy), rtol=1e-9):
            raise ValueError(f"{path} is damaged: its spacing is not that of its tiles")
        try:
            check_images(recipe, manifest.images)
        except ValueError as error:
            raise ValueError(f"{path} is damaged: {error}") from None
        return world

    @property
    def side(self) -> int:
        """Samples along a side of a tile; neighbors share those on their border."""
        return self.manifest.side

    @property
    def columns(self) -> int:
        """Tiles along x."""
        return self.manifest.columns

    @property
    def rows(self) -> int:
        """Tiles along y."""
        return self.manifest.rows

    @property
    def grid(self) -> Grid:
        """All points of the world."""
        nx, ny = (count * (self.side - 1) + 1 for count in (self.columns, self.rows))
        return self.recipe.grid((nx, ny))

    @property
    def georeference(self) -> Georeference:
        """Coordinates of columns and rows that are meters from the center of the terrain."""
        if not self.manifest.place:
            return LOCAL
        x, y, a, b, c, d = self.manifest.place
        return Georeference((x, y), (a, b), (c, d), system_in(self.manifest.system))

    @property
    def solution(self) -> Solution:
        """The solution of the recipe, mapped into memory."""
        return Solution.load(self.folder / SOLUTION)

    @property
    def tiles(self) -> Iterator[Tile]:
        """All tiles, row by row."""
        return ((x, y) for y in range(self.rows) for x in range(self.columns))

    def window(self, tile: Tile) -> Grid:
        """Return the points of a tile; ValueError if there is no such tile."""
        x, y = tile
        if not (0 <= x < self.columns and 0 <= y < self.rows):
            raise ValueError(
                f"There is no tile {x},{y}: the world has {self.columns} x {self.rows} tiles"
            )
        step = self.side - 1
        return self.grid.window(x * step, y * step, self.side, self.side)

    def path(self, tile: Tile) -> Path:
        """Return the file of a tile: heights in meters, float32, row 0 at the lowest y."""
        return self.folder / TILES / f"{name_of(tile)}.npy"

    def heights(self, tile: Tile) -> Floats:
        """Map the heights of a finished tile into memory, (side, side) float32 in meters.

        Raises ValueError if there is no such tile, or it is not made, or damaged.
        """
        self.window(tile)
        path = self.path(tile)
        if not path.is_file():
            raise ValueError(f"Tile {tile[0]},{tile[1]} is not made yet: run the world")
        try:
            found: Floats = np.load(path, mmap_mode="r", allow_pickle=False)
        except (EOFError, ValueError):  # an empty file, a cut one
            found = np.empty((0, 0), np.float32)
        if found.shape != (self.side, self.side) or found.dtype != np.dtype("<f4"):
            raise ValueError(f"{path} is damaged: delete it and run the world again")
        return found

    def digest_path(self, tile: Tile) -> Path:
        """Return the file with the SHA-256 that the heights of a tile had when they were made."""
        return self.folder / DIGESTS / name_of(tile)

    def digest(self, tile: Tile) -> str:
        """Return the SHA-256 that the heights of a tile had when they were made.

        Raises FileNotFoundError if it is not noted.
        """
        return read_text_bytes(self.digest_path(tile)).decode("ascii")

    def is_damaged(self, tile: Tile) -> bool:
        """Return True if the file of a tile does not hold the heights that were made.

        They are damaged if the file does not have the digest that was noted when it was made, or
        holds values that are not finite. The whole file is read.
        """
        try:
            height, digest = self.heights(tile), self.digest(tile)
        except (ValueError, FileNotFoundError):
            return True
        return digest_of(self.path(tile)) != digest or not np.isfinite(height).all()

    def check_tiles(self, progress: Progress = no_progress) -> list[Tile]:
        """Read all tiles; return those that are damaged, which the next run makes anew."""
        tiles, damaged = sorted(self.with_files()), list[Tile]()
        for number, tile in enumerate(tiles, 1):
            if self.is_damaged(tile):
                damaged.append(tile)
            progress(number / len(tiles))
        self.forget(damaged)
        return damaged

    def forget(self, tiles: Iterable[Tile]) -> None:
        """Count tiles as not made, so that the next run makes them; their files stay until then."""
        with suppress(OSError):  # a folder that nothing can be written to
            for tile in tiles:
                remove_file(self.digest_path(tile), lambda path: path.parent.name == DIGESTS)

    def image_path(self, key: str, tile: Tile) -> Path:
        """Return the file of an image of a tile."""
        suffix = ".npy" if is_float(key) else ".png"
        return self.folder / IMAGES / key / f"{name_of(tile)}{suffix}"

    def is_done(self, tile: Tile) -> bool:
        """Return whether a tile is made: it has a file, and its digest is noted.

        The files are not read: see :meth:`is_damaged`.
        """
        return self.path(tile).is_file() and self.digest_path(tile).is_file()

    def made(self) -> set[Tile]:
        """Return all tiles that are made, as :meth:`is_done` counts them."""
        noted = _names(self.folder / DIGESTS)
        return {tile for tile in self.with_files() if name_of(tile) in noted}

    def with_files(self) -> set[Tile]:
        """Return all tiles that have a file, whatever it holds."""
        names = _names(self.folder / TILES)
        return {tile for tile in self.tiles if self.path(tile).name in names}

    def check(self) -> None:
        """Raise ValueError where tiles would not fit to those that are made.

        That is with other versions than the plan, and with files that were changed or are missing.
        """
        self.manifest.check_versions()
        for name, digest in self.manifest.solution.items():
            _check_digest(self.folder / SOLUTION / Path(name).name, digest)

    def note_maker(self) -> None:
        """Note the processor of this process as one that makes tiles.

        Those that make tiles side by side may have unlike ones.
        """
        about = made_by()
        text = json.dumps(about, indent=1)
        path = self.folder / MAKERS / f"{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            with replaced(path) as new:
                new.write_text(text, "utf-8")

    def unlike_processors(self) -> list[str]:
        """Warn of each kind of processor that made tiles and did not solve the world."""
        found: list[str] = []
        for path in sorted((self.folder / MAKERS).glob("*.json")):
            if difference := self.manifest.unlike(parsed(read_text_bytes(path))):
                found.append(
                    f"Some tiles were made by another type of processor than the plan "
                    f"({difference}): heights may differ by rounding at their borders"
                )
        return found


def name_of(tile: Tile) -> str:
    """Return the name of a tile's files, without a suffix."""
    return f"y{tile[1]:04}_x{tile[0]:04}"


def damaged_text(tiles: Collection[Tile]) -> str:
    """Return that these tiles are damaged, the first of them by their columns and rows.

    Examples
    --------
    >>> damaged_text([(0, 1)]), damaged_text([(n, 3) for n in range(9)])
    ('1 tile is damaged (0,1)', '9 tiles are damaged (0,3 1,3 2,3 3,3 4,3 ...)')
    """
    names = [f"{x},{y}" for x, y in sorted(tiles)[:NAMED]] + ["..."] * (len(tiles) > NAMED)
    verb = "tile is" if len(tiles) == 1 else "tiles are"
    return f"{len(tiles)} {verb} damaged ({' '.join(names)})"


def _names(folder: Path) -> set[str]:
    """Return the names of the files in a folder; none if it does not exist."""
    return {one.name for one in os.scandir(folder)} if folder.is_dir() else set()


def _check_digest(path: Path, digest: str) -> None:
    if not path.is_file():
        raise ValueError(f"{path} is missing: copy the whole world, or plan it again")
    if digest_of(path) != digest:
        raise ValueError(f"{path} was changed: plan the world again")


def _imagery(folder: Path, name: str, digest: str) -> Imagery | None:
    """Load the image that colors a world; ValueError for one that was changed."""
    if not digest:
        return None
    _check_digest(folder / MAPS / IMAGE, digest)
    return Imagery(name, np.load(folder / MAPS / IMAGE, allow_pickle=False))


def _maps(folder: Path, known: Mapping[str, Any]) -> tuple[Map, ...]:
    """Load the painted maps of a world; ValueError for one that was changed."""
    maps: list[Map] = []
    for number, (name, to_border, spacing, in_meters, digest) in known.items():
        path = folder / MAPS / f"{int(number)}.npy"
        if not path.is_file():
            raise ValueError(f"{path} is missing: copy the whole world, or plan it again")
        try:
            values = np.load(path, allow_pickle=False)
            made = Map(name, values, to_border, spacing and tuple(spacing), in_meters)
        except (EOFError, ValueError):  # an empty file, a cut one
            raise ValueError(f"{path} is damaged: plan the world again") from None
        if made.digest.hex() != digest:
            raise ValueError(f"{path} was changed: plan the world again")
        maps.append(made)
    return tuple(maps)
