# SPDX-License-Identifier: GPL-3.0-or-later
"""A recipe as images: displacement, colours, normals, slope, noise, masks.

Pixels are made the way Blender takes them: (H, W, 4) float32 RGBA, the bottom row first, alpha 1.
Where no layer needs the whole extent they are made in windows of rows and written straight into
that array, so that little memory is needed beside it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from . import fields
from .analysis import gradient_rows, slope
from .evaluate import Cancel, Heightfield, LayerProgress, evaluate
from .grid import Grid
from .layers import GENERATE, WHOLE
from .palette import LEAST_RANGE
from .params import Settings, param
from .recipe import Layer, Recipe
from .work import Array

DISPLACEMENT, COLOR, NORMAL, SLOPE, NOISE = "displacement", "color", "normal", "slope", "noise"
MASK = "mask"
METRES, NORMALISED = "metres", "normalised"
OPENGL, DIRECTX = "opengl", "directx"
WINDOW = 1 << 18  # samples at a time


class Bake(Settings):
    """What image to make of a terrain."""

    image: str = param(
        DISPLACEMENT,
        label="Image",
        help="What the image shows",
        choices=[
            (DISPLACEMENT, "Displacement", "Heights, for a Displace modifier or an engine"),
            (COLOR, "Colour", "The colours of the palette"),
            (NORMAL, "Normal", "Tangent-space normals"),
            (SLOPE, "Slope", "From black, flat, to white, upright"),
            (NOISE, "Noise", "The heights of one layer alone, from black to white"),
            (MASK, "Mask", "A mask that follows from the land or that a layer leaves"),
        ],
    )
    values: str = param(
        NORMALISED,
        label="Values",
        help="What the values of the image mean",
        choices=[
            (NORMALISED, "0 to 1", "0 is the lowest point, 1 the highest; the range is reported"),
            (METRES, "Metres", "Heights in metres, masks in their own unit; needs a float file"),
        ],
        shown_if=("image", (DISPLACEMENT, MASK)),
    )
    mask: str = param(
        "slope",
        label="Mask",
        help="The mask to show; from 0 to 1 is its natural range, or else from lowest to highest",
        choices=fields.choices(),
        shown_if=("image", (MASK,)),
    )
    green: str = param(
        OPENGL,
        label="Green",
        help="Which way the green channel points",
        choices=[
            (OPENGL, "OpenGL", "Up the image: Blender, Godot, Unity"),
            (DIRECTX, "DirectX", "Down the image: Unreal"),
        ],
        shown_if=("image", (NORMAL,)),
    )
    layer: int = param(
        1,
        label="Layer",
        help="Number of the layer to show, counted from the first",
        min=1,
        max=64,
        shown_if=("image", (NOISE,)),
    )
    block_size: int = param(
        1,
        label="Block Size",
        help="Repeat each sample in blocks of this many pixels: coarser and that much faster",
        min=1,
        max=256,
        soft_max=16,
    )


@dataclass(frozen=True)
class Image:
    """Pixels (H, W, 4) float32 and the land's range in metres, ``low`` to ``high``.

    For a mask the range is that of its values, which 0 to 1 stand for.
    """

    pixels: Array
    low: float
    high: float


def bake(
    recipe: Recipe,
    grid: Grid,
    settings: Bake,
    *,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
) -> Image:
    """Make one image of a terrain.

    Parameters
    ----------
    grid : centres of the pixels, usually ``recipe.pixel_grid(resolution)``
    progress, cancelled : as in :func:`~.evaluate.evaluate`

    Colours are linear. Slope is the angle over 90 degrees. Slopes and normals are central
    differences, at the border of the image as well: the land is evaluated one sample farther.

    Raises
    ------
    ValueError : there is no such layer to show
    Cancelled : ``cancelled`` returned true
    """
    if settings.image == NOISE:
        recipe = _layer_alone(recipe, settings.layer)
    coarse = grid.every(settings.block_size)
    pixels = np.empty((*coarse.shape, 4), np.float32)
    pixels[..., 3] = 1
    low, high, tinted = np.inf, -np.inf, False
    names = _masks(recipe, settings)
    margin = _margin(recipe, coarse, names)
    for rows, field in _windows(recipe, coarse, margin, names, progress, cancelled):
        part = _write(pixels[rows], field, margin, names, settings)
        low, high = min(low, float(part.min())), max(high, float(part.max()))
        tinted = any(name in field.masks for name in names)
    if settings.image == MASK:
        low, high = _range(settings.mask, low, high)
    _finish(pixels, recipe, settings, low, high, tinted)
    return Image(_blocks(pixels, settings.block_size, grid.shape), low, high)


def _masks(recipe: Recipe, settings: Bake) -> list[str]:
    """Names of the masks that the image is made from."""
    if settings.image == MASK:
        return [settings.mask]
    if settings.image == COLOR and recipe.palette.tint:
        return [recipe.palette.tint_mask]
    return []


def _margin(recipe: Recipe, grid: Grid, names: list[str]) -> int:
    """Samples around a window that its image depends on, beside what layers look at."""
    radius = fields.radius_of(recipe.size_x, recipe.size_y)
    return max([1, *(fields.reach(name, grid.dx, grid.dy, radius) for name in names)])


def _range(name: str, low: float, high: float) -> tuple[float, float]:
    """The natural range of a mask, or that of its values."""
    field = fields.FIELDS[name]
    return (low if field.low is None else field.low), (high if field.high is None else field.high)


def _layer_alone(recipe: Recipe, number: int) -> Recipe:
    """The same terrain with nothing but one layer, in full."""
    if number > len(recipe.layers):
        raise ValueError(f"There is no layer {number}: the terrain has {len(recipe.layers)}")
    layer = recipe.layers[number - 1]
    if layer.settings.group != GENERATE:
        raise ValueError(
            f"Layer {number}, {layer.settings.label}, shapes the land below it: "
            "choose a layer that makes heights of its own"
        )
    return dataclasses.replace(recipe, layers=(Layer.of(layer.settings, name=layer.name),))


def _windows(
    recipe: Recipe,
    grid: Grid,
    margin: int,
    names: list[str],
    progress: LayerProgress | None,
    cancelled: Cancel | None,
) -> Iterator[tuple[slice, Heightfield]]:
    """Rows of the grid and their land, with ``margin`` more samples on each of the four sides."""
    tell: LayerProgress = progress or (lambda share, text: None)
    active = recipe.active
    count = grid.ny
    if not any(map(_takes_all, active)) and not any(fields.FIELDS[name].whole for name in names):
        # A margin is evaluated twice: windows are high enough that this hardly counts.
        halo = margin + sum(layer.settings.halo(grid.dx, grid.dy) for layer in active)
        count = min(max(WINDOW // grid.nx, 4 * halo, 1), grid.ny)
    for start in range(0, grid.ny, count):
        rows = slice(start, min(start + count, grid.ny))
        window = grid.window(0, start, grid.nx, rows.stop - start).padded(margin)

        def share(part: float, text: str, rows: slice = rows) -> None:
            tell((rows.start + part * (rows.stop - rows.start)) / grid.ny, text)

        yield rows, evaluate(recipe, window, progress=share, cancelled=cancelled)


def _takes_all(layer: Layer) -> bool:
    """Whether a layer looks at the whole extent."""
    return layer.settings.depends_on == WHOLE or any(mask.whole for mask in layer.masks)


def _write(
    pixels: Array, field: Heightfield, margin: int, names: list[str], settings: Bake
) -> Array:
    """Fill the pixels of a window as far as it goes; what the range of the image is that of."""
    inside = (slice(margin, -margin), slice(margin, -margin))
    height, grid = field.height, field.grid
    if settings.image == MASK:
        if settings.mask not in field.masks:
            label = fields.FIELDS[settings.mask].label
            raise ValueError(f"No layer of this terrain leaves the mask {label!r}")
        pixels[..., 0] = field.masks[settings.mask][inside]
        return pixels[..., 0]
    if settings.image == NORMAL:
        rim = slice(margin - 1, None if margin == 1 else 1 - margin)
        _write_normal(pixels, height[rim, rim], grid, settings)
    elif settings.image == SLOPE:
        pixels[..., :3] = (slope(height, grid.dx, grid.dy)[inside] * np.float32(1 / 90))[..., None]
    else:
        pixels[..., 0] = height[inside]
    if settings.image == COLOR:
        pixels[..., 1] = slope(height, grid.dx, grid.dy)[inside]
        if names and names[0] in field.masks:
            pixels[..., 2] = field.masks[names[0]][inside]
    return height[inside]


def _write_normal(pixels: Array, height: Array, grid: Grid, settings: Bake) -> None:
    """(-dh/dx, -dh/dy, 1) made of length 1, and -1 to 1 shown as 0 to 1."""
    gx, gy = gradient_rows(height, grid.dx, grid.dy, slice(1, len(height) - 1))
    gx, gy = gx[:, 1:-1], gy[:, 1:-1]
    half = np.float32(0.5) / np.sqrt(gx * gx + gy * gy + np.float32(1))
    down = np.float32(-1 if settings.green == DIRECTX else 1)
    pixels[..., 0] = np.float32(0.5) - gx * half
    pixels[..., 1] = np.float32(0.5) - gy * half * down
    pixels[..., 2] = np.float32(0.5) + half


def _finish(
    pixels: Array, recipe: Recipe, settings: Bake, low: float, high: float, tinted: bool
) -> None:
    """What needs the whole terrain's range: a second pass in place."""
    ny, nx = pixels.shape[:2]
    count = max(WINDOW // nx, 1)
    for start in range(0, ny, count):
        part = pixels[start : start + count]
        if settings.image == COLOR:
            height, steepness, mask = (part[..., n].copy() for n in range(3))
            tint = mask if tinted else None
            part[:] = recipe.palette.colors(height, steepness, low, high, tint)
        elif settings.image in (DISPLACEMENT, NOISE, MASK):
            height = part[..., 0]
            if settings.image == NOISE or settings.values == NORMALISED:
                height = normalised(height, low, high)
            part[..., :3] = height.copy()[..., None]


def normalised(height: Array, low: float, high: float) -> Array:
    """Heights with ``low`` as 0 and ``high`` as 1, float32; flat land is 0."""
    bottom, top = np.float32(low), np.float32(high)
    if not top - bottom > LEAST_RANGE:
        return np.zeros_like(height)
    out = height - bottom
    out /= top - bottom  # unlike multiplying by the reciprocal this makes the highest exactly 1
    return np.clip(out, np.float32(0), np.float32(1), out=out)


def _blocks(pixels: Array, size: int, shape: tuple[int, int]) -> Array:
    """Each pixel ``size`` times along both axes, cut to (H, W)."""
    if size == 1:
        return pixels
    out = np.empty((*shape, 4), np.float32)
    for j in range(0, shape[0], size):
        out[j : j + size] = np.repeat(pixels[j // size], size, axis=0)[: shape[1]]
    return out
