# SPDX-License-Identifier: GPL-3.0-or-later
"""A recipe as images: displacement, colours, normals, slope, noise, masks.

Pixels are made the way Blender takes them: (H, W, 4) float32 RGBA, the bottom row first, alpha 1.
They are made in windows of rows and written straight into that array, so that little memory is
needed beside it. Only where a layer or a mask needs the whole extent the land is made in one piece
before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...analysis import fields
from ...evaluation.heightfield import Heightfield
from ...evaluation.stack import evaluate
from ...layers import WHOLE
from ...numerics.arrays import Floats
from ...numerics.grid import Grid
from ...numerics.progress import Cancel, LayerProgress, poll
from ...recipe.recipe import Layer, Recipe
from .kinds import Canvas
from .settings import Bake
from .windows import WINDOW, WholeHeightfield

EVALUATING = 0.9
"""Share of the progress that evaluating the whole land counts for."""


@dataclass(frozen=True)
class Image:
    """Pixels (H, W, 4) float32 and the land's range in metres, ``low`` to ``high``.

    For a mask the range is that of its values, which 0 to 1 stand for.
    """

    pixels: Floats
    low: float
    high: float


def bake(
    recipe: Recipe,
    grid: Grid,
    settings: Bake,
    *,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
    terrain: WholeHeightfield | None = None,
) -> Image:
    """Make one image of a terrain.

    Parameters
    ----------
    grid : centres of the pixels, usually ``recipe.pixel_grid(resolution)``
    progress, cancelled : as in :func:`~.evaluate.evaluate`
    land : what :func:`evaluate_whole` made for this image, to evaluate nothing anew

    Colours are linear. Slope is the angle over 90 degrees. Slopes and normals are central
    differences, at the border of the image as well: the land is evaluated one sample farther.

    Raises
    ------
    ValueError : there is no such layer to show, or no layer that leaves the mask
    Cancelled : ``cancelled`` returned true
    """
    kind, subject = settings.kind, settings.kind.subject(recipe, settings)
    if subject is not recipe:
        recipe, terrain = subject, None
    coarse = grid.every(settings.block_size)
    windows = _windows(recipe, coarse, settings, terrain, progress, cancelled)
    margin = _margin(recipe, coarse, settings)
    pixels = np.empty((*coarse.shape, 4), np.float32)
    beside = np.empty((*coarse.shape, kind.planes(recipe, settings)), np.float32)
    canvas = Canvas(pixels, beside, recipe.palette, settings)
    low, high = np.inf, -np.inf
    for rows, field in windows:
        pixels[rows, :, 3] = 1
        part = kind.write(canvas.rows(rows), field, margin)
        low, high = min(low, float(part.min())), max(high, float(part.max()))
    low, high = kind.range_of(low, high, settings)
    count = max(WINDOW // coarse.nx, 1)
    for start in range(0, coarse.ny, count):
        poll(cancelled)
        kind.finish(canvas.rows(slice(start, start + count)), low, high)
    return Image(_blocks(pixels, settings.block_size, grid.shape, cancelled), low, high)


def check(recipe: Recipe, settings: Bake) -> None:
    """ValueError when the terrain has no such image: no such layer, no layer that leaves the mask.

    Nothing is evaluated.
    """
    settings.kind.subject(recipe, settings)


def needs_whole(recipe: Recipe, settings: Bake) -> bool:
    """Whether the land of an image cannot be evaluated in windows of rows."""
    return any(map(_takes_all, recipe.active)) or _is_whole(settings.kind.masks(recipe, settings))


def evaluate_whole(
    recipe: Recipe,
    grid: Grid,
    several: Sequence[Bake],
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
) -> WholeHeightfield:
    """The land that images of a terrain are made from, in one piece.

    The images have the pixels of ``grid`` and a block size in common. ValueError and Cancelled as
    in :func:`bake`.
    """
    coarse = grid.every(several[0].block_size)
    return _evaluate_whole(recipe, coarse, several, progress, cancelled)


def _evaluate_whole(
    recipe: Recipe,
    grid: Grid,
    several: Sequence[Bake],
    progress: LayerProgress | None,
    cancelled: Cancel | None,
) -> WholeHeightfield:
    """The same for a grid without blocks."""
    margin = max(_margin(recipe, grid, settings) for settings in several)
    left = left_masks(recipe, several)
    return WholeHeightfield.of(recipe, grid.padded(margin), left, progress, cancelled)


def left_masks(recipe: Recipe, several: Sequence[Bake]) -> list[str]:
    """Names of the masks left by layers that one of the images shows, each once."""
    shown = {name for settings in several for name in settings.kind.masks(recipe, settings)}
    return [name for name, field in fields.FIELDS.items() if name in shown and not field.make]


def _is_whole(names: list[str]) -> bool:
    """Whether one of these masks looks at the whole extent."""
    return any(fields.FIELDS[name].whole for name in names)


def _margin(recipe: Recipe, grid: Grid, settings: Bake) -> int:
    """Samples around a window that its image depends on, beside what layers look at."""
    radius = fields.radius_of(recipe.size_x, recipe.size_y)
    names = settings.kind.masks(recipe, settings)
    return max([1, *(fields.reach(name, grid.dx, grid.dy, radius) for name in names)])


def _windows(
    recipe: Recipe,
    grid: Grid,
    settings: Bake,
    terrain: WholeHeightfield | None,
    progress: LayerProgress | None,
    cancelled: Cancel | None,
) -> Iterator[tuple[slice, Heightfield]]:
    """Rows of the grid and their land, with the margin of the image on each of the four sides.

    Land that is needed in one piece is evaluated right now: later there are the pixels as well.
    """
    margin = _margin(recipe, grid, settings)
    if terrain is None and needs_whole(recipe, settings):
        terrain = _evaluate_whole(
            recipe, grid, [settings], span(progress, 0, EVALUATING), cancelled
        )
        progress = span(progress, EVALUATING, 1)
    if terrain is None:
        return _evaluated(recipe, grid, margin, span(progress, 0, 1), cancelled)
    whole = _is_whole(settings.kind.masks(recipe, settings))
    parts = terrain.windows(grid, margin, whole=whole, cancelled=cancelled)
    return _told(parts, grid, span(progress, 0, 1))


def _evaluated(
    recipe: Recipe, grid: Grid, margin: int, tell: LayerProgress, cancelled: Cancel | None
) -> Iterator[tuple[slice, Heightfield]]:
    """The windows of a land of which no part depends on the whole."""
    # A margin is evaluated twice: windows are high enough that this hardly counts.
    halo = margin + sum(layer.settings.halo(grid.dx, grid.dy) for layer in recipe.active)
    count = min(max(WINDOW // grid.nx, 4 * halo, 1), grid.ny)
    for start in range(0, grid.ny, count):
        rows = slice(start, min(start + count, grid.ny))
        window = grid.window(0, start, grid.nx, rows.stop - start).padded(margin)

        def share(part: float, text: str, rows: slice = rows) -> None:
            tell((rows.start + part * (rows.stop - rows.start)) / grid.ny, text)

        yield rows, evaluate(recipe, window, progress=share, cancelled=cancelled)


def _told(
    windows: Iterator[tuple[slice, Heightfield]], grid: Grid, tell: LayerProgress
) -> Iterator[tuple[slice, Heightfield]]:
    """The same windows; each that was used is told as progress."""
    for rows, field in windows:
        yield rows, field
        tell(rows.stop / grid.ny, "")


def span(progress: LayerProgress | None, start: float, end: float) -> LayerProgress:
    """Progress of a step that takes the shares from ``start`` to ``end`` of all the work."""

    def tell(share: float, text: str) -> None:
        if progress:
            progress(start + (end - start) * share, text)

    return tell


def _takes_all(layer: Layer) -> bool:
    """Whether a layer looks at the whole extent."""
    return layer.settings.depends_on == WHOLE or any(mask.whole for mask in layer.masks)


def _blocks(pixels: Floats, size: int, shape: tuple[int, int], cancelled: Cancel | None) -> Floats:
    """Each pixel ``size`` times along both axes, cut to (H, W)."""
    if size == 1:
        return pixels
    out = np.empty((*shape, 4), np.float32)
    for j in range(0, shape[0], size):
        poll(cancelled)
        out[j : j + size] = np.repeat(pixels[j // size], size, axis=0)[: shape[1]]
    return out
