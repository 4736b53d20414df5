# SPDX-License-Identifier: GPL-3.0-or-later
"""A terrain that is kept in one piece, to make several images from it in windows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...evaluation.by_rows import evaluate_by_rows
from ...evaluation.heightfield import Heightfield
from ...evaluation.solution import Solution
from ...numerics.arrays import Floats
from ...numerics.blocks import parts
from ...numerics.grid import Grid
from ...numerics.progress import Cancel, LayerProgress, poll
from ...recipe.recipe import Recipe

WINDOW = 1 << 18  # samples at a time


@dataclass(frozen=True)
class WholeHeightfield:
    """Heights (meters) at the points of a grid, and fields that layers produced.

    Fields that follow from the heights are derived in each window.
    """

    recipe: Recipe
    grid: Grid
    height: Floats
    produced: Mapping[str, Floats]

    @classmethod
    def evaluate(
        cls,
        recipe: Recipe,
        grid: Grid,
        produced: Sequence[str],
        solution: Solution | None = None,
        progress: LayerProgress | None = None,
        cancelled: Cancel | None = None,
    ) -> WholeHeightfield:
        """Evaluate a recipe; keep the heights and those fields that its layers produce."""
        height = np.empty(grid.shape, np.float32)
        fields = {name: np.empty(grid.shape, np.float32) for name in produced}
        parts = evaluate_by_rows(
            recipe, grid, fields=produced, solution=solution, progress=progress, cancelled=cancelled
        )
        for rows, terrain in parts:
            height[rows] = terrain.height
            for name, field in fields.items():
                field[rows] = terrain.fields[name]
        return cls(recipe, grid, height, fields)

    def windows(
        self,
        grid: Grid,
        margin: int,
        *,
        whole: bool,
        from_north: bool = False,
        cancelled: Cancel | None = None,
    ) -> Iterator[tuple[slice, Heightfield]]:
        """Rows of a grid within this one, and their terrain with ``margin`` more samples around.

        All rows at once if ``whole``, for fields that depend on all heights; otherwise windows from
        south to north, or ``from_north`` to south. Cancelled is raised between them.
        """
        # Neighbors share their margin: windows are so high that this costs little.
        count = grid.ny if whole else max(WINDOW // grid.nx, 16 * margin)
        several = list(parts(grid.ny, count))
        for rows in reversed(several) if from_north else several:
            poll(cancelled)
            window = grid.window(0, rows.start, grid.nx, rows.stop - rows.start).padded(margin)
            yield rows, self._part(window, cancelled)

    def _part(self, grid: Grid, cancelled: Cancel | None) -> Heightfield:
        j, i = grid.j0 - self.grid.j0, grid.i0 - self.grid.i0
        inside = (slice(j, j + grid.ny), slice(i, i + grid.nx))
        height = np.ascontiguousarray(self.height[inside])
        fields = {name: np.ascontiguousarray(one[inside]) for name, one in self.produced.items()}
        radius = self.recipe.wide_radius
        return Heightfield(grid, height, fields, radius=radius, cancelled=cancelled)
