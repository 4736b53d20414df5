# SPDX-License-Identifier: GPL-3.0-or-later
"""Images that are computed some rows at a time, for files of any size.

Only the heights are kept in memory, and those fields from layers that the image needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...evaluation.heightfield import Heightfield
from ...evaluation.solution import Solution
from ...numerics.arrays import Floats
from ...numerics.grid import Grid
from ...numerics.progress import Cancel, LayerProgress
from ...recipe.recipe import Recipe
from ..kept_terrain import KeptTerrain
from .baking import keep_terrain, margin_of, needs_whole, repeated
from .settings import Bake


@dataclass(frozen=True)
class ImageRows:
    """An image whose rows are computed when they are asked for, as often as they are.

    Pixels are those of :func:`~.baking.bake`, to the bit.

    Attributes
    ----------
    grid : centers of the pixels
    settings : what the image shows
    terrain : heights and fields of all samples, which other images may share
    low, high : as for :class:`~.baking.Image`
    """

    grid: Grid
    settings: Bake
    terrain: KeptTerrain
    low: float
    high: float

    @property
    def recipe(self) -> Recipe:
        """What is shown: the terrain, or a single layer of it."""
        return self.terrain.recipe

    def bands(
        self, *, from_north: bool, cancelled: Cancel | None = None
    ) -> Iterator[tuple[int, Floats]]:
        """Yield what :meth:`~.baking.Image.bands` does: all rows at once if the image shows a field
        that depends on all heights."""
        settings, step = self.settings, self.settings.pixel_step
        ends = self.low, self.high
        for rows, part, margin in _parts(
            self.terrain, settings, from_north=from_north, cancelled=cancelled
        ):
            pixels = settings.kind.pixels(self.recipe, settings, part, margin, ends)
            first, end = rows.start * step, min(rows.stop * step, self.grid.ny)
            band = repeated(pixels, step, (end - first, self.grid.nx), cancelled)
            yield first, band[::-1] if from_north else band


def stream(
    recipe: Recipe,
    grid: Grid,
    settings: Bake,
    *,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
    terrain: KeptTerrain | None = None,
    solution: Solution | None = None,
) -> ImageRows:
    """Prepare an image whose pixels need not fit into memory.

    The terrain is evaluated once, and kept: 4 bytes a pixel, and as much for each field from layers
    that the image needs. Arguments and errors are those of :func:`~.baking.bake`.

    Examples
    --------
    >>> from terrain_addon.core import Bake, presets
    >>> recipe = presets.load("crater_field")
    >>> image = stream(recipe, recipe.pixel_grid(64), Bake(image="normal"))
    >>> sum(len(rows) for _, rows in image.bands(from_north=True))
    64
    """
    subject = settings.kind.subject(recipe, settings)
    if subject is not recipe:
        recipe, terrain, solution = subject, None, None
    if terrain is None:
        samples = grid.every(settings.pixel_step)
        terrain = keep_terrain(recipe, samples, [settings], solution, progress, cancelled)
    low, high = _range(terrain, settings, cancelled)
    return ImageRows(grid, settings, terrain, low, high)


def _range(terrain: KeptTerrain, settings: Bake, cancelled: Cancel | None) -> tuple[float, float]:
    """Return the range of an image, from a pass over its values unless it is known."""
    kind = settings.kind
    if known := kind.natural(settings):
        return known
    low, high = np.inf, -np.inf
    for _, part, margin in _parts(terrain, settings, from_north=False, cancelled=cancelled):
        values = kind.ranged(part, margin, settings)
        low, high = min(low, float(values.min())), max(high, float(values.max()))
    return kind.range_of(low, high, settings)


def _parts(
    terrain: KeptTerrain, settings: Bake, *, from_north: bool, cancelled: Cancel | None
) -> Iterator[tuple[slice, Heightfield, int]]:
    """Yield rows of the samples of an image, their terrain, and its margin."""
    margin = margin_of(terrain.recipe, terrain.grid, settings)
    whole = needs_whole(terrain.recipe, settings)
    windows = terrain.windows(margin, whole=whole, from_north=from_north, cancelled=cancelled)
    for rows, part in windows:
        yield rows, part, margin
