# SPDX-License-Identifier: GPL-3.0-or-later
"""A recipe is fitted to a place by another process, while Blender is used.

The process runs the core with Blender's own Python, on all processors but one. It writes what it
has found to a temporary folder, and ends with Blender.
"""

import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...core import Recipe
from ...core.numerics import user_message
from .child_process import ChildProcess
from .status import redraw


@dataclass(frozen=True)
class Found:
    """What the search has found so far.

    Attributes
    ----------
    share : how much of it is done, 0 to 1
    evaluations : terrains that were measured
    before : distance of the recipe that it started from
    best : names and distances of the best recipes, the best first
    """

    share: float = 0.0
    evaluations: int = 0
    before: float = 0.0
    best: tuple[tuple[str, float], ...] = ()


@dataclass
class _State:
    process: ChildProcess
    folder: tempfile.TemporaryDirectory[str] | None = None
    mesh: int = 0
    place: str = ""
    changed: int = 0
    """When the file was written that holds what was found."""
    found: Found = field(default_factory=Found)
    finishing: bool = False
    message: tuple[str, bool] = ("", False)
    done: Callable[[Recipe], str] = lambda recipe: ""


def start(
    recipe: Recipe,
    place: str,
    *,
    mesh: int,
    seconds: float,
    spacing: float | None = None,
    done: Callable[[Recipe], str],
) -> None:
    """Fit a recipe to the heights in a file.

    Parameters
    ----------
    recipe : where the search starts
    place : full path of a file of elevations
    mesh : session_uid of the terrain's mesh
    seconds : how long to search
    spacing : meters between heights, where the file does not state it
    done : called with the best recipe in the end; returns what to say

    Raises
    ------
    ValueError : another search runs, or there is no Python program
    """
    if is_busy():
        raise ValueError("Another search is running: finish or cancel it first")
    _state.process.check()
    _forget()
    _state.folder = tempfile.TemporaryDirectory(prefix="orogen_fit_")
    folder = Path(_state.folder.name)
    (folder / "start.json").write_text(recipe.to_json(), encoding="utf-8")
    _state.mesh, _state.place, _state.done = mesh, place, done
    options = ["--seconds", str(seconds), "--workers", str(max((os.cpu_count() or 2) - 1, 1))]
    options += [] if spacing is None else ["--spacing", str(spacing)]
    _state.process.start("run_fit", str(folder), place, *options)


def is_busy() -> bool:
    """Whether a search runs."""
    return _state.process.is_running


def is_finishing() -> bool:
    """Whether the search is about to end early."""
    return _state.finishing


def mesh() -> int:
    """session_uid of the mesh whose recipe is, or was last, fitted; 0 for none."""
    return _state.mesh


def place() -> str:
    """Name of the file that the recipe is, or was last, fitted to."""
    return Path(_state.place).name


def found() -> Found:
    """What was found so far."""
    return _state.found


def message() -> tuple[str, bool]:
    """How the last search ended, "" for none, and whether it failed."""
    return _state.message


def recipe(number: int) -> Recipe:
    """One of the best recipes, the best being number 0; ValueError if there is none."""
    if not 0 <= number < len(_state.found.best):
        raise ValueError("Fit the terrain to an elevation file first")
    return Recipe.from_json(_file(number, ".json").read_bytes())


def picture(number: int) -> Path:
    """The picture of one of the best recipes."""
    return _file(number, ".png")


def finish() -> None:
    """End the search early, with what it has found."""
    if is_busy() and not _state.finishing:
        _state.finishing = True
        _state.process.finish_early()


def cancel() -> None:
    """Stop the search; what it has found stays to be looked at."""
    if is_busy():
        _stop()
        _state.message = "Canceled", False
        redraw()


def wait() -> None:
    """Wait until the search ends."""
    _state.process.wait()


def _file(number: int, suffix: str) -> Path:
    assert _state.folder
    return Path(_state.folder.name) / (_state.found.best[number][0] + suffix)


def _watch(code: int | None) -> None:
    """Read what the process has found, and show it."""
    if _read() or code is not None:
        redraw()
    if code is not None:
        _state.message = _ended(code)
        _state.finishing = False


def _read() -> bool:
    """Read what was found; whether there is news."""
    assert _state.folder
    path = Path(_state.folder.name) / "fit.json"
    try:
        changed = path.stat().st_mtime_ns
        if changed == _state.changed:
            return False
        data: Any = json.loads(path.read_bytes())
    except (OSError, ValueError):  # not yet, or it is being replaced
        return False
    best = tuple((one["name"], one["distance"]) for one in data["best"])
    _state.found = Found(data["share"], data["evaluations"], data["before"], best)
    _state.changed = changed
    return True


def _ended(code: int) -> tuple[str, bool]:
    """What to say at the end, and whether it failed."""
    if not code:
        try:
            return _state.done(recipe(0)), False
        except (ValueError, OSError, MemoryError) as error:
            return user_message(error), True
    return _state.process.error(code), True


def _stop() -> None:
    """End the process, if there is one."""
    _state.process.stop()
    _state.finishing = False


def _forget() -> None:
    """Remove what was found."""
    if _state.folder is not None:
        _state.folder.cleanup()
    _state.folder, _state.found, _state.changed = None, Found(), 0
    _state.mesh, _state.place, _state.message = 0, "", ("", False)


def register() -> None:
    """Nothing: the process starts when it is wanted."""


def unregister() -> None:
    """End the process and remove what was found."""
    _stop()
    _forget()


_state = _State(ChildProcess(_watch))
