# SPDX-License-Identifier: GPL-3.0-or-later
"""Several images of one terrain."""

from __future__ import annotations

from collections.abc import Sequence

from ...evaluation import memory
from ...evaluation.by_rows import SOLVING
from ...evaluation.cache import Cache
from ...evaluation.solution import Solution, has_whole_parts
from ...evaluation.solving import solve
from ...numerics.grid import Grid
from ...numerics.progress import Cancel, LayerProgress, within
from ...recipe.recipe import Recipe
from ..kept_terrain import POINT, KeptTerrain
from .baking import EVALUATING, Image, bake, check, keep_terrain, needs_whole, produced_fields
from .settings import Bake
from .streaming import ImageRows, stream


class ImageSet:
    """Images of a terrain with the same pixels, made from one evaluation where that saves time.

    Where a layer, a mask or an image depends on the whole terrain, heights and the fields from
    layers that the images need are kept from the first image to the last: a float32 plane each.
    Otherwise, or where memory is short, each image evaluates the terrain. It is solved once.

    Parameters
    ----------
    recipe : the terrain
    grid : centers of the pixels, usually ``recipe.pixel_grid(resolution)``
    several : what the images show
    free : bytes of memory that may be used; by default what the machine has left
    cache : may know the solution of the terrain, and keeps it

    Raises
    ------
    ValueError : the terrain has no such image; checked before anything is evaluated

    Examples
    --------
    >>> from terrain_addon.core import Bake, presets
    >>> recipe = presets.load("crater_field")
    >>> images = ImageSet(recipe, recipe.pixel_grid(32), [Bake(), Bake(image="color")])
    >>> [images.make(n).pixels.shape for n in range(2)]
    [(32, 32, 4), (32, 32, 4)]
    """

    def __init__(
        self,
        recipe: Recipe,
        grid: Grid,
        several: Sequence[Bake],
        free: int | None = None,
        cache: Cache | None = None,
    ) -> None:
        for settings in several:
            check(recipe, settings)
        self.recipe, self.grid, self.several = recipe, grid, tuple(several)
        self._free, self._cache = free, cache
        self._terrain: KeptTerrain | None = None
        self._solution: Solution | None = None

    def make(
        self, n: int, progress: LayerProgress | None = None, cancelled: Cancel | None = None
    ) -> Image:
        """Make image ``n`` of the set, from 0; the last one frees the terrain.

        Progress, ValueError and Cancelled as for :func:`~.baking.bake`.
        """
        terrain, solution, progress = self._prepared(n, progress, cancelled)
        return bake(
            self.recipe,
            self.grid,
            self.several[n],
            progress=progress,
            cancelled=cancelled,
            terrain=terrain,
            solution=solution,
        )

    def stream(
        self, n: int, progress: LayerProgress | None = None, cancelled: Cancel | None = None
    ) -> ImageRows:
        """Return the same image, whose pixels are computed when they are written."""
        terrain, solution, progress = self._prepared(n, progress, cancelled)
        return stream(
            self.recipe,
            self.grid,
            self.several[n],
            progress=progress,
            cancelled=cancelled,
            terrain=terrain,
            solution=solution,
        )

    def stream_all(
        self, progress: LayerProgress | None = None, cancelled: Cancel | None = None
    ) -> list[ImageRows]:
        """Return all images, to be written side by side; they share one evaluation of the
        terrain."""
        shown = [image for image in self.several if self._shows_terrain(image)]
        share, step = len(shown) / len(self.several), self.several[0].pixel_step
        solution = terrain = None
        if shown:
            solution = solve(self.recipe, cancelled=cancelled, cache=self._cache)
            report, samples = within(progress, 0, share), self.grid.every(step)
            terrain = keep_terrain(self.recipe, samples, shown, solution, report, cancelled)
        return [
            stream(
                self.recipe,
                self.grid,
                image,
                progress=within(progress, share, 1),
                cancelled=cancelled,
                terrain=terrain,
                solution=solution,
            )
            for image in self.several
        ]

    def _prepared(
        self, n: int, progress: LayerProgress | None, cancelled: Cancel | None
    ) -> tuple[KeptTerrain | None, Solution | None, LayerProgress | None]:
        """Return the terrain that image ``n`` is made from, and the progress of what remains."""
        rest = self.several[n:]
        unsolved = self._solution is None and self._terrain is None
        if unsolved and any(self._needs_solution(one) for one in rest):
            step = within(progress, 0, SOLVING)
            self._solution = solve(
                self.recipe, progress=step, cancelled=cancelled, cache=self._cache
            )
            progress = within(progress, SOLVING, 1)
        if self._terrain is None and self._is_shared(rest):
            samples, step = self.grid.every(rest[0].pixel_step), within(progress, 0, EVALUATING)
            self._terrain = keep_terrain(
                self.recipe, samples, rest, self._solution, step, cancelled
            )
            progress = within(progress, EVALUATING, 1)
        terrain, solution = self._terrain, self._solution
        if n == len(self.several) - 1:
            self._terrain = self._solution = None
        return terrain, solution, progress

    def _shows_terrain(self, settings: Bake) -> bool:
        """Return whether an image shows the terrain, not one layer alone."""
        return settings.kind.subject(self.recipe, settings) is self.recipe

    def _needs_solution(self, settings: Bake) -> bool:
        """Return whether an image shows the terrain, not one layer alone, and some of it must be
        solved."""
        return self._shows_terrain(settings) and has_whole_parts(self.recipe)

    def _is_shared(self, rest: Sequence[Bake]) -> bool:
        """Return whether one evaluation serves all of these images, and fits into memory."""
        if len(rest) < 2 or len({settings.pixel_step for settings in rest}) > 1:
            return False
        same = [one for one in rest if self._shows_terrain(one)]
        if not same or not (
            has_whole_parts(self.recipe)
            or any(needs_whole(self.recipe, settings) for settings in same)
        ):
            return False
        nx, ny = self.grid.nx, self.grid.ny
        planes = 1 + len(produced_fields(self.recipe, rest))
        return memory.fits(memory.image_bytes(nx, ny) + nx * ny * POINT * planes, self._free)
