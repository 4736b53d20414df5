# SPDX-License-Identifier: GPL-3.0-or-later
"""Land that was evaluated in one piece, for images that are made from it in windows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...evaluation.heightfield import Heightfield
from ...evaluation.stack import evaluate
from ...numerics.arrays import Floats
from ...numerics.grid import Grid
from ...numerics.progress import Cancel, LayerProgress, poll
from ...recipe.recipe import Recipe

WINDOW = 1 << 18  # samples at a time


@dataclass(frozen=True)
class WholeHeightfield:
    """The heights (metres) at the points of a grid, and masks that layers left.

    Masks that follow from the heights are not kept: each window makes its own.
    """

    recipe: Recipe
    grid: Grid
    height: Floats
    left: Mapping[str, Floats]

    @classmethod
    def of(
        cls,
        recipe: Recipe,
        grid: Grid,
        left: Sequence[str],
        progress: LayerProgress | None = None,
        cancelled: Cancel | None = None,
    ) -> WholeHeightfield:
        """Evaluate a recipe; keep its heights and the named masks, which its layers leave.

        ValueError and Cancelled as in :func:`~.evaluate.evaluate`.
        """
        terrain = evaluate(recipe, grid, progress=progress, cancelled=cancelled)
        masks = {name: terrain.fields[name] for name in left}
        return cls(recipe, grid, terrain.height, masks)

    def windows(
        self, grid: Grid, margin: int, *, whole: bool, cancelled: Cancel | None = None
    ) -> Iterator[tuple[slice, Heightfield]]:
        """Rows of a grid within this one, and their land with ``margin`` more samples around.

        All rows at once if ``whole``: for masks that look at all heights that there are. Raises
        Cancelled between windows.
        """
        # A margin is gone through twice: windows are high enough that this hardly counts.
        count = grid.ny if whole else min(max(WINDOW // grid.nx, 16 * margin), grid.ny)
        for start in range(0, grid.ny, count):
            poll(cancelled)
            rows = slice(start, min(start + count, grid.ny))
            window = grid.window(0, start, grid.nx, rows.stop - start).padded(margin)
            yield rows, self._part(window, cancelled)

    def _part(self, grid: Grid, cancelled: Cancel | None) -> Heightfield:
        j, i = grid.j0 - self.grid.j0, grid.i0 - self.grid.i0
        inside = (slice(j, j + grid.ny), slice(i, i + grid.nx))
        height = np.ascontiguousarray(self.height[inside])
        left = {name: np.ascontiguousarray(mask[inside]) for name, mask in self.left.items()}
        size = max(self.recipe.size_x, self.recipe.size_y)
        return Heightfield(grid, height, left, size=size, cancelled=cancelled)
