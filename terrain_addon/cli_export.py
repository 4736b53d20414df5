# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``export``: files for game engines."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .core import Recipe
from .core.output import exports
from .core.output.engines import ENGINES, as_text
from .core.output.exports import ExportSettings

EXAMPLE = """examples:
  terrain_addon export alps --engine unreal --size 2017 --out alps_unreal
  terrain_addon export island --engine unity --size 1025 --tiles 2x2 --weights packed --out island
  terrain_addon export mesa --engine plain --size 2049 --height .tif --out mesa_files"""


def add_export_command(
    commands: Any,
    add_recipe_options: Callable[[argparse.ArgumentParser], None],
    recipe_of: Callable[[argparse.Namespace], Recipe],
) -> None:
    """Add the command to the subparsers of the command line; the functions declare and read the
    options of a recipe."""
    command = commands.add_parser(
        "export",
        help="write files for a game engine, with every number to type in",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("recipe", help="name of a preset, or a recipe file (.json)")
    command.add_argument(
        "--engine", required=True, choices=list(ENGINES), help="the program that imports the files"
    )
    command.add_argument(
        "--out", type=Path, required=True, help="folder: new, empty, or of an earlier export"
    )
    command.add_argument(
        "--size",
        type=int,
        default=0,
        help="samples along the longer side of a tile; by default the usual size of the engine",
    )
    command.add_argument(
        "--tiles", default="1x1", metavar="NxM", help="tiles along x and y; %(default)s by default"
    )
    command.add_argument(
        "--name",
        default=exports.USUAL_NAME,
        help="what the names of all files begin with; %(default)s by default",
    )
    command.add_argument(
        "--height",
        default=exports.AUTOMATIC,
        metavar="SUFFIX",
        help="format of the heights: " + "; ".join(_formats(key) for key in ENGINES),
    )
    command.add_argument(
        "--weights",
        choices=exports.WEIGHTS,
        default=exports.WEIGHTS[0],
        help="how much of each color and each mask is at each sample: packed, four in each RGBA "
        "image, or separate gray images; Terrain3D gets a control map",
    )
    command.add_argument(
        "--mask",
        action="append",
        default=[],
        metavar="NAME",
        help=f"gray image of a field, repeat for several: {', '.join(exports.known_masks())}",
    )
    command.add_argument("--no-color", action="store_true", help="write no image of the colors")
    command.add_argument("--no-normal", action="store_true", help="write no normal map")
    command.add_argument(
        "--range",
        metavar="LOW,HIGH",
        help="meters that 0 and 65535 stand for; as --range=-100,2400; by default the "
        "lowest and the highest height",
    )
    add_recipe_options(command)
    command.set_defaults(run=lambda options: _export(options, recipe_of(options)))


def _formats(key: str) -> str:
    return f"{key} {' or '.join(ENGINES[key].suffixes)}"


def _export(options: argparse.Namespace, recipe: Recipe) -> None:
    columns, rows = _tiles(options.tiles)
    settings = ExportSettings(
        engine=options.engine,
        size=options.size,
        tiles_x=columns,
        tiles_y=rows,
        name=options.name,
        height=options.height.removeprefix("."),
        weights=options.weights,
        color=not options.no_color,
        normal=not options.no_normal,
        masks=options.mask,
    )
    limits = None if options.range is None else _heights(options.range)
    done = exports.export(recipe, settings, options.out, range=limits)
    nx, ny = done.card["points"]
    print(f"{options.out}: {nx} x {ny}, {done.card['low']:.3f} to {done.card['high']:.3f} m")
    for name, value in done.card["enter"].items():
        print(f"  {name}: {as_text(value)}")
    print(done.proof.text)


def _tiles(text: str) -> tuple[int, int]:
    """The numbers of NxM."""
    try:
        columns, rows = map(int, text.lower().split("x"))
    except ValueError:
        raise ValueError(f"--tiles {text}: expected tiles along x and y, as 2x2") from None
    return columns, rows


def _heights(text: str) -> tuple[float, float]:
    """The range of LOW,HIGH."""
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        low, high = 0.0, 0.0
    if not low < high:
        raise ValueError(f"--range {text}: expected two heights in meters, as --range=-100,2400")
    return low, high
