# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``contours``."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...core import evaluate
from ...core.contours import ContourSettings, contours, geojson, svg
from ...core.evaluation import DEFAULT_RESOLUTION
from ...core.settings import check_place, replaced
from ..command import Command, CommandResult, UsageError
from ..console import Console
from ..recipes import add_recipe, place_of, recipe_of

SUFFIXES = (".svg", ".geojson", ".json")
EVALUATED = 0.7
"""Share of the work that is done when heights are known."""


def _arguments(command: argparse.ArgumentParser) -> None:
    add_recipe(command)
    command.add_argument(
        "out",
        type=Path,
        help="file to write: .svg, a drawing with labels, or .geojson, in longitude and latitude "
        "where the terrain has a place, otherwise in meters from its middle",
    )
    command.add_argument(
        "--resolution",
        type=int,
        default=DEFAULT_RESOLUTION,
        help="points along the longer side; %(default)s by default",
    )
    command.add_argument(
        "--interval",
        type=float,
        default=0.0,
        help="meters between contours; by default a round number, for about 20 of them",
    )
    command.add_argument("--base", type=float, default=0.0, help="height of one of the contours")
    command.add_argument(
        "--index",
        type=int,
        default=5,
        help="every so many contours one is bold and labeled; %(default)s by default, 0 for none",
    )
    command.add_argument(
        "--simplify",
        type=float,
        default=0.0,
        metavar="METERS",
        help="leave out points up to that distance from a line",
    )


def _run(options: argparse.Namespace, console: Console) -> CommandResult:
    out: Path = options.out
    if out.suffix.lower() not in SUFFIXES:
        raise UsageError(f"{out.name}: contours are written as {', '.join(SUFFIXES)}")
    check_place(out)
    settings = ContourSettings(
        interval=options.interval, base=options.base, index=options.index, simplify=options.simplify
    )
    recipe = recipe_of(options)
    grid = recipe.grid(options.resolution)
    progress = console.progress()
    terrain = evaluate(
        recipe, grid, fields=(), progress=lambda share, _: progress(EVALUATED * share)
    )
    lines = contours(grid, terrain.height, settings)
    if not lines:
        raise ValueError("The terrain is flat: it has no contours")
    if out.suffix.lower() == ".svg":
        text = svg(lines, *grid.size)
    else:
        text = geojson(lines, place_of(options, recipe))
    with replaced(out) as new:
        new.write_text(text, encoding="utf-8")
    levels = sorted({line.level for line in lines})
    return CommandResult(
        f"{out}: {len(lines)} lines, {levels[0]:g} to {levels[-1]:g} m",
        {"file": str(out), "lines": len(lines), "levels": levels},
    )


CONTOURS = Command(
    "contours",
    "draw contours",
    (
        "contours alps alps.svg --interval 100",
        "contours N46E007.hgt contours.geojson --interval 20 --index 5",
    ),
    _arguments,
    _run,
)
