# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake a recipe into an image.

Pixels have Blender's layout: (H, W, 4) float32 RGBA, the bottom row first, alpha 1. They are
computed in windows of rows, straight into that array, which saves memory. The terrain is kept in
one piece first only where the image shows a field that depends on all heights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...analysis import fields
from ...evaluation.by_rows import evaluate_by_rows
from ...evaluation.heightfield import Heightfield
from ...evaluation.solution import Solution
from ...evaluation.stack import evaluate
from ...numerics.arrays import Floats, inside
from ...numerics.blocks import parts, row_bands
from ...numerics.grid import Grid
from ...numerics.progress import Cancel, LayerProgress, no_progress, poll, within
from ...recipe.recipe import Recipe
from ..kept_terrain import WINDOW, KeptTerrain
from .settings import Bake

EVALUATING = 0.9
"""Share of the progress for evaluating the whole terrain."""


@dataclass(frozen=True)
class Image:
    """A baked image.

    Attributes
    ----------
    pixels : (H, W, 4) float32 RGBA, row 0 at the lowest y
    low, high : the range of the heights in meters, or of the field, which 0 to 1 stand for
    """

    pixels: Floats
    low: float
    high: float

    def bands(
        self, *, from_north: bool, cancelled: Cancel | None = None
    ) -> Iterator[tuple[int, Floats]]:
        """Yield the rows, some at a time, from the lowest y up or ``from_north`` down.

        Yields the number of the first row in :attr:`pixels`, and (h, W, 4) float32, where the first
        row is the southern one or ``from_north`` the northern one. Raises Cancelled.
        """
        several = list(row_bands(self.pixels.shape, cancelled, WINDOW))
        for rows in reversed(several) if from_north else several:
            poll(cancelled)
            yield rows.start, self.pixels[rows][:: -1 if from_north else 1]


def bake(
    recipe: Recipe,
    grid: Grid,
    settings: Bake,
    *,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
    terrain: KeptTerrain | None = None,
    solution: Solution | None = None,
) -> Image:
    """Bake one image of a terrain.

    Colors are linear. A slope is the angle over 90 degrees. Slopes and normals are central
    differences, also at the border: the terrain is evaluated one sample beyond the image.

    Parameters
    ----------
    recipe : the terrain
    grid : centers of the pixels, usually ``recipe.pixel_grid(resolution)``
    settings : what the image shows
    progress, cancelled : as for :func:`~.stack.evaluate`
    terrain : result of :func:`keep_terrain` for this image, so that nothing is evaluated again
    solution : of the recipe, from :func:`~.solving.solve`, so that nothing is solved again

    Returns
    -------
    Image : pixels (H, W, 4) float32, and their range

    Raises
    ------
    ValueError : no such layer, or no layer that produces the field
    Cancelled : ``cancelled`` returned true

    Examples
    --------
    >>> from terrain_addon.core import Bake, bake, presets
    >>> recipe = presets.load("crater_field")
    >>> image = bake(recipe, recipe.pixel_grid(64), Bake(image="normal"))
    >>> image.pixels.shape, image.pixels.dtype
    ((64, 64, 4), dtype('float32'))
    """
    kind, subject = settings.kind, settings.kind.subject(recipe, settings)
    if subject is not recipe:
        recipe, terrain, solution = subject, None, None
    coarse = grid.every(settings.pixel_step)
    windows = _windows(recipe, coarse, settings, terrain, solution, progress, cancelled)
    margin = margin_of(recipe, coarse, settings)
    canvas = kind.canvas(recipe, settings, coarse.shape)
    low, high = np.inf, -np.inf
    for rows, window in windows:
        values = kind.write(canvas.rows(rows), window, margin)
        low, high = min(low, float(values.min())), max(high, float(values.max()))
    low, high = kind.range_of(low, high, settings)
    for rows in row_bands(coarse.shape, cancelled, WINDOW):
        kind.finish(canvas.rows(rows), low, high)
    return Image(repeated(canvas.pixels, settings.pixel_step, grid.shape, cancelled), low, high)


def bake_window(
    recipe: Recipe,
    window: Grid,
    several: Sequence[Bake],
    low: float,
    high: float,
    solution: Solution | None = None,
) -> tuple[Floats, list[Floats]]:
    """Return the heights and images of a window, from one evaluation.

    Windows of one grid fit together: nothing in them depends on their own range.

    Parameters
    ----------
    several : images with a range of their own, or that of the heights
    low, high : lowest and highest point in meters of the whole terrain, for the colors
    solution : as for :func:`bake`

    Returns
    -------
    heights : (ny, nx) float32, in meters
    images : pixels of each image, (ny, nx, 4) float32
    """
    margin = max((margin_of(recipe, window, settings) for settings in several), default=0)
    wide = window.padded(margin)
    fields = produced_fields(recipe, several)
    terrain = evaluate(recipe, wide, solution=solution, fields=fields)
    images: list[Floats] = []
    for settings in several:
        kind = settings.kind
        ends = kind.range_of(low, high, settings)
        images.append(kind.pixels(recipe, settings, terrain, margin, ends))
    return np.ascontiguousarray(inside(terrain.height, margin)), images


def check(recipe: Recipe, settings: Bake) -> None:
    """Raise ValueError when the terrain has no such image; nothing is evaluated.

    Examples
    --------
    >>> from terrain_addon.core import Bake, Recipe
    >>> check(Recipe(), Bake(image="field", field="snow"))
    Traceback (most recent call last):
    ValueError: No layer of this terrain produces 'Snow'
    """
    settings.kind.subject(recipe, settings)


def needs_whole(recipe: Recipe, settings: Bake) -> bool:
    """Return whether an image shows a field that depends on all heights, which are then kept."""
    return _is_whole(settings.kind.fields(recipe, settings))


def keep_terrain(
    recipe: Recipe,
    grid: Grid,
    several: Sequence[Bake],
    solution: Solution | None = None,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
) -> KeptTerrain:
    """Keep the terrain that several images are made from in memory.

    ``grid`` holds their samples: pixels, or blocks of pixels. Solution, progress, ValueError and
    Cancelled as for :func:`bake`.
    """
    return KeptTerrain.evaluate(
        recipe,
        grid,
        produced_fields(recipe, several),
        border=max(margin_of(recipe, grid, settings) for settings in several),
        solution=solution,
        progress=progress,
        cancelled=cancelled,
    )


def produced_fields(recipe: Recipe, several: Sequence[Bake]) -> list[str]:
    """Return the names of the fields produced by layers that the images need, each once."""
    needed = {name for settings in several for name in settings.kind.fields(recipe, settings)}
    return [name for name, field in fields.FIELDS.items() if name in needed and not field.make]


def _is_whole(names: list[str]) -> bool:
    """Return whether one of these fields depends on the whole terrain."""
    return any(fields.FIELDS[name].whole for name in names)


def margin_of(recipe: Recipe, grid: Grid, settings: Bake) -> int:
    """Return samples around a window that its image depends on, besides the margin of the
    layers."""
    radius = recipe.wide_radius
    names = settings.kind.fields(recipe, settings)
    return max([1, *(fields.reach(name, grid.dx, grid.dy, radius) for name in names)])


def _windows(
    recipe: Recipe,
    grid: Grid,
    settings: Bake,
    terrain: KeptTerrain | None,
    solution: Solution | None,
    progress: LayerProgress | None,
    cancelled: Cancel | None,
) -> Iterator[tuple[slice, Heightfield]]:
    """Yield the rows of the grid and their terrain, with the margin of the image on each side."""
    margin = margin_of(recipe, grid, settings)
    if terrain is None and needs_whole(recipe, settings):
        step = within(progress, 0, EVALUATING)
        terrain = keep_terrain(recipe, grid, [settings], solution, step, cancelled)
        progress = within(progress, EVALUATING, 1)
    if terrain is None:
        return evaluate_by_rows(
            recipe,
            grid,
            margin=margin,
            fields=produced_fields(recipe, [settings]),
            solution=solution,
            progress=progress,
            cancelled=cancelled,
        )
    whole = _is_whole(settings.kind.fields(recipe, settings))
    windows = terrain.windows(margin, whole=whole, cancelled=cancelled)
    return _reported(windows, grid, progress or no_progress)


def _reported(
    windows: Iterator[tuple[slice, Heightfield]], grid: Grid, report: LayerProgress
) -> Iterator[tuple[slice, Heightfield]]:
    """Yield the same windows; progress is reported after each."""
    for rows, terrain in windows:
        yield rows, terrain
        report(rows.stop / grid.ny, "")


def repeated(pixels: Floats, size: int, shape: tuple[int, int], cancelled: Cancel | None) -> Floats:
    """Repeat each pixel ``size`` times along both axes, and cut the result to ``shape``, (H, W)."""
    if size == 1:
        return pixels
    out = np.empty((*shape, 4), np.float32)
    for rows in parts(shape[0], size, cancelled):
        out[rows] = np.repeat(pixels[rows.start // size], size, axis=0)[: shape[1]]
    return out
