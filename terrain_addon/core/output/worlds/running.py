# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the tiles of a world, in this process or in a pool of others."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from pathlib import Path

import numpy as np

from ...evaluation.solution import Solution
from ...evaluation.stack import evaluate
from ...settings import replaced
from .world import Tile, World

MOST_TRIES = 3
"""Times that a tile is tried whose worker dies."""


def run(
    world: World,
    tiles: Iterable[Tile] | None = None,
    *,
    workers: int = 1,
    made: Callable[[Tile], object] = lambda tile: None,
) -> int:
    """Make the tiles that are missing, and return their number.

    A run that was killed goes on where it was. Tiles are the same bits for any number of workers
    and in any order.

    Parameters
    ----------
    tiles : the tiles to make; by default all
    workers : processes; with 1, tiles are made in this one
    made : called after each tile

    Raises
    ------
    ValueError : no such tile, a world of another version
    OSError : a tile cannot be written, or its workers die; finished tiles stay
    """
    asked = list(world.tiles if tiles is None else tiles)
    for tile in asked:
        world.window(tile)
    missing = [tile for tile in asked if not world.is_done(tile)]
    if missing and workers > 1:
        _in_pool(world, missing, min(workers, len(missing)), made)
    elif missing:
        solution = world.solution
        for tile in missing:
            make_tile(world, solution, tile)
            made(tile)
    return len(missing)


def make_tile(world: World, solution: Solution, tile: Tile) -> None:
    """Evaluate a tile and write its file, which is complete or absent."""
    height = evaluate(world.recipe, world.window(tile), solution=solution, fields=()).height
    with replaced(world.path(tile)) as new, new.open("wb") as file:
        np.lib.format.write_array(file, height.astype("<f4", copy=False), allow_pickle=False)
        file.flush()
        os.fsync(file.fileno())


def _in_pool(
    world: World, missing: list[Tile], workers: int, made: Callable[[Tile], object]
) -> None:
    """Make tiles in other processes. A pool of which one dies is replaced."""
    tries: Counter[Tile] = Counter()
    context = multiprocessing.get_context("spawn")  # a fork would copy threads in any state
    while missing:
        running: dict[Future[None], Tile] = {}
        waiting = deque(missing)
        pool = ProcessPoolExecutor(workers, context, _begin)
        try:
            while waiting or running:
                while waiting and len(running) < workers:
                    tile = waiting.popleft()
                    running[pool.submit(_make, world.folder, tile)] = tile
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    done.result()
                    made(running.pop(done))
        except BrokenProcessPool:
            tries.update(running.values())
            if failed := [tile for tile, count in tries.items() if count >= MOST_TRIES]:
                raise OSError(
                    f"The processes that made tile {failed[0][0]},{failed[0][1]} died "
                    f"{MOST_TRIES} times: there may not be enough memory; use fewer workers"
                ) from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
        missing = [tile for tile in missing if not world.is_done(tile)]


def _begin() -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A process whose parent was killed would wait for work forever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@cache
def _opened(folder: Path) -> tuple[World, Solution]:
    """The world of a process, read once."""
    world = World.load(folder)
    return world, world.solution


def _make(folder: Path, tile: Tile) -> None:
    make_tile(*_opened(folder), tile)
