# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights of finished grids in files, from which a solution that was stopped continues."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...numerics.arrays import Floats
from ...settings.array_files import save_array
from ...settings.atomic_files import replaced
from ...settings.atomic_folders import sync
from ...settings.owned_files import discard, is_temporary, remove_empty, remove_file
from .grids import Level

LEAST = 2048
"""Cells along the longer side of the coarsest grid that is saved: coarser ones take seconds."""


@dataclass(frozen=True)
class SavedLevels:
    """The files of one drainage.

    Attributes
    ----------
    folder : Path
        Where they are; made when there is something to save.
    """

    folder: Path

    def save(self, level: Level, height: Floats) -> None:
        """Save the heights of a finished grid, (h, w) float32, instead of a coarser one.

        OSError if the file cannot be written.
        """
        if level.resolution < LEAST:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self._path(level)
        with replaced(path) as new:
            save_array(new, height)
            sync(new)
        self._remove(lambda other: other != path)

    def remove(self) -> None:
        """Remove what was saved, and the folder if it holds nothing else."""
        if self.folder.is_dir():
            self._remove(lambda path: True)
            for one in filter(is_temporary, list(self.folder.iterdir())):
                discard(one)
            remove_empty(self.folder)

    def _remove(self, chosen: Callable[[Path], bool]) -> None:
        for path in filter(chosen, list(self.folder.iterdir())):
            remove_file(path, lambda path: path.suffix == ".npy" and path.stem.isdecimal())

    def finest(self, levels: Sequence[Level]) -> tuple[int, Floats] | None:
        """Return the number and heights of the finest grid that is saved; None if none is."""
        for number, level in reversed(list(enumerate(levels))):
            try:
                height = np.load(self._path(level), allow_pickle=False)
            except (OSError, ValueError, EOFError):  # none, or a damaged one
                continue
            if height.shape == level.terrain.shape and height.dtype == np.float32:
                return number, height
        return None

    def _path(self, level: Level) -> Path:
        return self.folder / f"{level.resolution}.npy"
