# SPDX-License-Identifier: GPL-3.0-or-later
"""Ready-made biomes: groups of layers that find where they belong on any terrain.

A biome is a recipe with one group. It is written for a terrain of 2000 m, with heights from 0 to
1000 m, and fitted to the terrain that it is added to.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

from ..layers.masks import Mask
from ..layers.masks.height import HeightMask
from .presets import FOLDER, load, names as names_in
from .recipe import Layer
from .rescaling import scaled_layer

BIOMES = FOLDER / "biomes"
SIDE, TOP = 2000.0, 1000.0
"""Meters of the terrain that biomes are written for, along a side and from its lowest ground."""
GROWTH = 2 / 3
"""Power of the extent with which lengths grow: a field is 30 m wide on a terrain of 300 m, and no
wider than a village on one of 30 km, where it is still some points wide."""
SHORE = 0.01
"""Share of the height above the sea that is left to its shore."""


def names(folder: Path = BIOMES) -> list[str]:
    """Return sorted names of the biomes in a folder, by default those of the extension.

    >>> "wetland" in names()
    True
    """
    return names_in(folder)


def about(name: str) -> str:
    """Return what a biome of the extension is, in one sentence."""
    return load(name, BIOMES).about


def biome(
    name: str,
    size_x: float,
    size_y: float,
    heights: tuple[float, float] | None = None,
    *,
    sea: float | None = None,
) -> tuple[Layer, ...]:
    """Return the layers of a biome of the extension, fitted to a terrain.

    Lengths grow with the extent, to the power of 2/3, and heights in masks follow from the
    terrain's.

    Parameters
    ----------
    name : str
        One of :func:`names`.
    size_x, size_y : float
        Extent of the terrain in meters.
    heights : tuple of float, optional
        Its lowest and highest point in meters; without them heights in masks stay.
    sea : float, optional
        Water level in meters if the terrain shows its sea. Biomes then begin above it.

    Returns
    -------
    tuple of Layer
        A group after its layers.

    Raises
    ------
    ValueError
        There is no biome of that name.

    Examples
    --------
    >>> from terrain_addon.core import Recipe, presets
    >>> alps = presets.load("alps")
    >>> layers = biome("dunes", alps.size_x, alps.size_y, (0.0, 2000.0))
    >>> Recipe(layers=(*alps.layers, *layers)).layers[-1].name
    'Dunes'
    """
    factor = (min(size_x, size_y) / SIDE) ** GROWTH
    layers = load(name, BIOMES).layers
    return tuple(_fitted(layer, factor, heights, sea) for layer in layers)


def _fitted(
    layer: Layer, factor: float, heights: tuple[float, float] | None, sea: float | None
) -> Layer:
    masks: list[Mask] = [*scaled_layer(layer, factor).masks]
    for n, mask in enumerate(layer.masks):
        if isinstance(mask, HeightMask):
            masks[n] = _between(mask, heights, sea) if heights else mask
    return dataclasses.replace(scaled_layer(layer, factor), masks=tuple(masks))


def _between(mask: HeightMask, heights: tuple[float, float], sea: float | None) -> HeightMask:
    """Return a mask of heights from 0 to `TOP` on the heights of a terrain."""
    low, high = heights
    shore = sea is not None and low < sea < high
    if sea is not None and shore:
        low = sea
    scale = (high - low) / TOP
    fade, start = scale * mask.fade, low + scale * mask.low
    if shore:
        start = max(start, low + SHORE * (high - low) + fade)
    return dataclasses.replace(mask, low=start, high=low + scale * mask.high, fade=fade)
