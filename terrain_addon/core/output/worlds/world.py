# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of a world: its recipe, its solution, and the grid of its tiles."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import os
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...evaluation.solution import Solution
from ...evaluation.solving import solve
from ...layers.maps import Map
from ...numerics.grid import Grid
from ...numerics.progress import Cancel, LayerProgress
from ...recipe.recipe import Recipe
from ...settings.strict_json import parsed

MANIFEST, RECIPE, SOLUTION, MAPS, TILES = "world.json", "recipe.json", "solution", "maps", "tiles"
FORMAT = 1
MOST_TILES = 100_000
"""Tiles along a side: their names have five digits at most."""

Tile = tuple[int, int]
"""Column and row of a tile, from the corner with the lowest x and y."""


@dataclass(frozen=True)
class World:
    """A planned world.

    Attributes
    ----------
    folder : where everything is
    recipe : the terrain, with its maps
    side : samples along a side of a tile; neighbors share those on their border
    columns, rows : number of tiles along x and y
    """

    folder: Path
    recipe: Recipe
    side: int
    columns: int
    rows: int

    @classmethod
    def load(cls, folder: str | Path) -> World:
        """The world in a folder.

        Raises
        ------
        ValueError : no world, a damaged one, or a recipe that was changed since it was planned
        OSError : it cannot be read
        """
        folder = Path(folder)
        path = folder / MANIFEST
        if not path.is_file():
            raise ValueError(f"{folder} is not a world: it has no file {MANIFEST}")
        try:
            about = parsed(path.read_bytes())
            if about["format"] != FORMAT:
                raise ValueError(f"its format is {about['format']!r}, not {FORMAT}")
            side, columns, rows = (int(about[name]) for name in ("side", "columns", "rows"))
            digest, maps = str(about["recipe"]), dict(about["maps"])
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path} is damaged: {error}") from None
        text = (folder / RECIPE).read_bytes()
        if hashlib.sha256(text).hexdigest() != digest:
            raise ValueError(f"{folder / RECIPE} was changed: plan the world again")
        recipe = dataclasses.replace(Recipe.from_json(text), maps=_maps(folder, maps))
        return cls(folder, recipe, side, columns, rows)

    @property
    def grid(self) -> Grid:
        """All points of the world."""
        nx, ny = (count * (self.side - 1) + 1 for count in (self.columns, self.rows))
        return self.recipe.grid((nx, ny))

    @property
    def solution(self) -> Solution:
        """The solution of the recipe, mapped into memory."""
        return Solution.load(self.folder / SOLUTION)

    @property
    def tiles(self) -> Iterator[Tile]:
        """All tiles, row by row."""
        return ((x, y) for y in range(self.rows) for x in range(self.columns))

    def window(self, tile: Tile) -> Grid:
        """The points of a tile; ValueError if there is no such tile."""
        x, y = tile
        if not (0 <= x < self.columns and 0 <= y < self.rows):
            raise ValueError(
                f"There is no tile {x},{y}: the world has {self.columns} x {self.rows} tiles"
            )
        step = self.side - 1
        return self.grid.window(x * step, y * step, self.side, self.side)

    def path(self, tile: Tile) -> Path:
        """The file of a tile: heights in meters, float32, row 0 at the lowest y."""
        x, y = tile
        return self.folder / TILES / f"y{y:04}_x{x:04}.npy"

    def is_done(self, tile: Tile) -> bool:
        """Whether a tile is made: files are renamed only once they are complete."""
        return self.path(tile).is_file()


def plan(
    recipe: Recipe,
    folder: str | Path,
    *,
    spacing: float,
    side: int,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
) -> World:
    """Solve a recipe, and write all that its tiles are made from into a new folder.

    Parameters
    ----------
    recipe : the terrain, with the painted maps that it names
    spacing : meters between samples, at most: the extent is divided into whole tiles
    side : samples along a side of a tile, at least 2

    Raises
    ------
    ValueError : the folder is not empty, or the spacing or the side is not valid
    OSError : the folder cannot be written
    Cancelled
    """
    folder = Path(os.path.realpath(folder))  # "." has no name to rename a folder to
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{folder} is not empty: choose another name")
    if not (math.isfinite(spacing) and spacing > 0):
        raise ValueError(f"The spacing must be above zero, not {spacing:g}")
    if side < 2:
        raise ValueError(f"A tile has at least 2 samples along a side, not {side}")
    columns, rows = (
        max(math.ceil(size / spacing / (side - 1) - 1e-9), 1)
        for size in (recipe.size_x, recipe.size_y)
    )
    if max(columns, rows) > MOST_TILES:
        raise ValueError(f"{columns} x {rows} tiles are too many: make them larger")
    solution = solve(recipe, progress=progress, cancelled=cancelled)
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = folder.with_name(f"{folder.name}.{secrets.token_hex(4)}.part")
    try:
        (new / TILES).mkdir(parents=True)
        (new / MAPS).mkdir()
        text = recipe.to_json().encode()
        (new / RECIPE).write_bytes(text)
        maps: dict[str, list[str | bool]] = {}
        for number, one in enumerate(recipe.maps):
            np.save(new / MAPS / f"{number}.npy", one.values, allow_pickle=False)
            maps[str(number)] = [one.name, one.to_border, one.digest.hex()]
        solution.save(new / SOLUTION)
        about = {
            "format": FORMAT,
            "recipe": hashlib.sha256(text).hexdigest(),
            "maps": maps,
            "side": side,
            "columns": columns,
            "rows": rows,
            "spacing": [
                recipe.size_x / (columns * (side - 1)),
                recipe.size_y / (rows * (side - 1)),
            ],
        }
        (new / MANIFEST).write_text(json.dumps(about, indent=1), "utf-8")
        if folder.exists():
            folder.rmdir()
        new.rename(folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return World(folder, recipe, side, columns, rows)


def _maps(folder: Path, known: dict[str, Any]) -> tuple[Map, ...]:
    """The painted maps of a world; ValueError for one that was changed."""
    maps: list[Map] = []
    for number, (name, to_border, digest) in known.items():
        path = folder / MAPS / f"{int(number)}.npy"
        try:
            made = Map(name, np.load(path, allow_pickle=False), to_border)
        except (EOFError, ValueError):  # an empty file, a cut one
            raise ValueError(f"{path} is damaged: plan the world again") from None
        if made.digest.hex() != digest:
            raise ValueError(f"{path} was changed: plan the world again")
        maps.append(made)
    return tuple(maps)
