# SPDX-License-Identifier: GPL-3.0-or-later
"""Any settings, layers, palettes and recipes, made from what is declared."""

import dataclasses
import string
from typing import Any

import numpy as np
from hypothesis import strategies as st

from terrain_addon.core import Layer, Palette, Recipe, Region, Shape, Water
from terrain_addon.core.layers import LAYERS, MASKS
from terrain_addon.core.recipe.recipe import with_count
from terrain_addon.core.settings import Setting, settings_of
from terrain_addon.core.shapes import CLOSED, OPEN

TEXT = st.text(string.printable + "äßΩ海", max_size=20)
COLORS = st.integers(0, 0xFFFFFF).map("#{:06X}".format)
CURVES = st.sampled_from(["", "0 0.2, 0.25 0.75, 0.5 0.5, 1 1"])


def values(setting: Setting, *, soft: bool = False) -> st.SearchStrategy[Any]:
    """Any value of a setting; ``soft`` keeps to what its slider offers, where terrain is tame."""
    if setting.kind == "bool":
        return st.booleans()
    if setting.kind == "choice":
        return st.sampled_from([choice.key for choice in setting.choices])
    if setting.kind == "color":
        return COLORS
    if setting.kind == "text":
        # What they name is made elsewhere.
        elsewhere = soft and setting.unit in ("map", "shape", "nodes")
        texts = st.just("") if elsewhere or setting.unit == "grid" else TEXT
        return CURVES if setting.unit == "curve" else texts
    low, high = setting.min, setting.max
    if soft:
        low = low if setting.soft_min is None else setting.soft_min
        high = high if setting.soft_max is None else setting.soft_max
    if setting.kind == "int":
        whole = [None if limit is None else int(limit) for limit in (low, high)]
        return st.integers(*whole)
    return st.floats(low, high, allow_nan=False, allow_infinity=False)


def settings(cls: type, *, soft: bool = False) -> st.SearchStrategy[Any]:
    """Any instance of a settings class that has no fields but declared settings."""
    declared = {s.name: values(s, soft=soft) for s in settings_of(cls)}
    return st.fixed_dictionaries({}, optional=declared).map(lambda chosen: cls(**chosen))


LINE = [(-0.3, -0.25, 40, 1), (-0.04, 0.11, 90, 1.5), (0.12, -0.04, 60, 0.8), (0.38, 0.32, 80, 1)]
AREA = [(-0.35, -0.3, 30, 1), (0.3, -0.35, 30, 1), (0.35, 0.25, 30, 1), (-0.3, 0.35, 30, 1)]
PLACE = [(0.2, -0.31, 20, 1)]
"""Points x, y as shares of the terrain's size, z and radius."""


def drawn(recipe: Recipe) -> Recipe:
    """The recipe with a line, an area and a place, which layers use that name no shape."""
    points = np.array(LINE + AREA + PLACE) * (recipe.size_x, recipe.size_y, 1, 1)
    first = np.array([0, len(LINE), len(LINE) + len(AREA)])
    area = Shape("Drawn", points, first, np.array([OPEN, CLOSED, OPEN], np.uint8))
    layers = []
    for layer in recipe.layers:
        kind = layer.settings
        unset = [one.name for one in settings_of(type(kind)) if one.unit == "shape"]
        unset = [name for name in unset if not getattr(kind, name)]
        kind = dataclasses.replace(kind, **dict.fromkeys(unset, area.name))
        layers.append(dataclasses.replace(layer, settings=kind))
    return dataclasses.replace(recipe, layers=tuple(layers), shapes=(*recipe.shapes, area))


def masks(*, soft: bool = False) -> st.SearchStrategy[tuple[Any, ...]]:
    each = [st.none() | settings(cls, soft=soft) for cls in MASKS.values()]
    return st.tuples(*each).map(lambda chosen: tuple(m for m in chosen if m is not None))


def layers(*, soft: bool = False) -> st.SearchStrategy[Layer]:
    common = {s.name: values(s) for s in settings_of(Layer)}
    kinds = st.sampled_from(list(LAYERS.values())).flatmap(lambda cls: settings(cls, soft=soft))
    return st.builds(
        lambda kind, masks, chosen: Layer.of(kind, masks=masks, **chosen),
        kinds,
        masks(soft=soft),
        st.fixed_dictionaries({}, optional=common),
    )


def _with_members(layers: list[Layer]) -> tuple[Layer, ...]:
    """Return layers in which each group holds all that is below it."""
    return tuple(
        with_count(layer, n) if layer.settings.key == "group" else layer
        for n, layer in enumerate(layers)
    )


def palettes() -> st.SearchStrategy[Palette]:
    declared = {s.name: values(s) for s in settings_of(Palette)}
    regions = st.lists(settings(Region), min_size=1, max_size=32).map(tuple)
    return st.builds(
        lambda chosen, regions: Palette(regions=regions, **chosen),
        st.fixed_dictionaries({}, optional=declared),
        regions,
    )


def recipes() -> st.SearchStrategy[Recipe]:
    declared = {s.name: values(s) for s in settings_of(Recipe)}
    return st.builds(
        lambda chosen, **parts: Recipe(**chosen, **parts),
        st.fixed_dictionaries({}, optional=declared),
        layers=st.lists(layers(), max_size=5).map(_with_members),
        water=settings(Water),
        palette=palettes(),
    )
