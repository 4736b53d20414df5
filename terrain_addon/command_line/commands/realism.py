# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``realism``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ...core import evaluate, formats, realism
from ..command import Command, CommandResult, UsageError
from ..console import Console
from ..elevation_files import measured
from ..recipes import HELP, add_recipe_options, recipe_of


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "recipe",
        metavar="terrain",
        help=f"{HELP}; the heights of a single elevation file are compared as they are",
    )
    command.add_argument(
        "--resolution",
        type=int,
        help=f"points along the longer side of a recipe; {realism.USUAL} by default",
    )
    command.add_argument(
        "--spacing", type=float, help="meters between heights, where the file does not state it"
    )
    command.add_argument(
        "--unsmoothed",
        action="store_true",
        help="measure heights as they are: ten measures instead of twenty-one",
    )
    add_recipe_options(command)


def _run(options: argparse.Namespace, console: Console) -> CommandResult:
    """Compare the measures of a terrain with those of real terrain."""
    path = Path(options.recipe)
    if path.suffix.lower() in formats.readable():
        if options.map or options.seed is not None or options.resolution is not None:
            raise UsageError(
                f"--map, --seed and --resolution are for recipes, not for a {path.suffix} file"
            )
        height, spacing = measured(path, options.spacing)
    else:
        if options.spacing is not None:
            raise UsageError("--spacing is for a file of heights, not for a recipe")
        recipe = recipe_of(options)
        resolution = realism.USUAL if options.resolution is None else options.resolution
        grid = recipe.pixel_grid(resolution)
        progress = console.progress(grid.nx * grid.ny, "points")
        height, spacing = evaluate(recipe, grid, progress=progress).height, grid.dx
    measures = realism.measure(height, spacing, smoothed=not options.unsmoothed)
    return CommandResult(realism.report(measures), json.loads(realism.to_json(measures)))


REALISM = Command(
    "realism",
    "compare a terrain with real terrain",
    ("realism alps", "realism heights.npy --spacing 30", "realism --json dem.tif"),
    _arguments,
    _run,
)
