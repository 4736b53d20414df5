# SPDX-License-Identifier: GPL-3.0-or-later
"""A terrain that is evaluated once and kept, in memory or on disk, to be read in windows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from ..analysis.fields import FIELDS, reach
from ..evaluation.by_rows import evaluate_by_rows
from ..evaluation.heightfield import Heightfield
from ..evaluation.solution import Solution
from ..evaluation.solving import solve
from ..evaluation.solving_fields import solve_fields
from ..evaluation.stack import layer_weight
from ..numerics.arrays import Floats, inside
from ..numerics.blocks import parts, row_bands
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, LayerProgress, poll, within
from ..recipe.recipe import Recipe

WINDOW = 1 << 18
"""Samples of a window."""
POINT = 4
"""Bytes of a value."""
SOLVED = 0.45
"""Share of the progress for solving fields that depend on all heights."""


@dataclass(frozen=True)
class KeptTerrain:
    """Heights and fields of a grid, and of a border around it.

    Attributes
    ----------
    recipe : Recipe
    grid : Grid
        The points without the border.
    border : int
        Samples around them that are kept as well.
    wide : ndarray of float32
        Heights in meters, with the border.
    fields : mapping of str to ndarray of float32
        Fields and layer weights of the same shape; in the border, derived fields are not exact.
    """

    recipe: Recipe
    grid: Grid
    border: int
    wide: Floats
    fields: Mapping[str, Floats]

    @classmethod
    def evaluate(
        cls,
        recipe: Recipe,
        grid: Grid,
        fields: Sequence[str],
        *,
        border: int,
        weights: Mapping[str, int] | None = None,
        folder: Path | None = None,
        solution: Solution | None = None,
        progress: LayerProgress | None = None,
        cancelled: Cancel | None = None,
    ) -> KeptTerrain:
        """Evaluate a recipe some rows at a time, and keep its heights and some fields.

        Parameters
        ----------
        recipe : Recipe
        grid : Grid
        fields : sequence of str
            Names of the fields to keep.
        border : int
            Samples around the grid to keep.
        weights : mapping of str to int, optional
            Number of each layer, from the ground up, whose weight is kept, by its name among the
            fields.
        folder : Path, optional
            Where to keep them in files, which the caller removes; in memory by default.
        solution, progress, cancelled : optional
            As for :func:`~.stack.evaluate`.

        Raises
        ------
        ValueError, Cancelled
            As for :func:`~.stack.evaluate`.
        OSError
            A file cannot be written.
        """
        wide, weights = grid.padded(border), weights or {}
        reached = max(
            (reach(name, grid.dx, grid.dy, recipe.wide_radius) for name in fields), default=0
        )
        margin = max(reached - border, 0)
        if any(FIELDS[name].whole for name in fields):
            step, progress = within(progress, 0, SOLVED), within(progress, SOLVED, 1)
            solution = solution or solve(recipe, cancelled=cancelled)
            solution = solve_fields(
                recipe, wide.padded(margin), fields, solution, progress=step, cancelled=cancelled
            )
        names = [*fields, *weights]
        with ExitStack() as stack:
            paths = (
                [folder / f"{number}.kept" for number in range(1 + len(names))] if folder else []
            )
            files = [stack.enter_context(path.open("wb")) for path in paths]
            planes = [_Plane(wide.shape, file) for file in files or [None] * (1 + len(names))]
            for rows, terrain in evaluate_by_rows(
                recipe,
                wide,
                margin=margin,
                fields=[name for name in fields if not FIELDS[name].make],
                solution=solution,
                progress=progress,
                cancelled=cancelled,
            ):
                part = wide.window(0, rows.start, wide.nx, rows.stop - rows.start)
                planes[0].append(inside(terrain.height, margin))
                for name, plane in zip(names, planes[1:], strict=True):
                    if name in weights:
                        place = weights[name]
                        values = layer_weight(
                            recipe, place, part, solution=solution, cancelled=cancelled
                        )
                    else:
                        values = inside(terrain.fields[name], margin)
                    plane.append(values)
        height, *others = (plane.array for plane in planes)
        return cls(recipe, grid, border, height, dict(zip(names, others, strict=True)))

    @property
    def height(self) -> Floats:
        """Heights in meters without the border, row 0 at the lowest y."""
        return inside(self.wide, self.border)

    def range(self, field: str | None = None) -> tuple[float, float]:
        """Return the lowest and highest height, or value of a field, without the border."""
        values = inside(self.fields[field] if field else self.wide, self.border)
        bands = [values[rows] for rows in row_bands(values.shape)]
        return min(float(band.min()) for band in bands), max(float(band.max()) for band in bands)

    def windows(
        self, margin: int, *, whole: bool, from_north: bool = False, cancelled: Cancel | None = None
    ) -> Iterator[tuple[slice, Heightfield]]:
        """Yield rows of the grid, and their terrain with ``margin`` more samples around.

        All rows at once if ``whole``, for fields that depend on all heights; otherwise windows from
        south to north, or ``from_north`` to south. Cancelled is raised between them.
        """
        # Neighbors share their margin: windows are so high that this costs little.
        grid = self.grid
        count = grid.ny if whole else max(WINDOW // grid.nx, 16 * margin)
        windows = list(parts(grid.ny, count))
        for rows in reversed(windows) if from_north else windows:
            poll(cancelled)
            window = grid.window(0, rows.start, grid.nx, rows.stop - rows.start)
            yield rows, self.part(window.padded(margin), cancelled)

    def part(self, window: Grid, cancelled: Cancel | None = None) -> Heightfield:
        """Return the terrain of a window of the grid, which may extend into the border.

        Fields that are not kept are derived from the heights of the window.
        """
        j = window.j0 - self.grid.j0 + self.border
        i = window.i0 - self.grid.i0 + self.border
        cut = slice(j, j + window.ny), slice(i, i + window.nx)
        height = np.ascontiguousarray(self.wide[cut])
        fields = {name: np.ascontiguousarray(field[cut]) for name, field in self.fields.items()}
        radius = self.recipe.wide_radius
        return Heightfield(window, height, fields, radius=radius, cancelled=cancelled)


class _Plane:
    """Float32 values of a grid that are appended row by row, in memory or to a file."""

    def __init__(self, shape: tuple[int, int], file: IO[bytes] | None) -> None:
        self._shape, self._file, self._rows = shape, file, 0
        self._values = np.empty((0, 0) if file else shape, np.float32)

    def append(self, values: Floats) -> None:
        """Add the next rows; OSError if the file cannot be written."""
        if self._file:
            self._file.write(np.ascontiguousarray(values).data)
        else:
            self._values[self._rows : self._rows + len(values)] = values
            self._rows += len(values)

    @property
    def array(self) -> Floats:
        """All rows; the file, which is closed, is mapped into memory."""
        if self._file:
            return np.memmap(self._file.name, np.float32, "r", shape=self._shape)
        return self._values
