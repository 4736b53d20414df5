# SPDX-License-Identifier: GPL-3.0-or-later
"""A recipe is fitted to a place by another process, while Blender is used.

The process runs the core with Blender's own Python, on all processors but one. It writes what it
has found to a temporary folder, and ends with Blender.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import bpy

from ...core import Recipe
from ...core.numerics import user_message
from . import processes
from .status import redraw

PACKAGE = Path(__file__).parents[2]
"""Folder of the package, whose core runs without Blender."""
POLL = 0.3
"""Seconds between two looks at the process."""


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
    folder: tempfile.TemporaryDirectory[str] | None = None
    mesh: int = 0
    place: str = ""
    process: subprocess.Popen[bytes] | None = None
    errors: IO[bytes] | None = None
    """What the process writes to its standard error stream."""
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
    if not os.access(sys.executable, os.X_OK):
        raise ValueError("This Blender has no Python program: use orogen fit in a terminal")
    _forget()
    _state.folder = tempfile.TemporaryDirectory(prefix="orogen_fit_")
    folder = Path(_state.folder.name)
    (folder / "start.json").write_text(recipe.to_json(), encoding="utf-8")
    _state.mesh, _state.place, _state.done = mesh, place, done
    _state.errors = tempfile.TemporaryFile()  # noqa: SIM115 (open until the process ends)
    command = [sys.executable, "-E", "-s", "-m", f"{PACKAGE.name}.run_fit", str(folder), place]
    command += ["--seconds", str(seconds), "--workers", str(max((os.cpu_count() or 2) - 1, 1))]
    command += [] if spacing is None else ["--spacing", str(spacing)]
    _state.process = subprocess.Popen(
        command,
        cwd=PACKAGE.parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=_state.errors,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    if not bpy.app.timers.is_registered(_poll):
        bpy.app.timers.register(_poll, first_interval=POLL, persistent=True)


def is_busy() -> bool:
    """Whether a search runs."""
    return _state.process is not None


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
    process = _state.process
    if process is not None and process.stdin and not _state.finishing:
        _state.finishing = True
        try:
            process.stdin.write(b"f")
            process.stdin.flush()
        except OSError:  # it has just ended
            pass


def cancel() -> None:
    """Stop the search; what it has found stays to be looked at."""
    if is_busy():
        _stop()
        _state.message = "Canceled", False
        redraw()


def wait() -> None:
    """Wait until the search ends."""
    if _state.process is not None:
        _state.process.wait()
        _poll()


def _file(number: int, suffix: str) -> Path:
    assert _state.folder
    return Path(_state.folder.name) / (_state.found.best[number][0] + suffix)


def _poll() -> float | None:
    """Look at the process, and at what it has found."""
    process = _state.process
    if process is None:
        return None
    code = process.poll()
    if _read() or code is not None:
        redraw()
    if code is None:
        return POLL
    _state.message = _ended(code)
    _stop()
    return None


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
    said = ""
    if _state.errors:
        _state.errors.seek(0)
        said = _state.errors.read().decode("utf-8", "replace").strip()
    return said.splitlines()[-1] if said else f"The process ended with code {code}", True


def _stop() -> None:
    """End the process, if there is one."""
    processes.stop(_state.process, _state.errors)
    _state.process = _state.errors = None
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
    if bpy.app.timers.is_registered(_poll):
        bpy.app.timers.unregister(_poll)


_state = _State()
