# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``fit``."""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import os
import threading
import time
from hashlib import sha256
from pathlib import Path

from ...core import Recipe, fitting, formats
from ...core.output import terrain_picture, write_png
from ...core.settings import check_place, replaced
from .. import streams
from ..command import Command, CommandResult, UsageError
from ..console import Console
from ..elevation_files import listed, measured
from ..recipes import add_recipe, recipe_of

PICTURE = 128
"""Pixels of a picture each way."""
SECONDS = 120.0
"""How long to search, unless the user says something else."""


def _arguments(command: argparse.ArgumentParser) -> None:
    add_recipe(command)
    command.add_argument("place", help=f"file of heights in meters: {listed(formats.readable())}")
    command.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="recipe file to write (.json)"
    )
    command.add_argument(
        "--spacing", type=float, help="meters between heights, where the file does not state it"
    )
    command.add_argument(
        "--seconds",
        type=float,
        help=f"how long to read the file and search, at most; {SECONDS:g} by default",
    )
    command.add_argument(
        "--evaluations",
        type=int,
        help="terrains to measure, about, instead of a time: the result can be repeated then",
    )
    command.add_argument("--live", type=Path, metavar="FOLDER", help=argparse.SUPPRESS)  # Blender
    command.add_argument("--search-seed", type=int, default=0, help="another search")
    command.add_argument(
        "--workers", type=int, help="processes; by default as many as there are processors"
    )


def _run(options: argparse.Namespace, console: Console) -> CommandResult:
    """Search, and write the best recipe.

    With ``--live``, a folder has what was found so far. A byte on standard input ends the search
    early, and closing it ends the process, as happens when Blender quits.
    """
    start = time.monotonic()
    finished = threading.Event()
    if options.live:
        streams.watch_stdin(finished.set)
    out: Path = options.out
    if out.suffix != ".json":
        raise UsageError(f"{out.name}: a recipe file ends in .json")
    check_place(out)
    seconds = options.seconds
    if seconds is None and options.evaluations is None:
        seconds = SECONDS
    end = math.inf if seconds is None else start + seconds
    # A search refuses painted maps: in Blender, nobody is to give them.
    recipe = (
        Recipe.from_json(Path(options.recipe).read_bytes()) if options.live else recipe_of(options)
    )
    height, spacing = measured(options.place, options.spacing)
    progress = console.progress()

    def report(found: fitting.Fit) -> None:
        if options.live:  # the last line on stderr is for an error
            _write_live(options.live, found, end)
        else:
            progress(found.share, f"distance {found.best[0].distance:.3f}")

    found = fitting.fit(
        recipe,
        height,
        spacing,
        seconds=None if seconds is None else end - time.monotonic(),
        evaluations=options.evaluations,
        seed=options.search_seed,
        workers=options.workers or os.cpu_count() or 1,
        progress=report,
        finish=finished.is_set,
    )
    if options.live:
        _write_live(options.live, found, end)
    about = f"{Path(options.recipe).stem} fitted to {Path(options.place).name}"
    recipe = dataclasses.replace(found.best[0].recipe, about=about, group="")
    with replaced(out) as beside:
        beside.write_text(recipe.to_json(), encoding="utf-8")
    if found.seeds < fitting.SEEDS:
        console.warn(
            f"the time was short: the best were measured with {_seeds(found.seeds)}, not with "
            f"{fitting.SEEDS}, so chance had more to do with the choice"
        )
    best, before = found.best[0].distance, found.start.distance
    text = (
        f"{out}: distance {best:.3f}, {before:.3f} before; {found.evaluations} terrains measured "
        f"in {time.monotonic() - start:.0f} s, the best with {_seeds(found.seeds)}"
    )
    data = {
        "file": str(out),
        "distance": best,
        "before": before,
        "evaluations": found.evaluations,
        "seeds": found.seeds,
        "size": recipe.size_x,
    }
    return CommandResult(text, data)


def _seeds(count: int) -> str:
    return f"{count} seed{'s' * (count != 1)}"


def _write_live(folder: Path, found: fitting.Fit, end: float) -> None:
    """Write the best recipes so far, with pictures until the time ends, then ``fit.json``, which
    names them."""
    best = [
        {"name": _written(folder, one.recipe, end), "distance": one.distance} for one in found.best
    ]
    state = {
        "share": found.share,
        "evaluations": found.evaluations,
        "before": found.start.distance,
        "best": best,
    }
    with replaced(folder / "fit.json") as beside:
        beside.write_text(json.dumps(state), encoding="utf-8")


def _written(folder: Path, recipe: Recipe, end: float) -> str:
    """Return the name of the files of a recipe, which are written once."""
    text = recipe.to_json()
    name = sha256(text.encode()).hexdigest()[:16]
    file, picture = (folder / f"{name}{suffix}" for suffix in (".json", ".png"))
    if not file.exists():
        file.write_text(text, encoding="utf-8")
    if not picture.exists() and time.monotonic() < end:
        palette = dataclasses.replace(recipe.palette, image="")  # whose pixels are in Blender
        write_png(picture, terrain_picture(dataclasses.replace(recipe, palette=palette), PICTURE))
    return name


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
