# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: heightmaps and measures of realism without Blender."""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from .cli_elevation import add_elevation_commands, map_values, measured
from .cli_export import add_export_command
from .cli_world import add_commands
from .core import Map, Recipe, evaluate, formats, presets, realism
from .core.evaluation import DEFAULT_RESOLUTION, check_disk, evaluate_by_rows
from .core.numerics import user_message
from .core.settings import check_place


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code: 0 success, 1 invalid input, 130 interrupted."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("terrain_addon: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of the pipe closed it, as head does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at the exit
    except (ValueError, OSError, MemoryError) as error:
        print(f"terrain_addon: {user_message(error)}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="terrain_addon", description="Orogen, the terrain generator, without Blender."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("presets", help="list the presets")
    listing.set_defaults(run=_list_presets)
    height = commands.add_parser("height", help="make a heightmap")
    height.add_argument("recipe", help="name of a preset, or a recipe file (.json)")
    height.add_argument("out", type=Path, help=f"file to write: {_list(formats.writable())}")
    height.add_argument(
        "--resolution",
        type=int,
        default=DEFAULT_RESOLUTION,
        help="points along the longer side; %(default)s by default",
    )
    _add_recipe_options(height)
    height.set_defaults(run=_make_height)
    world = commands.add_parser("world", help="make a large terrain as tiles in a folder")
    add_commands(world, _add_recipe_options, lambda one: _recipe(one.recipe, one.seed, one.map))
    add_export_command(
        commands, _add_recipe_options, lambda one: _recipe(one.recipe, one.seed, one.map)
    )
    compare = commands.add_parser("realism", help="compare a terrain with real terrain")
    compare.add_argument(
        "terrain",
        help="name of a preset, a recipe file (.json), or a file of heights in meters: "
        + _list(formats.readable()),
    )
    compare.add_argument(
        "--resolution",
        type=int,
        help=f"points along the longer side of a recipe; {realism.USUAL} by default",
    )
    compare.add_argument(
        "--spacing", type=float, help="meters between heights, where the file does not state it"
    )
    compare.add_argument(
        "--unsmoothed",
        action="store_true",
        help="measure heights as they are: ten measures instead of fifteen",
    )
    compare.add_argument("--json", action="store_true", help="print JSON instead of a table")
    _add_recipe_options(compare)
    compare.set_defaults(run=_compare)
    add_elevation_commands(commands)
    return parser


def _list(known: Mapping[str, formats.Format]) -> str:
    return ", ".join(f"{suffix} ({one.help})" for suffix, one in known.items())


def _add_recipe_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", type=int, help="replaces the seed of the recipe")
    command.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="values of a painted map of the recipe: a file over the whole terrain, row 0 at the "
        f"lowest y ({', '.join(formats.readable())}); repeat for each map",
    )


def _list_presets(options: argparse.Namespace) -> None:
    for name in presets.names():
        print(f"{name:20} {presets.load(name).about}")


def _make_height(options: argparse.Namespace) -> None:
    kind = formats.check_suffix(options.out, formats.writable())
    check_place(options.out)
    recipe = _recipe(options.recipe, options.seed, options.map)
    grid = recipe.grid(options.resolution)
    check_disk(options.out, grid.nx, grid.ny, kind.point)
    start = time.perf_counter()
    parts = (terrain.height for _, terrain in evaluate_by_rows(recipe, grid, fields=()))
    rows = formats.HeightRows(grid.shape, parts)
    formats.write(options.out, rows)
    seconds = time.perf_counter() - start
    low, high = rows.range
    print(f"{options.out}: {grid.nx} x {grid.ny}, {low:.3f} to {high:.3f} m, {seconds:.2f} s")


def _recipe(text: str, seed: int | None, maps: Sequence[str]) -> Recipe:
    path = Path(text)
    if path.suffix not in ("", ".json"):
        raise ValueError(
            f"{path.name}: a recipe is the name of a preset, or a file that ends in .json; a file "
            f"of heights to compare ends in {' or '.join(formats.readable())}"
        )
    recipe = _read_recipe(path) if path.suffix == ".json" else presets.load(text)
    if seed is not None:
        recipe = Recipe.from_dict(recipe.to_dict() | {"seed": seed})
    return dataclasses.replace(recipe, maps=_maps(maps, recipe.map_names))


def _read_recipe(path: Path) -> Recipe:
    try:
        return Recipe.from_json(path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None


def _maps(given: Sequence[str], named: Sequence[str]) -> tuple[Map, ...]:
    """The maps of a recipe, each given once as NAME=FILE."""
    files: dict[str, str] = {}
    for text in given:
        name, equals, file = text.partition("=")
        if not (name and equals and file):
            raise ValueError(f"--map {text}: expected NAME=FILE")
        if name not in named:
            known = f"its maps are {', '.join(named)}" if named else "it has none"
            raise ValueError(f"--map {text}: the recipe has no map {name!r}; {known}")
        if name in files:
            raise ValueError(f"--map {text}: {name!r} is given twice")
        files[name] = file
    for name in named:
        if name not in files:
            raise ValueError(f"The recipe has a map {name!r}: add --map {name}=FILE")
    return tuple(Map(name, map_values(file)) for name, file in files.items())


def _compare(options: argparse.Namespace) -> None:
    """Print the measures of a terrain beside those of real terrain."""
    path = Path(options.terrain)
    if path.suffix.lower() in formats.readable():
        if options.map or options.seed is not None or options.resolution is not None:
            raise ValueError(
                f"--map, --seed and --resolution are for recipes, not for a {path.suffix} file"
            )
        height, spacing = measured(path, options.spacing)
    else:
        if options.spacing is not None:
            raise ValueError("--spacing is for a file of heights, not for a recipe")
        recipe = _recipe(options.terrain, options.seed, options.map)
        resolution = realism.USUAL if options.resolution is None else options.resolution
        grid = recipe.pixel_grid(resolution)
        height, spacing = evaluate(recipe, grid).height, grid.dx
    measures = realism.measure(height, spacing, smoothed=not options.unsmoothed)
    print(realism.to_json(measures) if options.json else realism.report(measures))
