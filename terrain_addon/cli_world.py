# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands ``world plan``, ``run``, ``status`` and ``finish``."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from .core import Recipe, evaluate, formats
from .core.output import worlds
from .core.output.engines import ENGINES
from .core.recipe import extend
from .extras import zarr_array
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
    plan.add_argument(
        "--image",
        action="append",
        default=[],
        metavar="NAME",
        help=f"image of each tile, repeat for several: {', '.join(worlds.known_images())}",
    )
    _add_formats(plan)
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
    finish = commands.add_parser(
        "finish", help="write range, digests, an overview picture, other formats, engine cards"
    )
    finish.add_argument("--workers", type=int, default=1, help="processes; %(default)s by default")
    finish.add_argument(
        "--range",
        metavar="LOW,HIGH",
        help="meters that 0 and 65535 stand for; as --range=-100,2400; by default the "
        "lowest and the highest height",
    )
    _add_formats(finish)
    finish.set_defaults(run=_finish)
    for command in (run, status, finish):
        command.add_argument("folder", type=Path, help="folder of the world")


def _add_formats(command: argparse.ArgumentParser) -> None:
    suffixes = [one for one in formats.writable() if one != ".npy"]
    command.add_argument(
        "--format",
        action="append",
        default=[],
        choices=[*suffixes, zarr_array.KEY],
        help="also write the heights of the finished world in this format; repeat for several",
    )
    command.add_argument(
        "--engine",
        action="append",
        default=[],
        choices=list(ENGINES),
        help="also write files and a card for this game engine; repeat for several",
    )


def _plan(options: argparse.Namespace, recipe: Recipe) -> None:
    if options.size_km is not None:
        factor = 1000 * options.size_km / max(recipe.size_x, recipe.size_y)
        recipe = extend(recipe, factor)
    start = time.perf_counter()
    world = worlds.plan(
        recipe,
        options.out,
        spacing=options.spacing,
        side=options.tile,
        images=options.image,
        writers=options.format,
        engines=options.engine,
    )
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
    workers = _workers(options)
    if len(world.made()) < world.columns * world.rows:
        world.check()
        print(_size_of(world), flush=True)
    start = time.perf_counter()
    runner = Cluster(options.scheduler, options.scatter) if options.scheduler else None
    count = worlds.run(world, tiles, workers=workers, runner=runner, made=_tell)
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
    low, high = worlds.finish(
        world,
        writers=_writers(world, options),
        range=None if options.range is None else _heights(options.range),
        workers=_workers(options),
    )
    print(f"{options.folder}: {low:.3f} to {high:.3f} m")
    _warn(world)


def _writers(world: worlds.World, options: argparse.Namespace) -> list[worlds.Writer]:
    """The formats of the plan and of the command."""
    suffixes = dict.fromkeys([*world.manifest.writers, *options.format])
    engines = dict.fromkeys([*world.manifest.engines, *options.engine])
    files = [
        zarr_array.ZarrArray() if suffix == zarr_array.KEY else worlds.Files.of(suffix)
        for suffix in suffixes
    ]
    return [*files, *map(worlds.EngineFiles, engines)]


def _heights(text: str) -> tuple[float, float]:
    """The range of LOW,HIGH."""
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        low, high = 0.0, 0.0
    if not low < high:
        raise ValueError(f"--range {text}: expected two heights in meters, as --range=-100,2400")
    return low, high


def _workers(options: argparse.Namespace) -> int:
    if options.workers < 1:
        raise ValueError(f"--workers {options.workers}: at least 1 is needed")
    return options.workers
