# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands ``world plan``, ``run``, ``status`` and ``finish``."""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Callable
from pathlib import Path

from ...core import evaluate, formats, worlds
from ...core.output.engines import ENGINES
from ...core.recipe import extend
from .. import streams
from ..arguments import height_range
from ..command import Command, CommandResult, Group, UsageError
from ..console import Console
from ..extras import zarr_array
from ..extras.cluster import Cluster
from ..images import add_color_image, with_image
from ..recipes import add_recipe, place_of, recipe_of

PROBE = 257
"""Samples along a side of the window whose time predicts that of the world."""


def _plan_arguments(command: argparse.ArgumentParser) -> None:
    add_recipe(command)
    add_color_image(command)
    command.add_argument("--out", type=Path, required=True, help="new folder for the world")
    command.add_argument(
        "--size-km", type=float, help="longer side in kilometers; by default that of the recipe"
    )
    command.add_argument(
        "--spacing", type=float, default=1.0, help="meters between samples; %(default)s by default"
    )
    command.add_argument(
        "--tile", type=int, default=2017, help="samples along a tile; %(default)s by default"
    )
    command.add_argument(
        "--image",
        action="append",
        default=[],
        metavar="NAME",
        help=f"image of each tile, repeat for several: {', '.join(worlds.known_images())}",
    )
    _add_formats(command)


def _run_arguments(command: argparse.ArgumentParser) -> None:
    _add_folder(command)
    command.add_argument("--tiles", help="columns and rows, as 0..31,0..15; all by default")
    command.add_argument("--workers", type=int, default=1, help="processes; %(default)s by default")
    command.add_argument(
        "--scheduler", help="address of a Dask scheduler, whose workers make the tiles"
    )
    command.add_argument(
        "--scatter",
        action="store_true",
        help="send the world to the Dask workers, and tiles back: they share no folder",
    )
    command.add_argument(  # for Blender
        "--until-stdin-closes", action="store_true", help=argparse.SUPPRESS
    )


def _status_arguments(command: argparse.ArgumentParser) -> None:
    _add_folder(command)
    command.add_argument(
        "--quick", action="store_true", help="count files, and do not read them for damage"
    )


def _finish_arguments(command: argparse.ArgumentParser) -> None:
    _add_folder(command)
    command.add_argument("--workers", type=int, default=1, help="processes; %(default)s by default")
    command.add_argument(
        "--range",
        metavar="LOW,HIGH",
        help="meters that 0 and 65535 stand for; as --range=-100,2400; by default the "
        "lowest and the highest height",
    )
    _add_formats(command)


def _add_folder(command: argparse.ArgumentParser) -> None:
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
        help="also write files and a manifest for this game engine; repeat for several",
    )


def _plan(options: argparse.Namespace, console: Console) -> CommandResult:
    recipe = recipe_of(options)
    if options.size_km is not None:
        factor = 1000 * options.size_km / max(recipe.size_x, recipe.size_y)
        recipe = extend(recipe, factor)
    recipe = with_image(recipe, options, console)
    start = time.perf_counter()
    world = worlds.plan(
        recipe,
        options.out,
        spacing=options.spacing,
        side=options.tile,
        images=options.image,
        writers=options.format,
        engines=options.engine,
        georeference=place_of(options, recipe),
        progress=console.progress(),
    )
    console.say(f"{options.out}: solved in {time.perf_counter() - start:.1f} s")
    hours = _hours(world)
    return CommandResult(
        _size_of(world, hours),
        {
            "folder": str(options.out),
            "columns": world.columns,
            "rows": world.rows,
            "side": world.side,
            "spacing": [world.grid.dx, world.grid.dy],
            "hours": hours,
        },
    )


def _size_of(world: worlds.World, hours: float) -> str:
    """Return the tiles, bytes and processor hours of a world."""
    samples = world.columns * world.rows * world.side**2
    return (
        f"{world.columns} x {world.rows} tiles of {world.side} x {world.side} samples, "
        f"{world.grid.dx:.4g} m apart, {samples * 4 / 1e9:.3g} GB, "
        f"about {hours:.2g} hours of one processor"
    )


def _hours(world: worlds.World) -> float:
    """Return the processor hours that all tiles take, from those of a window."""
    grid = world.grid
    nx, ny = min(PROBE, grid.nx), min(PROBE, grid.ny)
    window = grid.window((grid.nx - nx) // 2, (grid.ny - ny) // 2, nx, ny)
    solution, start = world.solution, time.process_time()
    evaluate(world.recipe, window, solution=solution, fields=())
    samples = world.columns * world.rows * world.side**2
    return (time.process_time() - start) / (nx * ny) * samples / 3600


def _run(options: argparse.Namespace, console: Console) -> CommandResult:
    if options.until_stdin_closes:
        return _run_for_parent(options)
    world = worlds.World.load(options.folder)
    tiles = list(world.tiles) if options.tiles is None else _tiles(world, options.tiles)
    workers = _workers(options)
    made = world.made()
    if len(made) < world.columns * world.rows:
        world.check()
        console.say(_size_of(world, _hours(world)))
    start = time.perf_counter()
    runner = Cluster(options.scheduler, options.scatter) if options.scheduler else None
    report = _reports(console, [tile for tile in tiles if tile not in made])
    count = worlds.run(world, tiles, workers=workers, runner=runner, made=report)
    seconds = time.perf_counter() - start
    _warn(world, console)
    return CommandResult(
        f"{count} tiles made in {seconds:.1f} s", {"tiles": count, "seconds": seconds}
    )


def _run_for_parent(options: argparse.Namespace) -> CommandResult:
    """Make all missing tiles and the index, for a program that ends or cancels this one."""
    streams.watch_stdin()
    world = worlds.World.load(options.folder)
    count = worlds.run(world, workers=_workers(options))
    worlds.finish(world)
    return CommandResult(f"{count} tiles made", {"tiles": count})


def _reports(console: Console, missing: list[worlds.Tile]) -> Callable[[worlds.Tile], None]:
    """Return the callback for each tile, which names it and shows the progress of the run."""
    progress, done = console.progress(len(missing), "tiles"), itertools.count(1)

    def report(tile: worlds.Tile) -> None:
        console.say(f"tile {tile[0]},{tile[1]}")
        progress(next(done) / len(missing))

    return report


def _warn(world: worlds.World, console: Console) -> None:
    for warning in world.unlike_processors():
        console.warn(warning)


def _tiles(world: worlds.World, text: str) -> list[worlds.Tile]:
    """Return the tiles of 0..31,0..15: columns, then rows. ValueError if the world lacks one."""
    try:
        columns, rows = (_range(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f"--tiles {text}: expected columns and rows, as 0..31,0..15") from None
    for tile in ((columns[0], rows[0]), (columns[-1], rows[-1])):
        world.window(tile)
    return [(x, y) for y in rows for x in columns]


def _range(text: str) -> range:
    """Parse 3 or 0..31; ValueError for an empty range."""
    first, dots, last = text.partition("..")
    numbers = range(int(first), int(last if dots else first) + 1)
    if not numbers:
        raise ValueError(text)
    return numbers


def _status(options: argparse.Namespace, console: Console) -> CommandResult:
    world = worlds.World.load(options.folder)
    damaged = [] if options.quick else world.check_tiles(console.progress())
    made, count = len(world.made()), world.columns * world.rows
    _warn(world, console)
    text = f"{made} of {count} tiles are made"
    if damaged:
        text += f"; {worlds.damaged_text(damaged)}: run the world again, which makes them anew"
    return CommandResult(text, {"made": made, "tiles": count, "damaged": damaged})


def _finish(options: argparse.Namespace, console: Console) -> CommandResult:
    world = worlds.World.load(options.folder)
    low, high = worlds.finish(
        world,
        writers=_writers(world, options),
        range=None if options.range is None else height_range(options.range),
        workers=_workers(options),
        progress=console.progress(),
    )
    _warn(world, console)
    text = f"{options.folder}: {low:.3f} to {high:.3f} m"
    return CommandResult(text, {"folder": str(options.folder), "low": low, "high": high})


def _writers(world: worlds.World, options: argparse.Namespace) -> list[worlds.Writer]:
    """Return the formats of the plan and of the command."""
    suffixes = dict.fromkeys([*world.manifest.writers, *options.format])
    engines = dict.fromkeys([*world.manifest.engines, *options.engine])
    files = [
        zarr_array.ZarrArray() if suffix == zarr_array.KEY else worlds.Files.of(suffix)
        for suffix in suffixes
    ]
    return [*files, *map(worlds.EngineFiles, engines)]


def _workers(options: argparse.Namespace) -> int:
    if options.workers < 1:
        raise UsageError(f"--workers {options.workers}: at least 1 is needed")
    return options.workers


WORLD = Group(
    "world",
    "make a large terrain as tiles in a folder",
    (
        Command(
            "plan",
            "solve a recipe, and divide it into tiles",
            ("plan alps --out alps_world --size-km 64 --spacing 8 --tile 1025",),
            _plan_arguments,
            _plan,
        ),
        Command(
            "run",
            "make the tiles that are missing",
            ("run alps_world --workers 2", "run alps_world --tiles 0..31,0..15"),
            _run_arguments,
            _run,
        ),
        Command(
            "status",
            "check the tiles that are made, and count them",
            ("status alps_world",),
            _status_arguments,
            _status,
        ),
        Command(
            "finish",
            "write range, digests, an overview picture, other formats, engine cards",
            ("finish alps_world --format .png --engine unreal",),
            _finish_arguments,
            _finish,
        ),
    ),
)
