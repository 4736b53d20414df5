# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``export``: files for game engines."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...core import checks
from ...core.output import exports
from ...core.output.engines import ENGINES, as_text
from ...core.output.exports import ExportSettings
from ..arguments import height_range, tiles
from ..command import Command, CommandResult
from ..console import Console
from ..images import add_color_image, with_image
from ..recipes import add_recipe, place_of, recipe_of


def _arguments(command: argparse.ArgumentParser) -> None:
    add_recipe(command)
    add_color_image(command)
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
        help=f"gray image of a field, repeat for several: {', '.join(exports.known_masks())}; "
        f"{exports.LAYER}NAME for where the masks of a layer let it act",
    )
    command.add_argument("--no-color", action="store_true", help="write no image of the colors")
    command.add_argument("--no-normal", action="store_true", help="write no normal map")
    command.add_argument(
        "--range",
        metavar="LOW,HIGH",
        help="meters that 0 and 65535 stand for; as --range=-100,2400; by default the "
        "lowest and the highest height",
    )


def _formats(key: str) -> str:
    return f"{key} {' or '.join(ENGINES[key].suffixes)}"


def _run(options: argparse.Namespace, console: Console) -> CommandResult:
    columns, rows = tiles(options.tiles)
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
    limits = None if options.range is None else height_range(options.range)
    recipe = recipe_of(options)
    if settings.color and not ENGINES[settings.engine].materials:
        recipe = with_image(recipe, options, console)
    nx, ny = exports.extent_of(recipe, settings).points
    progress = console.progress(nx * ny, "samples")
    place = place_of(options, recipe)
    done = exports.export(
        recipe, settings, options.out, range=limits, georeference=place, progress=progress
    )
    low, high = done.manifest["low"], done.manifest["high"]
    lines = [
        f"  {name}: {as_text(value)}" for name, value in done.manifest["import_settings"].items()
    ]
    first = f"{options.out}: {nx} x {ny}, {low:.3f} to {high:.3f} m"
    verification = {"error": done.verification.error, "half_step": done.verification.half_step}
    return CommandResult(
        "\n".join([first, *lines, checks.report(done.checks), done.verification.text]),
        {"folder": str(done.folder), **done.manifest, "verification": verification},
    )


EXPORT = Command(
    "export",
    "write files for a game engine, with every number to type in",
    (
        "export alps --engine unreal --size 2017 --out alps_unreal",
        "export island --engine unity --size 1025 --tiles 2x2 --weights packed --out island",
        "export mesa --engine plain --size 2049 --height .tif --out mesa_files",
    ),
    _arguments,
    _run,
)
