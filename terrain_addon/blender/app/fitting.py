# SPDX-License-Identifier: GPL-3.0-or-later
"""A recipe is fitted to a place by another process, while Blender is used.

The process runs the core with Blender's own Python, on all processors but one. It writes what it
has found to a temporary folder, and ends with Blender.
"""

import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core import Recipe
from ...core.numerics import user_message
from .tasks import Task


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


class _FitSearch(Task):
    """The search that runs or ran last, and what it has found.

    Attributes
    ----------
    mesh : session_uid of the mesh whose recipe is, or was last, fitted; 0 for none
    found : what was found so far
    is_finishing : whether the search is about to end early
    """

    ends_with_file = False

    def __init__(self) -> None:
        super().__init__()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._forget()

    def start(
        self,
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
        if self.is_busy():
            raise ValueError("Another search is running: finish or cancel it first")
        self.process.check()
        self._forget()
        self._messages.clear()
        self._folder = tempfile.TemporaryDirectory(prefix="orogen_fit_")
        folder = Path(self._folder.name)
        (folder / "start.json").write_text(recipe.to_json(), encoding="utf-8")
        self.mesh, self._place, self._done = mesh, place, done
        options = ["--seconds", str(seconds), "--workers", str(max((os.cpu_count() or 2) - 1, 1))]
        options += [] if spacing is None else ["--spacing", str(spacing)]
        options += ["--out", str(folder / "best.json"), "--live", str(folder)]
        self.process.start("fit", str(folder / "start.json"), place, *options)

    def place(self) -> str:
        """Return the name of the file that the recipe is, or was last, fitted to."""
        return Path(self._place).name

    def recipe(self, number: int) -> Recipe:
        """Return one of the best recipes, the best being number 0; ValueError if there is none."""
        if not 0 <= number < len(self.found.best):
            raise ValueError("Fit the terrain to an elevation file first")
        return Recipe.from_json(self._file(number, ".json").read_bytes())

    def picture(self, number: int) -> Path:
        """Return the picture of one of the best recipes."""
        return self._file(number, ".png")

    def finish_early(self) -> None:
        """End the search with what it has found."""
        if self.is_busy() and not self.is_finishing:
            self.is_finishing = True
            self.process.finish_early()

    def canceled(self) -> None:
        """Set the message; what was found can still be looked at."""
        self.is_finishing = False
        self.say("Canceled")

    def reset(self) -> None:
        """End the search and remove what was found."""
        super().reset()
        self._forget()

    def watch(self, code: int | None) -> None:
        """Read what the process has found, and show it."""
        if self._read() or code is not None:
            super().watch(code)

    def ended(self, code: int) -> tuple[str, bool]:
        """Return the message after the process ended with a code, and whether it failed."""
        self.is_finishing = False
        if code:
            return super().ended(code)
        try:
            return self._done(self.recipe(0)), False
        except (ValueError, OSError, MemoryError) as error:
            return user_message(error), True

    def _file(self, number: int, suffix: str) -> Path:
        assert self._folder
        return Path(self._folder.name) / (self.found.best[number][0] + suffix)

    def _read(self) -> bool:
        """Read what was found; return whether there is news."""
        assert self._folder
        path = Path(self._folder.name) / "fit.json"
        try:
            changed = path.stat().st_mtime_ns
            if changed == self._changed:
                return False
            data: Any = json.loads(path.read_bytes())
        except (OSError, ValueError):  # not yet, or it is being replaced
            return False
        best = tuple((one["name"], one["distance"]) for one in data["best"])
        self.found = Found(data["share"], data["evaluations"], data["before"], best)
        self._changed = changed
        return True

    def _forget(self) -> None:
        """Remove what was found."""
        if self._folder is not None:
            self._folder.cleanup()
        self._folder, self.found, self._changed = None, Found(), 0
        self.mesh, self._place, self.is_finishing = 0, "", False
        self._done: Callable[[Recipe], str] = lambda recipe: ""


fit_search = _FitSearch()
