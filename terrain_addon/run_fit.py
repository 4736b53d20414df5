# SPDX-License-Identifier: GPL-3.0-or-later
"""Fit a recipe to a place for a program that may end: ``python -m terrain_addon.run_fit``.

The folder holds the recipe as ``start.json``. After each generation of the search it also holds the
best recipes with pictures, and ``fit.json``, which names them. The search ends early once there is
a byte on standard input, and at once when that is closed, which the system does when the program
dies. Errors go to the standard error stream.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from .command_line.elevation_files import measured
from .core import Recipe, fitting
from .core.numerics import user_message
from .core.output import terrain_picture, write_png
from .core.settings import replaced

PICTURE = 128
"""Pixels of a picture each way."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Search until the time is up; return 0, or 1 after an error."""
    parser = argparse.ArgumentParser(prog="terrain_addon.run_fit")
    parser.add_argument("folder", type=Path)
    parser.add_argument("place")
    parser.add_argument("--spacing", type=float)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args(arguments)
    finished = threading.Event()
    threading.Thread(target=_listen, args=(finished,), daemon=True).start()
    folder: Path = options.folder
    try:
        height, spacing = measured(options.place, options.spacing)
        found = fitting.fit(
            Recipe.from_json((folder / "start.json").read_bytes()),
            height,
            spacing,
            seconds=options.seconds,
            workers=options.workers,
            progress=lambda one: write(folder, one),
            finish=finished.is_set,
        )
        write(folder, found)
    except (ValueError, OSError, MemoryError, RuntimeError) as error:
        print(user_message(error), file=sys.stderr)
        return 1
    return 0


def write(folder: Path, found: fitting.Fit) -> None:
    """Write what a search has found, the file that names the rest last."""
    best = [{"name": _written(folder, one.recipe), "distance": one.distance} for one in found.best]
    state = {
        "share": found.share,
        "evaluations": found.evaluations,
        "before": found.start.distance,
        "best": best,
    }
    with replaced(folder / "fit.json") as beside:
        beside.write_text(json.dumps(state), encoding="utf-8")


def _written(folder: Path, recipe: Recipe) -> str:
    """Return the name of the files of a recipe, which are written once."""
    text = recipe.to_json()
    name = sha256(text.encode()).hexdigest()[:16]
    if not (folder / f"{name}.png").exists():
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
        write_png(folder / f"{name}.png", terrain_picture(recipe, PICTURE))
    return name


def _listen(finished: threading.Event) -> None:
    while os.read(0, 1):  # sys.stdin has a lock that Python would wait for at its end
        finished.set()
    os._exit(130)


if __name__ == "__main__":
    sys.exit(main())
