# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``check``."""

from __future__ import annotations

import argparse
import dataclasses

from ...core import checks, evaluate
from ..command import Command, CommandResult
from ..console import Console
from ..recipes import add_recipe, recipe_of

USUAL = 513


def _arguments(command: argparse.ArgumentParser) -> None:
    add_recipe(command)
    command.add_argument(
        "--resolution",
        type=int,
        default=USUAL,
        help=f"points along the longer side; {USUAL} by default",
    )


def _run(options: argparse.Namespace, console: Console) -> CommandResult:
    """Report what was measured in the finished heights."""
    recipe = recipe_of(options)
    grid = recipe.grid(options.resolution)
    progress = console.progress(grid.nx * grid.ny, "points")
    height = evaluate(recipe, grid, progress=progress, fields=()).height
    found = checks.check(recipe, height, grid)
    return CommandResult(
        checks.report(found), {"checks": [dataclasses.asdict(one) for one in found]}
    )


CHECK = Command(
    "check",
    "count pits, follow drawn rivers, and measure roads: gradient, cut, fill and crossings",
    ("check alps", "check --json valley.json --resolution 2049"),
    _arguments,
    _run,
)
