# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``height``."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from ...core import formats
from ...core.evaluation import DEFAULT_RESOLUTION, check_disk, evaluate_by_rows
from ...core.output import exports
from ...core.settings import check_place
from ..command import Command, CommandResult
from ..console import Console
from ..elevation_files import listed
from ..recipes import add_recipe, place_of, recipe_of


def _arguments(command: argparse.ArgumentParser) -> None:
    add_recipe(command)
    command.add_argument("out", type=Path, help=f"file to write: {listed(formats.writable())}")
    command.add_argument(
        "--resolution",
        type=int,
        default=DEFAULT_RESOLUTION,
        help="points along the longer side; %(default)s by default",
    )


def _run(options: argparse.Namespace, console: Console) -> CommandResult:
    out = options.out
    kind = formats.check_suffix(out, formats.writable())
    check_place(out)
    recipe = recipe_of(options)
    grid = recipe.grid(options.resolution)
    check_disk(out, grid.nx, grid.ny, kind.point)
    start = time.perf_counter()
    progress = console.progress(grid.nx * grid.ny, "points")
    evaluated = evaluate_by_rows(recipe, grid, fields=(), progress=progress)
    place = exports.on_grid(place_of(options, recipe), grid)
    heights = (terrain.height for _, terrain in evaluated)
    rows = formats.HeightRows(grid.shape, heights, georeference=place)
    formats.write(out, rows)
    seconds = time.perf_counter() - start
    low, high = rows.range
    return CommandResult(
        f"{out}: {grid.nx} x {grid.ny}, {low:.3f} to {high:.3f} m, {seconds:.2f} s",
        {
            "file": str(out),
            "points": [grid.nx, grid.ny],
            "spacing": [grid.dx, grid.dy],
            "low": low,
            "high": high,
            "seconds": seconds,
        },
    )


HEIGHT = Command(
    "height",
    "make a heightmap",
    ("height island island.npy", "height alps alps.png --resolution 4097 --seed 7"),
    _arguments,
    _run,
)
