# SPDX-License-Identifier: GPL-3.0-or-later
"""Scale a whole recipe, and new layers to the size of a terrain."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from ..analysis.fields import FIELDS
from ..layers import LayerKind
from ..layers.generate.height_map import METERS, HeightMap
from ..layers.masks import Mask
from ..settings.params import Settings, settings_of
from .palette import Palette
from .recipe import Layer, Recipe

S = TypeVar("S", bound=Settings)
K = TypeVar("K", bound=LayerKind)
M = TypeVar("M", bound=Mask)

POWERS = {"m": 1, "rad/100 m": -1}
"""Power of the scale factor that values of a unit are multiplied by; others stay."""


def rescale(recipe: Recipe, factor: float) -> Recipe:
    """Return a recipe of the same terrain, ``factor`` times as wide, deep and high.

    Lengths, heights and the points of shapes are multiplied and curvatures divided, up to their
    limits; slopes, counts and colors stay. Factors other than powers of two round differently,
    which erosion amplifies: streams may take other courses.

    Raises
    ------
    ValueError
        The terrain would be too large or too small.

    Examples
    --------
    >>> rescale(Recipe(size_x=500.0), 2.0).size_x
    1000.0
    """
    return dataclasses.replace(
        _scaled(recipe, factor),
        size_x=recipe.size_x * factor,
        size_y=recipe.size_y * factor,
        layers=tuple(scaled_layer(layer, factor) for layer in recipe.layers),
        water=_scaled(recipe.water, factor),
        climate=recipe.climate and _scaled(recipe.climate, factor),
        palette=_scaled_palette(recipe.palette, factor),
        shapes=tuple(shape.scaled(factor) for shape in recipe.shapes),
    )


def extend(recipe: Recipe, factor: float) -> Recipe:
    """Return a recipe of terrain of the same kind, ``factor`` times as wide and deep.

    Everything keeps its size in meters: mountains and valleys become more, not larger. Settings
    that follow from the extent become numbers, and the River Detail follows from the valleys. What
    fades or lies relative to the border, such as *Falloff*, still does.

    Raises
    ------
    ValueError
        The terrain would be too large or too small.

    Examples
    --------
    >>> from terrain_addon.core import Erosion, Recipe
    >>> small = Recipe(size_x=4400.0, size_y=4400.0, layers=(Erosion(),))
    >>> world = extend(small, 16.0)
    >>> world.size_x, world.layers[0].settings.valley_spacing
    (70400.0, 200.0)
    """
    size, water = max(recipe.size_x, recipe.size_y), recipe.water
    known = {setting.name: setting for setting in settings_of(type(water))}
    shares = {
        name: known[name].limited(getattr(water, name) / factor)
        for name in ("min_catchment_area", "min_lake_size")
    }
    layers = (
        dataclasses.replace(layer, settings=layer.settings.for_extent(size))
        for layer in recipe.layers
    )
    return dataclasses.replace(
        recipe,
        size_x=recipe.size_x * factor,
        size_y=recipe.size_y * factor,
        field_radius=recipe.wide_radius,
        layers=tuple(layers),
        water=dataclasses.replace(water, **shares),
    )


def default_settings_for(
    kind: type[K],
    size_x: float,
    size_y: float,
    heights: tuple[float, float] | None = None,
    *,
    sea: float | None = None,
    layers: Iterable[Layer] = (),
) -> K:
    """Return the settings of a new layer of that kind, on a terrain of that size in meters.

    Lengths are scaled by the shorter side and rounded to two digits.

    Parameters
    ----------
    heights : tuple of float, optional
        Lowest and highest point of the terrain in meters, between which `LayerKind.height_settings`
        such as a snow line are placed.
    sea : float, optional
        Water level in meters if the terrain shows its sea; `LayerKind.sea_defaults` and
        `LayerKind.sea_height_shares` then apply.
    layers : iterable of Layer, optional
        Those of the terrain. If one of them holds elevation data in meters, the terrain is real,
        and `LayerKind.real_defaults` apply.

    Automatic values (`LayerKind.automatic`) become numbers, so that a slider can start from them.

    Examples
    --------
    >>> from terrain_addon.core.layers import LAYERS
    >>> default_settings_for(LAYERS["smooth"], 5000.0, 5000.0).radius
    100.0
    """
    changed = _at_size(kind(), size_x, size_y) | dict(kind.new_defaults)
    if any(
        isinstance(layer.settings, HeightMap) and layer.settings.values == METERS
        for layer in layers
    ):
        changed.update(kind.real_defaults)
    low, high = heights or (0.0, 0.0)
    automatic: Mapping[str, float] = {}
    if high > low:
        automatic = kind(**changed).automatic(max(size_x, size_y), high - low)
    if kind.above_sea_level and sea is not None and sea < high:
        low = max(low, sea)
    height_settings: Mapping[str, float] = kind.height_settings if high > low else {}
    for setting in settings_of(kind):
        if setting.name in height_settings:
            value = _rounded(low + height_settings[setting.name] * (high - low), high - low)
            changed[setting.name] = setting.limited(value)
        elif setting.name in automatic:
            value = automatic[setting.name]
            changed[setting.name] = setting.limited(_rounded(value, value))
    if sea is not None:
        changed.update(kind.sea_defaults)
        changed.update(_above_sea(kind, high - sea if high > low else 0.0))
    return kind(**changed)


def _above_sea(kind: type[LayerKind], relief: float) -> dict[str, Any]:
    """Return settings in proportion to a relief above the sea in meters."""
    if relief <= 0:
        return {}
    known = {setting.name: setting for setting in settings_of(kind)}
    values = {name: share * relief for name, share in kind.sea_height_shares.items()}
    return {name: known[name].limited(_rounded(v, v)) for name, v in values.items()}


def default_mask_for(mask: type[M], size_x: float, size_y: float) -> M:
    """Return the settings of a new mask of that kind, on a terrain of that size in meters."""
    return mask(**_at_size(mask(), size_x, size_y))


def fitted_mask(mask: M, ranges: Mapping[str, tuple[float, float]]) -> M:
    """Return a mask that selects the range of its field on a terrain, rounded outwards to two
    digits.

    ``ranges`` holds the lowest and the highest value by the name of the field, or "height". For
    other fields their natural range counts; a mask without any range stays as it is.

    Examples
    --------
    >>> from terrain_addon.core.layers import MASKS
    >>> mask = fitted_mask(MASKS["height"](), {"height": (-41.7, 163.2)})
    >>> mask.low, mask.high, mask.fade
    (-50.0, 170.0, 11.0)
    """
    field = FIELDS.get(mask.selects)
    low, high = ranges.get(mask.selects) or (field and field.natural) or (0.0, 0.0)
    if not low < high:
        return mask
    step = 10.0 ** (math.floor(math.log10(high - low)) - 1)
    wide = mask.within(math.floor(low / step) * step, math.ceil(high / step) * step)
    known = {setting.name: setting for setting in settings_of(type(mask))}
    changed = {name: known[name].limited(_rounded(v, step)) for name, v in wide.items()}
    return dataclasses.replace(mask, **changed)


def _at_size(usual: Settings, size_x: float, size_y: float) -> dict[str, Any]:
    """Return settings scaled to the shorter side; those that change are rounded to two digits."""
    larger = _scaled(usual, min(size_x, size_y) / Recipe().size_x)
    changed: dict[str, Any] = {}
    for setting in settings_of(type(usual)):
        value = getattr(larger, setting.name)
        if value != getattr(usual, setting.name):
            value = setting.limited(_rounded(value, value))
        changed[setting.name] = value
    return changed


def _rounded(value: float, span: float) -> float:
    """Round ``value`` to the decimals at which ``span`` has two digits."""
    return round(value, 1 - math.floor(math.log10(abs(span)))) + 0.0  # not -0


def scaled_layer(layer: Layer, factor: float) -> Layer:
    """Return a layer that is ``factor`` times as wide and high, as in :func:`rescale`."""
    masks = tuple(_scaled(mask, factor) for mask in layer.masks)
    # Heights that multiply the terrain below are factors, although declared in meters.
    kept = layer.settings.heights if layer.blend == "multiply" else ()
    settings = _scaled(layer.settings, factor, kept)
    rivers = _scaled(dataclasses.replace(layer.settings, **dict(layer.rivers_at)), factor, kept)
    at = tuple((name, getattr(rivers, name)) for name, _ in layer.rivers_at)
    palette = layer.palette and _scaled_palette(layer.palette, factor)
    return dataclasses.replace(layer, settings=settings, rivers_at=at, masks=masks, palette=palette)


def _scaled_palette(palette: Palette, factor: float) -> Palette:
    start = factor if palette.measure == "meters" else 1.0
    regions = (
        dataclasses.replace(_scaled(region, factor), start=region.start * start)
        for region in palette.regions
    )
    return dataclasses.replace(_scaled(palette, factor), regions=tuple(regions))


def _scaled(settings: S, factor: float, kept: tuple[str, ...] = ()) -> S:
    changed: dict[str, Any] = {}
    for setting in settings_of(type(settings)):
        power = POWERS.get(settings.unit_of(setting.name), 0)
        if power and setting.name not in kept:
            changed[setting.name] = setting.limited(getattr(settings, setting.name) * factor**power)
    return dataclasses.replace(settings, **changed)
