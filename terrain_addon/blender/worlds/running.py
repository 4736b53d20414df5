# SPDX-License-Identifier: GPL-3.0-or-later
"""Worlds are planned by the worker and made by another process, while Blender is used.

The process runs the core with Blender's own Python. It ends with Blender, or when it is canceled:
finished tiles stay, and the next run continues.
"""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

import bpy

from ...core import Recipe
from ...core.output import worlds
from ..app import processes
from ..app.worker import Job, Result, Worker
from . import status

PACKAGE = Path(__file__).parents[2]
"""Folder of the package, whose core runs without Blender."""
POLL = 0.3
"""Seconds between two looks at the process."""


@dataclass
class _State:
    worker: Worker
    folder: str = ""
    workers: int = 1
    process: subprocess.Popen[bytes] | None = None
    errors: IO[bytes] | None = None
    """What the process writes to its standard error stream."""
    message: tuple[str, bool] = ("", False)


def plan(recipe: Recipe, folder: str, spacing: float, side: int, workers: int) -> None:
    """Plan a world in a new folder, and make its tiles.

    Raises ValueError, before anything is computed, if a world is being made or the folder is not
    empty.
    """
    _check_idle()
    if not folder:
        raise ValueError("Choose a new folder for the tiles first")
    if os.path.isfile(folder) or (os.path.isdir(folder) and os.listdir(folder)):
        raise ValueError(f"{folder} is not empty: choose another name")
    _state.folder, _state.workers, _state.message = folder, workers, ("", False)
    make = partial(_planned, recipe, folder, spacing, side)
    _state.worker.start(Job(0, folder, make))


def run(folder: str, workers: int) -> None:
    """Make the missing tiles of a world; ValueError if it is none, or one is being made."""
    _check_idle()
    status.load(folder)
    _state.folder, _state.workers, _state.message = folder, workers, ("", False)
    _start()


def is_busy() -> bool:
    """Whether a world is being planned or made."""
    return _state.worker.busy or _state.process is not None


def is_planning() -> bool:
    """Whether a world is being planned."""
    return _state.worker.busy


def folder() -> str:
    """The folder of the world that is, or was last, planned or made."""
    return _state.folder


def progress() -> tuple[float, str] | None:
    """Share done (0 to 1), and what is being done; None if nothing is."""
    if _state.process is not None:
        known = status.of(_state.folder)
        if not known.total:
            return 0.0, "Starting"
        return known.made / known.total, f"{known.made} of {known.total} tiles"
    if _state.worker.busy:
        return _state.worker.share, f"Solving: {_state.worker.text}".rstrip(": ")
    return None


def message() -> tuple[str, bool]:
    """How the last run ended, "" for none, and whether it failed."""
    return _state.message


def cancel() -> None:
    """Stop planning or making tiles; finished ones stay."""
    if not is_busy():
        return
    _state.worker.cancel()
    _stop()
    known = status.of(_state.folder, now=True)
    _state.message = (
        (f"Canceled: {known.made} of {known.total} tiles are made", False)
        if known.world
        else ("Canceled: nothing was written", False)
    )
    status.redraw_panels()


def finish() -> None:
    """Wait until the world is made."""
    _state.worker.finish()
    if _state.process is not None:
        _state.process.wait()
        _poll()


def _check_idle() -> None:
    if is_busy():
        raise ValueError("Another world is being made: wait for it, or cancel it")


def _planned(recipe: Recipe, folder: str, spacing: float, side: int, *report: Any) -> worlds.World:
    """Plan a world, for the worker."""
    progress, cancelled = report
    return worlds.plan(
        recipe, folder, spacing=spacing, side=side, progress=progress, cancelled=cancelled
    )


def _receive(result: Result) -> bool:
    if result.error:
        _state.message = result.error, True
    elif result.job.goal == _state.folder:
        try:
            _start()
        except (ValueError, OSError) as error:
            _state.message = str(error), True
    return True


def _start() -> None:
    """Start the process."""
    if not os.access(sys.executable, os.X_OK):
        raise ValueError(
            "This Blender has no Python program to make tiles with: run the world in a terminal"
        )
    command = [sys.executable, "-E", "-s", "-m", f"{PACKAGE.name}.run_world"]
    _state.errors = tempfile.TemporaryFile()  # noqa: SIM115 (open until the process ends)
    _state.process = subprocess.Popen(
        [*command, os.path.abspath(_state.folder), "--workers", str(_state.workers)],
        cwd=PACKAGE.parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=_state.errors,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    if not bpy.app.timers.is_registered(_poll):
        bpy.app.timers.register(_poll, first_interval=POLL, persistent=True)


def _poll() -> float | None:
    """Look at the process and at its tiles."""
    process = _state.process
    if process is None:
        return None
    code = process.poll()
    if code is None:
        status.redraw_panels()
        return POLL
    _state.message = _ended(code)
    _stop()
    status.redraw_panels()
    return None


def _ended(code: int) -> tuple[str, bool]:
    known = status.of(_state.folder, now=True)
    if not code:
        return f"All {known.total} tiles are made", False
    said = ""
    if _state.errors:
        _state.errors.seek(0)
        said = _state.errors.read().decode("utf-8", "replace").strip()
    return said.splitlines()[-1] if said else f"The process ended with code {code}", True


def _stop() -> None:
    """End the process, if there is one."""
    processes.stop(_state.process, _state.errors)
    _state.process = _state.errors = None


def unregister() -> None:
    _state.worker.reset()
    _stop()
    if bpy.app.timers.is_registered(_poll):
        bpy.app.timers.unregister(_poll)


_state = _State(Worker(_receive))
