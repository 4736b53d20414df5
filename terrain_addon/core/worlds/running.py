# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the tiles of a world."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

from ..evaluation.solution import Solution
from ..output.images.baking import bake_window
from ..settings import replaced, save_array, sync
from .images import bake_of, write_image
from .manifest import digest_of
from .runners import Pool, Runner, serial
from .world import Tile, World

SAMPLE = 4
"""Bytes of a height."""


def run(
    world: World,
    tiles: Iterable[Tile] | None = None,
    *,
    workers: int = 1,
    runner: Runner | None = None,
    made: Callable[[Tile], object] = lambda tile: None,
) -> int:
    """Make the tiles that are missing, and return their number.

    A run that was killed goes on where it was. Tiles that were found damaged are made anew. Tiles
    are the same bits for any number of workers and in any order.

    Parameters
    ----------
    tiles : the tiles to make; by default all
    workers : processes; with 1, tiles are made in this one
    runner : where tiles are made, instead of these processes
    made : called after each tile

    Raises
    ------
    ValueError : no such tile, a world of another version, a changed one, a full disk
    OSError : a tile cannot be written, or its process dies; finished tiles stay
    """
    asked = list(dict.fromkeys(world.tiles if tiles is None else tiles))
    for tile in asked:
        world.window(tile)
    done = world.made()
    missing = [tile for tile in asked if tile not in done]
    if missing:
        world.check()
        _check_disk(world, len(missing))
        workers = min(workers, len(missing))
        runner = runner or (Pool(workers) if workers > 1 else serial)
        try:
            runner(make, world.folder, missing, lambda tile, _: made(tile))
        finally:
            _opened.cache_clear()  # its files are mapped
    return len(missing)


def make(folder: Path, tile: Tile) -> None:
    """Make a tile of the world in a folder, unless it is made. Each process reads the world once.

    Raises ValueError, and OSError for a file that cannot be written.
    """
    world, solution = _opened(folder)
    if not world.is_done(tile):
        make_tile(world, solution, tile)


def make_tile(world: World, solution: Solution, tile: Tile) -> None:
    """Evaluate a tile and write its files: complete or absent, the heights last."""
    keys, (low, high) = world.manifest.images, world.manifest.range
    bakes = [bake_of(key) for key in keys]
    height, images = bake_window(world.recipe, world.window(tile), bakes, low, high, solution)
    for key, pixels in zip(keys, images, strict=True):
        path = world.image_path(key, tile)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_image(path, key, pixels)
    world.path(tile).parent.mkdir(exist_ok=True)
    world.digest_path(tile).parent.mkdir(exist_ok=True)
    with replaced(world.path(tile)) as new:
        save_array(new, height.astype("<f4", copy=False))
        sync(new)
        with replaced(world.digest_path(tile)) as note:
            note.write_text(digest_of(new), "ascii")


@lru_cache(1)
def _opened(folder: Path) -> tuple[World, Solution]:
    """Load a world once in each process."""
    world = World.load(folder)
    world.manifest.check_versions()
    world.note_maker()
    return world, world.solution


def _check_disk(world: World, tiles: int) -> None:
    need, free = tiles * world.side**2 * SAMPLE, shutil.disk_usage(world.folder).free
    if need > free:
        raise ValueError(
            f"{tiles} tiles need {need / 1e9:.3g} GB, {free / 1e9:.3g} GB are free in "
            f"{world.folder}: make room, or choose some with --tiles"
        )
