# SPDX-License-Identifier: GPL-3.0-or-later
"""Worlds are planned by the worker and made by another process, while Blender is used.

The process runs the core with Blender's own Python. It ends with Blender, or when it is canceled:
finished tiles stay, and the next run continues.
"""

import os
from functools import partial
from pathlib import Path
from typing import Any

from ...core import Recipe, worlds
from ...core.output.exports import georeference_of
from ..app.tasks import Task
from ..app.worker import Job, Result
from . import status


class _WorldRun(Task):
    """The world that is, or was last, planned or made."""

    ends_with_file = False

    def __init__(self) -> None:
        super().__init__()
        self.folder = ""
        self._workers = 1

    def plan(
        self,
        recipe: Recipe,
        folder: str,
        spacing: float,
        side: int,
        workers: int,
        base: Path | None = None,
    ) -> None:
        """Plan a world in a new folder, and make its tiles.

        ``base`` is the folder that paths of elevation files are relative to.

        Raises ValueError, before anything is computed, if a world is being made or the folder is
        not empty.
        """
        self._check_idle()
        if not folder:
            raise ValueError("Choose a new folder for the tiles first")
        if os.path.isfile(folder) or (os.path.isdir(folder) and os.listdir(folder)):
            raise ValueError(f"{folder} is not empty: choose another name")
        self._begin(folder, workers)
        make = partial(_planned, recipe, folder, spacing, side, base)
        self.worker.start(Job(0, folder, make))

    def run(self, folder: str, workers: int) -> None:
        """Make the missing tiles of a world; ValueError if it is none, or one is being made."""
        self._check_idle()
        status.load(folder)
        self._begin(folder, workers)
        self._start_process()

    def is_planning(self) -> bool:
        """Return True while a world is being planned."""
        return self.worker.is_pending

    def progress(self) -> tuple[float, str] | None:
        """Return the share done (0 to 1) and the current step; None if nothing is being done."""
        if self.process.is_running:
            known = status.of(self.folder)
            if not known.total:
                return 0.0, "Starting"
            return known.made / known.total, f"{known.made} of {known.total} tiles"
        if self.is_planning():
            return self.worker.share, f"Solving: {self.worker.text}".rstrip(": ")
        return None

    def canceled(self) -> None:
        """Say how many tiles are made; they stay."""
        known = status.of(self.folder, now=True)
        done = f"{known.made} of {known.total} tiles are made"
        self.say(f"Canceled: {done if known.world else 'nothing was written'}")

    def receive(self, result: Result) -> bool:
        """Make the tiles of a planned world."""
        if result.error:
            self.say(result.error, True)
            return True
        try:
            self._start_process()
        except (ValueError, OSError) as error:
            self.say(str(error), True)
        return True

    def ended(self, code: int) -> tuple[str, bool]:
        """Return the message after the process ended with a code, and whether it failed."""
        known = status.of(self.folder, now=True)
        return super().ended(code) if code else (f"All {known.total} tiles are made", False)

    def _check_idle(self) -> None:
        if self.is_busy():
            raise ValueError("Another world is being made: wait for it, or cancel it")

    def _begin(self, folder: str, workers: int) -> None:
        self.folder, self._workers = folder, workers
        self._messages.clear()

    def _start_process(self) -> None:
        options = ("--workers", str(self._workers), "--until-stdin-closes")
        self.process.start("world", "run", os.path.abspath(self.folder), *options)


def _planned(
    recipe: Recipe, folder: str, spacing: float, side: int, base: Path | None, *report: Any
) -> worlds.World:
    """Plan a world, for the worker."""
    progress, cancelled = report
    return worlds.plan(
        recipe,
        folder,
        spacing=spacing,
        side=side,
        georeference=georeference_of(recipe, base),
        progress=progress,
        cancelled=cancelled,
    )


world_run = _WorldRun()
