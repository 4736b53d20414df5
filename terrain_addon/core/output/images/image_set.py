# SPDX-License-Identifier: GPL-3.0-or-later
"""Several images of one terrain, made one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from ...evaluation import memory
from ...numerics.grid import Grid
from ...numerics.progress import Cancel, LayerProgress
from ...recipe.recipe import Recipe
from .baking import EVALUATING, Image, bake, check, evaluate_whole, left_masks, needs_whole, span
from .settings import Bake
from .windows import WholeHeightfield

PLANE = 4  # bytes of a pixel's height, or of its value of a mask


class ImageSet:
    """Images of a terrain at the same pixels, made from one evaluation where that is dear.

    Where some image needs the land in one piece, its heights, and the masks that layers leave and
    an image shows, are kept from the first image to the last: a plane of float32 each. All else
    is made in windows of rows, and where memory is short the land is evaluated for each image.

    Parameters
    ----------
    grid : centres of the pixels, usually ``recipe.pixel_grid(resolution)``
    free : the memory in bytes that may be used, by default what the machine has left

    Raises ValueError when the terrain has no such image: nothing is evaluated before all are known
    to be possible.
    """

    def __init__(
        self, recipe: Recipe, grid: Grid, several: Sequence[Bake], free: int | None = None
    ) -> None:
        for settings in several:
            check(recipe, settings)
        self.recipe, self.grid, self.several = recipe, grid, tuple(several)
        self._free = free
        self._land: WholeHeightfield | None = None

    def make(
        self, n: int, progress: LayerProgress | None = None, cancelled: Cancel | None = None
    ) -> Image:
        """Image ``n`` of the set, from 0 on; the last one lets the land go.

        ValueError and Cancelled as in :func:`~.images.bake`, with the same progress.
        """
        if self._land is None and self._is_shared(self.several[n:]):
            tell = span(progress, 0, EVALUATING)
            self._land = evaluate_whole(self.recipe, self.grid, self.several[n:], tell, cancelled)
            progress = span(progress, EVALUATING, 1)
        terrain = self._land
        if n == len(self.several) - 1:
            self._land = None
        return bake(
            self.recipe,
            self.grid,
            self.several[n],
            progress=progress,
            cancelled=cancelled,
            terrain=terrain,
        )

    def _is_shared(self, rest: Sequence[Bake]) -> bool:
        """Whether one land serves all of these images, and may be kept meanwhile."""
        if len(rest) < 2 or len({settings.block_size for settings in rest}) > 1:
            return False
        shown = [one for one in rest if one.kind.subject(self.recipe, one) is self.recipe]
        if not any(needs_whole(self.recipe, settings) for settings in shown):
            return False
        nx, ny = self.grid.nx, self.grid.ny
        planes = 1 + len(left_masks(self.recipe, rest))
        return memory.fits(memory.image_bytes(nx, ny) + nx * ny * PLANE * planes, self._free)
