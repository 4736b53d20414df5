# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands ``world plan``, ``run``, ``status`` and ``finish``."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from .core import Recipe, evaluate
from .core.output import worlds
from .core.recipe import extend
from .extras.cluster import Cluster

PROBE = 257
"""Samples along a side of the window whose time predicts that of the world."""


def add_commands(
    world: argparse.ArgumentParser,
    add_recipe_options: Callable[[argparse.ArgumentParser], None],
    recipe_of: Callable[[argparse.Namespace], Recipe],
) -> None:
    """Add the commands of worlds; the functions declare and read the options of a recipe."""
    commands = world.add_subparsers(required=True, metavar="COMMAND")
    plan = commands.add_parser("plan", help="solve a recipe, and divide it into tiles")
    plan.add_argument("recipe", help="name of a preset, or a recipe file (.json)")
    plan.add_argument("--out", type=Path, required=True, help="new folder for the world")
    plan.add_argument(
        "--size-km", type=float, help="longer side in kilometers; by default that of the recipe"
    )
    plan.add_argument(
        "--spacing", type=float, default=1.0, help="meters between samples; %(default)s by default"
    )
    plan.add_argument(
        "--tile", type=int, default=2017, help="samples along a tile; %(default)s by default"
    )
    add_recipe_options(plan)
    plan.set_defaults(run=lambda options: _plan(options, recipe_of(options)))
    run = commands.add_parser("run", help="make the tiles that are missing")
    run.add_argument("--tiles", help="columns and rows, as 0..31,0..15; all by default")
    run.add_argument("--workers", type=int, default=1, help="processes; %(default)s by default")
    run.add_argument(
        "--scheduler", help="address of a Dask scheduler, whose workers make the tiles"
    )
    run.add_argument(
        "--scatter",
        action="store_true",
        help="send the world to the Dask workers, and tiles back: they share no folder",
    )
    run.set_defaults(run=_run)
    status = commands.add_parser("status", help="count the tiles that are made")
    status.set_defaults(run=_status)
    finish = commands.add_parser("finish", help="write range, digests and an overview picture")
    finish.set_defaults(run=_finish)
    for command in (run, status, finish):
        command.add_argument("folder", type=Path, help="folder of the world")


def _plan(options: argparse.Namespace, recipe: Recipe) -> None:
    if options.size_km is not None:
        factor = 1000 * options.size_km / max(recipe.size_x, recipe.size_y)
        recipe = extend(recipe, factor)
    start = time.perf_counter()
    world = worlds.plan(recipe, options.out, spacing=options.spacing, side=options.tile)
    print(f"{options.out}: solved in {time.perf_counter() - start:.1f} s")
    print(_size_of(world))


def _size_of(world: worlds.World) -> str:
    """Tiles, bytes and processor hours of a world."""
    grid, count = world.grid, world.columns * world.rows
    nx, ny = min(PROBE, grid.nx), min(PROBE, grid.ny)
    window = grid.window((grid.nx - nx) // 2, (grid.ny - ny) // 2, nx, ny)
    solution, start = world.solution, time.process_time()
    evaluate(world.recipe, window, solution=solution, fields=())
    samples = count * world.side**2
    hours = (time.process_time() - start) / (nx * ny) * samples / 3600
    return (
        f"{world.columns} x {world.rows} tiles of {world.side} x {world.side} samples, "
        f"{grid.dx:.4g} m apart, {samples * 4 / 1e9:.3g} GB, "
        f"about {hours:.2g} hours of one processor"
    )


def _run(options: argparse.Namespace) -> None:
    world = worlds.World.load(options.folder)
    tiles = None if options.tiles is None else _tiles(world, options.tiles)
    if options.workers < 1:
        raise ValueError(f"--workers {options.workers}: at least 1 is needed")
    if len(world.made()) < world.columns * world.rows:
        world.check()
        print(_size_of(world), flush=True)
    start = time.perf_counter()
    runner = Cluster(options.scheduler, options.scatter) if options.scheduler else None
    count = worlds.run(world, tiles, workers=options.workers, runner=runner, made=_tell)
    print(f"{count} tiles made in {time.perf_counter() - start:.1f} s")
    _warn(world)


def _warn(world: worlds.World) -> None:
    for warning in world.unlike_processors():
        print(f"terrain_addon: {warning}", file=sys.stderr)


def _tell(tile: worlds.Tile) -> None:
    print(f"tile {tile[0]},{tile[1]}", flush=True)


def _tiles(world: worlds.World, text: str) -> list[worlds.Tile]:
    """The tiles of 0..31,0..15: columns, then rows. ValueError if the world has none such."""
    try:
        columns, rows = (_range(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"--tiles {text}: expected columns and rows, as 0..31,0..15") from None
    for tile in ((columns[0], rows[0]), (columns[-1], rows[-1])):
        world.window(tile)
    return [(x, y) for y in rows for x in columns]


def _range(text: str) -> range:
    """The numbers of 3 or of 0..31; ValueError if there are none."""
    first, dots, last = text.partition("..")
    numbers = range(int(first), int(last if dots else first) + 1)
    if not numbers:
        raise ValueError(text)
    return numbers


def _status(options: argparse.Namespace) -> None:
    world = worlds.World.load(options.folder)
    print(f"{len(world.made())} of {world.columns * world.rows} tiles are made")
    _warn(world)


def _finish(options: argparse.Namespace) -> None:
    world = worlds.World.load(options.folder)
    low, high = worlds.finish(world)
    print(f"{options.folder}: {low:.3f} to {high:.3f} m")
    _warn(world)
