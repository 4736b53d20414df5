# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``fit``."""

from __future__ import annotations

import argparse
import dataclasses
import os
import time
from pathlib import Path

from ...core import fitting, formats
from ...core.settings import check_place, replaced
from ..command import Command, Result, UsageError
from ..console import Console
from ..elevation_files import listed, measured
from ..recipes import add_recipe, recipe_of


def _arguments(command: argparse.ArgumentParser) -> None:
    add_recipe(command)
    command.add_argument("place", help=f"file of heights in meters: {listed(formats.readable())}")
    command.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="recipe file to write (.json)"
    )
    command.add_argument(
        "--spacing", type=float, help="meters between heights, where the file does not state it"
    )
    command.add_argument("--seconds", type=float, help="how long to search, about; 120 by default")
    command.add_argument(
        "--evaluations",
        type=int,
        help="terrains to measure, about, instead of a time: the result can be repeated then",
    )
    command.add_argument("--search-seed", type=int, default=0, help="another search")
    command.add_argument(
        "--workers", type=int, help="processes; by default as many as there are processors"
    )


def _run(options: argparse.Namespace, console: Console) -> Result:
    """Search, and write the best recipe."""
    out: Path = options.out
    if out.suffix != ".json":
        raise UsageError(f"{out.name}: a recipe file ends in .json")
    check_place(out)
    seconds = options.seconds
    if seconds is None and options.evaluations is None:
        seconds = 120.0
    height, spacing = measured(options.place, options.spacing)
    progress = console.progress()
    start = time.perf_counter()
    found = fitting.fit(
        recipe_of(options),
        height,
        spacing,
        seconds=seconds,
        evaluations=options.evaluations,
        seed=options.search_seed,
        workers=options.workers or os.cpu_count() or 1,
        progress=lambda one: progress(one.share, f"distance {one.best[0].distance:.3f}"),
    )
    about = f"{Path(options.recipe).stem} fitted to {Path(options.place).name}"
    recipe = dataclasses.replace(found.best[0].recipe, about=about, group="")
    with replaced(out) as beside:
        beside.write_text(recipe.to_json(), encoding="utf-8")
    best, before = found.best[0].distance, found.start.distance
    text = (
        f"{out}: distance {best:.3f}, {before:.3f} before; {found.evaluations} terrains measured "
        f"in {time.perf_counter() - start:.0f} s"
    )
    data = {
        "file": str(out),
        "distance": best,
        "before": before,
        "evaluations": found.evaluations,
        "size": recipe.size_x,
    }
    return Result(text, data)


FIT = Command(
    "fit",
    "find settings whose terrain measures like a place",
    (
        "fit alps dem.tif --out like_dem.json",
        "fit badlands heights.npy --spacing 10 --seconds 300 --out badlands_here.json",
    ),
    _arguments,
    _run,
)
