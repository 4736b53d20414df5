# SPDX-License-Identifier: GPL-3.0-or-later
"""Weight maps: how much of each color of the palette, and of each mask, is at each sample."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Floats
from ...recipe.mixing import Vectors
from ...recipe.palette import Palette

FULL = 255
"""Sum of the weights of a sample."""
CHANNELS = 4
"""Weights in a packed image."""
MOST_TEXTURES = 32
"""Of a control map: 5 bits."""
_SEPARATORS = re.compile(r"[^a-z0-9]+")

Bytes = NDArray[np.uint8]


def layer_names(palette: Palette, masks: Sequence[str]) -> list[str]:
    """Return the names of the weight maps, as they are in names of files; each once.

    Examples
    --------
    >>> from terrain_addon.core import Region
    >>> regions = [Region(name="Deep Water"), Region(name="Wood 4x4", start=0.5)]
    >>> layer_names(Palette(regions=regions, rock_on_slopes=True), ["flow", "snow"])
    ['deep-water', 'wood-4-4', 'rock-on-slopes', 'flow', 'snow']
    """
    colors = [region.name for region in palette.by_height]
    colors += ["Rock on Slopes"] * palette.rock_on_slopes
    colors += [region.name for region in palette.by_field]
    for _, own in palette.areas:
        colors += [region.name for region in own.by_height]
        colors += ["Rock on Slopes"] * own.rock_on_slopes
    return names_in_files([*colors, *masks])


def names_in_files(texts: Sequence[str]) -> list[str]:
    """Return texts as they are in names of files; each once.

    Examples
    --------
    >>> names_in_files(["Deep Water", "layer:Hills", "deep_water"])
    ['deep-water', 'layer-hills', 'deep-water-2']
    """
    names: list[str] = []
    for text in texts:
        plain = re.sub(r"(?<=\d)x(?=\d)", "-", text.lower())  # importers take 4x4 for a size
        plain = _SEPARATORS.sub("-", plain).strip("-") or "color"
        number, name = 1, plain
        while name in names:
            number += 1
            name = f"{plain}-{number}"
        names.append(name)
    return names


def weights(
    palette: Palette,
    height: Floats,
    slope: Floats,
    fields: Mapping[str, Floats],
    ends: tuple[float, float],
    masks: Sequence[Floats],
) -> Floats:
    """Return the weights of all colors and masks.

    Parameters
    ----------
    height, slope : (...) float32, meters and degrees
    fields : those that the palette uses, of the same shape
    ends : range of the whole terrain in meters
    masks : values from 0 to 1; each lies on top of the colors and of the masks before it

    Returns
    -------
    (..., n) float32 : weights whose sum is 1, in the order of :func:`layer_names`
    """
    own = [len(one.by_height) + one.rock_on_slopes for _, one in palette.areas]
    count = len(palette.by_height) + palette.rock_on_slopes + len(palette.by_field) + sum(own)
    vectors = _rows_of(palette, list(np.eye(count, dtype=np.float32)))
    colors = palette.mixed(height, slope, *ends, fields, vectors)
    out = np.empty((*height.shape, count + len(masks)), np.float32)
    out[..., :count] = colors
    for number, mask in enumerate(masks, start=count):
        out[..., :number] *= np.float32(1) - mask[..., None]
        out[..., number] = mask
    return out


def _rows_of(palette: Palette, rows: list[Floats], *, inside: bool = False) -> Vectors:
    """Return a row for each color of a palette and of its areas, in order, and take them from the
    list; ``inside`` an area, colors by fields do not count."""

    def taken(count: int) -> list[Floats]:
        return [rows.pop(0) for _ in range(count)]

    ground = taken(len(palette.by_height))
    rock = taken(palette.rock_on_slopes) or ground
    over = taken(0 if inside else len(palette.by_field))
    areas = [_rows_of(own, rows, inside=True) for _, own in palette.areas]
    return Vectors(ground, rock[0], over, areas)


def quantized_weights(shares: Floats) -> Bytes:
    """Return the weights as bytes whose sum is 255 at each sample, by the method of the largest
    remainder.

    Each byte is the weight times 255, rounded down, or one more: those with the largest remainders
    get what is missing. Of equal ones, the first.

    Examples
    --------
    >>> quantized_weights(np.float32([[0.5, 0.5, 0.0], [1 / 3, 1 / 3, 1 / 3]])).tolist()
    [[128, 127, 0], [85, 85, 85]]
    """
    flat = np.maximum(shares.reshape(-1, shares.shape[-1]), 0).astype(np.float64)
    flat *= FULL / flat.sum(1, keepdims=True)
    whole = np.floor(flat)
    missing = FULL - whole.sum(1).astype(np.int64)
    order = np.argsort(whole - flat, axis=1, kind="stable")
    rank = np.argsort(order, axis=1, kind="stable")
    whole += rank < missing[:, None]
    return whole.astype(np.uint8).reshape(shares.shape)


def packed(stack: Bytes) -> list[Bytes]:
    """Pack weights (..., n) into images (..., 4); channels left over are 0."""
    count = stack.shape[-1]
    room = -count % CHANNELS
    wide = np.concatenate([stack, np.zeros((*stack.shape[:-1], room), np.uint8)], axis=-1)
    return [wide[..., first : first + CHANNELS] for first in range(0, count, CHANNELS)]


def control_map(stack: Bytes) -> NDArray[np.uint32]:
    """Encode the two largest weights of each sample as Terrain3D stores them.

    Bits 27 to 31 hold the number of the base texture, 22 to 26 that of the overlay, 14 to 21 how
    much of the overlay is seen, 0 to 255. Rotation, scale, hole, navigation and autoshader are 0.
    The base is the one with the lower number, so that neighbors blend.

    Source: T. Stone and C. Wang, *Terrain3D*, Control Map Format.

    Examples
    --------
    >>> value = int(control_map(np.uint8([[0, 204, 51]]))[0])
    >>> value >> 27, value >> 22 & 31, value >> 14 & 255
    (1, 2, 51)
    """
    order = np.argsort(-stack.astype(np.int16), axis=-1, kind="stable")[..., :2]
    if stack.shape[-1] == 1:
        order = np.repeat(order, 2, axis=-1)
    base, overlay = order.min(-1), order.max(-1)
    first, second = (
        np.take_along_axis(stack, place[..., None], -1)[..., 0].astype(np.uint32)
        for place in (base, overlay)
    )
    blend = np.where(
        base == overlay, 0, (second * FULL * 2 + first + second) // (2 * (first + second))
    )
    bits = base.astype(np.uint32) << 27 | overlay.astype(np.uint32) << 22
    return bits | blend.astype(np.uint32) << 14
