# SPDX-License-Identifier: GPL-3.0-or-later
"""A recipe as images: displacement, colours, normals, slope, noise, masks.

Pixels are made the way Blender takes them: (H, W, 4) float32 RGBA, the bottom row first, alpha 1.
They are made in windows of rows and written straight into that array, so that little memory is
needed beside it. Only where a layer or a mask needs the whole extent the land is made in one piece
before.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from . import fields
from .analysis import gradient_rows, slope
from .arrays import Floats
from .bake_settings import (
    COLOR,
    DIRECTX,
    DISPLACEMENT,
    MASK,
    NOISE,
    NORMAL,
    NORMALISED,
    SLOPE,
    Bake,
)
from .cancel import Cancel, LayerProgress
from .evaluate import Heightfield, evaluate
from .grid import Grid
from .kept_land import WINDOW, KeptLand
from .layers import GENERATE, WHOLE, Kind
from .palette import LEAST_RANGE, Palette
from .recipe import Layer, Recipe

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
    land: KeptLand | None = None,
) -> Image:
    """Make one image of a terrain.

    Parameters
    ----------
    grid : centres of the pixels, usually ``recipe.pixel_grid(resolution)``
    progress, cancelled : as in :func:`~.evaluate.evaluate`
    land : what :func:`whole_land` made for this image, to evaluate nothing anew

    Colours are linear. Slope is the angle over 90 degrees. Slopes and normals are central
    differences, at the border of the image as well: the land is evaluated one sample farther.

    Raises
    ------
    ValueError : there is no such layer to show, or no layer that leaves the mask
    Cancelled : ``cancelled`` returned true
    """
    check(recipe, settings)
    if settings.image == NOISE:
        recipe, land = _layer_alone(recipe, settings.layer), None
    coarse = grid.every(settings.block_size)
    names, margin = _masks(recipe, settings), _margin(recipe, coarse, settings)
    windows = _windows(recipe, coarse, settings, land, progress, cancelled)
    pixels = np.empty((*coarse.shape, 4), np.float32)
    pixels[..., 3] = 1
    # Heights and slopes wait in the pixels for the range of the land, or beside what covers them.
    covered = settings.image == COLOR and bool(names)
    ground = np.empty((*coarse.shape, 2), np.float32) if covered else pixels[..., :2]
    low, high = np.inf, -np.inf
    for rows, field in windows:
        part = _write(pixels[rows], ground[rows], field, margin, settings)
        if covered:
            cover = recipe.palette.cover(field.masks)
            pixels[rows] = 0 if cover is None else cover[margin:-margin, margin:-margin]
        low, high = min(low, float(part.min())), max(high, float(part.max()))
    if settings.image == MASK:
        low, high = _range(settings.mask, low, high)
    _finish(pixels, ground if covered else None, recipe.palette, settings, low, high)
    return Image(_blocks(pixels, settings.block_size, grid.shape), low, high)


def check(recipe: Recipe, settings: Bake) -> None:
    """ValueError when the terrain has no such image: no such layer, no layer that leaves the mask.

    Nothing is evaluated.
    """
    if settings.image == NOISE:
        _layer_alone(recipe, settings.layer)
    elif settings.image == MASK and settings.mask not in masks_of(recipe):
        label = fields.FIELDS[settings.mask].label
        raise ValueError(f"No layer of this terrain leaves the mask {label!r}")


def masks_of(recipe: Recipe) -> list[str]:
    """Names of the masks that a terrain has: those of any land, and those that its layers leave."""
    left = {name for layer in recipe.active for name in layer.settings.leaves}
    return [name for name, field in fields.FIELDS.items() if field.make or name in left]


def needs_whole(recipe: Recipe, settings: Bake) -> bool:
    """Whether the land of an image cannot be evaluated in windows of rows."""
    return any(map(_takes_all, recipe.active)) or _is_whole(_masks(recipe, settings))


def whole_land(
    recipe: Recipe,
    grid: Grid,
    several: Sequence[Bake],
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
) -> KeptLand:
    """The land that images of a terrain are made from, in one piece.

    The images have the pixels of ``grid`` and a block size in common. ValueError and Cancelled as
    in :func:`bake`.
    """
    coarse = grid.every(several[0].block_size)
    return _whole_land(recipe, coarse, several, progress, cancelled)


def _whole_land(
    recipe: Recipe,
    grid: Grid,
    several: Sequence[Bake],
    progress: LayerProgress | None,
    cancelled: Cancel | None,
) -> KeptLand:
    """The same for a grid without blocks."""
    margin = max(_margin(recipe, grid, settings) for settings in several)
    left = left_masks(recipe, several)
    return KeptLand.of(recipe, grid.padded(margin), left, progress, cancelled)


def left_masks(recipe: Recipe, several: Sequence[Bake]) -> list[str]:
    """Names of the masks left by layers that one of the images shows, each once."""
    shown = {name for settings in several for name in _masks(recipe, settings)}
    return [name for name, field in fields.FIELDS.items() if name in shown and not field.make]


def _masks(recipe: Recipe, settings: Bake) -> list[str]:
    """Names of the masks that the image is made from."""
    if settings.image == MASK:
        return [settings.mask]
    if settings.image == COLOR:
        # A mask that no layer leaves colours nothing.
        return [name for name in masks_of(recipe) if name in recipe.palette.masks]
    return []


def _is_whole(names: list[str]) -> bool:
    """Whether one of these masks looks at the whole extent."""
    return any(fields.FIELDS[name].whole for name in names)


def _margin(recipe: Recipe, grid: Grid, settings: Bake) -> int:
    """Samples around a window that its image depends on, beside what layers look at."""
    radius = fields.radius_of(recipe.size_x, recipe.size_y)
    names = _masks(recipe, settings)
    return max([1, *(fields.reach(name, grid.dx, grid.dy, radius) for name in names)])


def _range(name: str, low: float, high: float) -> tuple[float, float]:
    """The natural range of a mask, or that of its values."""
    return fields.FIELDS[name].natural or (low, high)


def _layer_alone(recipe: Recipe, number: int) -> Recipe:
    """The same terrain with nothing but one layer, in full."""
    kinds = [type(layer.settings) for layer in recipe.layers]
    if reason := why_no_noise(kinds, number):
        raise ValueError(reason)
    layer = recipe.layers[number - 1]
    return dataclasses.replace(recipe, layers=(Layer.of(layer.settings, name=layer.name),))


def why_no_noise(kinds: Sequence[type[Kind]], number: int) -> str:
    """Why a layer cannot be shown alone, "" when it can; ``kinds`` are those of all layers."""
    if not 1 <= number <= len(kinds):
        return f"There is no layer {number}: the terrain has {len(kinds)}"
    kind = kinds[number - 1]
    if kind.group != GENERATE:
        return (
            f"Layer {number}, {kind.label}, shapes the land below it: "
            "choose a layer that makes heights of its own"
        )
    return ""


def _windows(
    recipe: Recipe,
    grid: Grid,
    settings: Bake,
    land: KeptLand | None,
    progress: LayerProgress | None,
    cancelled: Cancel | None,
) -> Iterator[tuple[slice, Heightfield]]:
    """Rows of the grid and their land, with the margin of the image on each of the four sides.

    Land that is needed in one piece is evaluated right now: later there are the pixels as well.
    """
    margin = _margin(recipe, grid, settings)
    if land is None and needs_whole(recipe, settings):
        land = _whole_land(recipe, grid, [settings], span(progress, 0, EVALUATING), cancelled)
        progress = span(progress, EVALUATING, 1)
    if land is None:
        return _evaluated(recipe, grid, margin, span(progress, 0, 1), cancelled)
    whole = _is_whole(_masks(recipe, settings))
    parts = land.windows(grid, margin, whole=whole, cancelled=cancelled)
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


def _write(
    pixels: Floats, ground: Floats, field: Heightfield, margin: int, settings: Bake
) -> Floats:
    """Fill the pixels of a window as far as it goes; what the range of the image is that of.

    ``ground`` takes the height and the slope of what is to be coloured.
    """
    inside = (slice(margin, -margin), slice(margin, -margin))
    height, grid = field.height, field.grid
    if settings.image == MASK:
        pixels[..., 0] = field.masks[settings.mask][inside]
        return pixels[..., 0]
    if settings.image == NORMAL:
        rim = slice(margin - 1, None if margin == 1 else 1 - margin)
        _write_normal(pixels, height[rim, rim], grid, settings)
    elif settings.image == SLOPE:
        pixels[..., :3] = (slope(height, grid.dx, grid.dy)[inside] * np.float32(1 / 90))[..., None]
    elif settings.image == COLOR:
        ground[..., 0] = height[inside]
        ground[..., 1] = slope(height, grid.dx, grid.dy)[inside]
    else:
        pixels[..., 0] = height[inside]
    return height[inside]


def _write_normal(pixels: Floats, height: Floats, grid: Grid, settings: Bake) -> None:
    """(-dh/dx, -dh/dy, 1) made of length 1, and -1 to 1 shown as 0 to 1."""
    gx, gy = gradient_rows(height, grid.dx, grid.dy, slice(1, len(height) - 1))
    gx, gy = gx[:, 1:-1], gy[:, 1:-1]
    half = np.float32(0.5) / np.sqrt(gx * gx + gy * gy + np.float32(1))
    down = np.float32(-1 if settings.green == DIRECTX else 1)
    pixels[..., 0] = np.float32(0.5) - gx * half
    pixels[..., 1] = np.float32(0.5) - gy * half * down
    pixels[..., 2] = np.float32(0.5) + half


def _finish(
    pixels: Floats,
    covered: Floats | None,
    palette: Palette,
    settings: Bake,
    low: float,
    high: float,
) -> None:
    """What needs the whole terrain's range: a second pass in place.

    ``covered`` is the ground, where the pixels hold what lies on it.
    """
    ny, nx = pixels.shape[:2]
    count = max(WINDOW // nx, 1)
    for start in range(0, ny, count):
        part = pixels[start : start + count]
        if settings.image == COLOR:
            ground = part if covered is None else covered[start : start + count]
            height, steepness = (ground[..., n].copy() for n in range(2))
            cover = None if covered is None else part
            part[:] = palette.colors(height, steepness, low, high, cover)
        elif settings.image in (DISPLACEMENT, NOISE, MASK):
            height = part[..., 0]
            if settings.image == NOISE or settings.values == NORMALISED:
                height = normalised(height, low, high)
            part[..., :3] = height.copy()[..., None]


def normalised(height: Floats, low: float, high: float) -> Floats:
    """Heights with ``low`` as 0 and ``high`` as 1, float32; flat land is 0."""
    bottom, top = np.float32(low), np.float32(high)
    if not top - bottom > LEAST_RANGE:
        return np.zeros_like(height)
    out = height - bottom
    out /= top - bottom  # unlike multiplying by the reciprocal this makes the highest exactly 1
    return np.clip(out, np.float32(0), np.float32(1), out=out)


def _blocks(pixels: Floats, size: int, shape: tuple[int, int]) -> Floats:
    """Each pixel ``size`` times along both axes, cut to (H, W)."""
    if size == 1:
        return pixels
    out = np.empty((*shape, 4), np.float32)
    for j in range(0, shape[0], size):
        out[j : j + size] = np.repeat(pixels[j // size], size, axis=0)[: shape[1]]
    return out
