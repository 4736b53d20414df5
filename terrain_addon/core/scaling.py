# SPDX-License-Identifier: GPL-3.0-or-later
"""The same land, larger or smaller."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

from .palette import Palette
from .params import Settings, settings_of
from .recipe import Layer, Recipe

S = TypeVar("S", bound=Settings)


def scaled(recipe: Recipe, factor: float) -> Recipe:
    """A recipe of the same land, ``factor`` times as wide, deep and high.

    All that is measured in metres is multiplied, as far as its limits go; slopes, counts and
    colours stay. ValueError when the terrain itself would be too large or too small.
    """
    return dataclasses.replace(
        recipe,
        size_x=recipe.size_x * factor,
        size_y=recipe.size_y * factor,
        layers=tuple(_scaled_layer(layer, factor) for layer in recipe.layers),
        water=_scaled(recipe.water, factor),
        palette=_scaled_palette(recipe.palette, factor),
    )


def _scaled_layer(layer: Layer, factor: float) -> Layer:
    masks = tuple(_scaled(mask, factor) for mask in layer.masks)
    # What multiplies the land below is a factor, although its heights are called metres.
    kept = ("height",) if layer.blend == "multiply" else ()
    return dataclasses.replace(layer, settings=_scaled(layer.settings, factor, kept), masks=masks)


def _scaled_palette(palette: Palette, factor: float) -> Palette:
    palette = _scaled(palette, factor)
    if palette.measure != "metres":
        return palette
    regions = (dataclasses.replace(one, start=one.start * factor) for one in palette.regions)
    return dataclasses.replace(palette, regions=tuple(regions))


def _scaled(settings: S, factor: float, kept: tuple[str, ...] = ()) -> S:
    changed: dict[str, Any] = {}
    for one in settings_of(type(settings)):
        if one.unit == "m" and one.name not in kept:
            value = getattr(settings, one.name) * factor
            low, high = one.min, one.max
            value = value if low is None else max(value, low)
            changed[one.name] = value if high is None else min(value, high)
    return dataclasses.replace(settings, **changed)
