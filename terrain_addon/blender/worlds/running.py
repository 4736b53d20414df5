# SPDX-License-Identifier: GPL-3.0-or-later
"""Worlds are planned by the worker and made by another process, while Blender is used.

The process runs the core with Blender's own Python. It ends with Blender, or when it is canceled:
finished tiles stay, and the next run continues.
"""

import os
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...core import Recipe, worlds
from ..app.child_process import ChildProcess
from ..app.worker import Job, Result, Worker
from . import status


@dataclass
class _State:
    worker: Worker
    process: ChildProcess
    folder: str = ""
    workers: int = 1
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
    return _state.worker.busy or _state.process.is_running


def is_planning() -> bool:
    """Whether a world is being planned."""
    return _state.worker.busy


def folder() -> str:
    """The folder of the world that is, or was last, planned or made."""
    return _state.folder


def progress() -> tuple[float, str] | None:
    """Share done (0 to 1), and what is being done; None if nothing is."""
    if _state.process.is_running:
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
    _state.process.stop()
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
    _state.process.wait()


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
    folder = os.path.abspath(_state.folder)
    _state.process.start("run_world", folder, "--workers", str(_state.workers))


def _watch(code: int | None) -> None:
    """Show how many tiles are made."""
    if code is not None:
        _state.message = _ended(code)
    status.redraw_panels()


def _ended(code: int) -> tuple[str, bool]:
    known = status.of(_state.folder, now=True)
    if not code:
        return f"All {known.total} tiles are made", False
    return _state.process.error(code), True


def unregister() -> None:
    _state.worker.reset()
    _state.process.stop()


_state = _State(Worker(_receive), ChildProcess(_watch))
