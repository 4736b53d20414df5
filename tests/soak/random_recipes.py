# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole recipes from a generator: tame ones, and ones with settings at their limits."""

import dataclasses
from random import Random
from typing import Any

import numpy as np

from terrain_addon.core import Layer, Map, Recipe, Shape, Water
from terrain_addon.core.analysis import FIELDS
from terrain_addon.core.layers import LAYERS, MASKS
from terrain_addon.core.settings import Setting, settings_of

MANNERS = {
    "tame": ("default", "soft", "inside", "inside"),
    "mixed": ("default", "soft", "inside", "inside", "low", "high", "any", "zero", "decade"),
    "wild": ("low", "high", "any", "decade", "zero", "default"),
}
"""Where the number of a setting comes from, in each manner."""
SLOW = {"erosion", "coast", "gullies", "strata", "thermal_erosion", "snow", "river", "road"}
"""Layers that are chosen less often."""
FAR = 1e9
CURVES = ("", "0 0, 0.3 0.7, 1 1", "0 1, 0.5 0, 1 0.5")
TEXTS = {
    "map": ("", "m1", "m2"),
    "shape": ("", "s1", "s2"),
    "curve": CURVES,
    "nodes": ("",),
    "grid": ("",),
}


def value_of(setting: Setting, rng: Random, manner: str) -> Any:
    """Return a valid value of a setting."""
    if setting.kind == "bool":
        return rng.random() < 0.5
    if setting.kind == "choice":
        return rng.choice(setting.choices).key
    if setting.kind == "color":
        return f"#{rng.randrange(1 << 24):06X}"
    if setting.kind == "text":
        return rng.choice(TEXTS.get(setting.unit, ("", "x", "ä海")))
    low = -FAR if setting.min is None else setting.min
    high = FAR if setting.max is None else setting.max
    soft_low = low if setting.soft_min is None else setting.soft_min
    soft_high = high if setting.soft_max is None else setting.soft_max
    value = {
        "default": setting.default,
        "soft": rng.choice((soft_low, soft_high)),
        "inside": rng.uniform(soft_low, soft_high),
        "low": low,
        "high": high,
        "any": rng.uniform(low, high),
        "zero": 0,
        "decade": rng.choice((-1, 1)) * 10 ** rng.uniform(-12, 9),
    }[rng.choice(MANNERS[manner])]
    value = min(max(value, low), high)
    return int(value) if setting.kind == "int" else float(value)


def settings(cls: type, rng: Random, manner: str, share: float = 0.6) -> Any:
    """Return a settings object of which a share of the settings is not the default."""
    chosen = [one for one in settings_of(cls) if rng.random() < share]
    return cls(**{one.name: value_of(one, rng, manner) for one in chosen})


def layer(rng: Random, manner: str) -> Layer:
    """Return a layer, sometimes with masks."""
    kinds = list(LAYERS) if rng.random() < 0.2 else [key for key in LAYERS if key not in SLOW]
    kind = settings(LAYERS[rng.choice(kinds)], rng, manner, rng.choice((0.2, 0.5, 1.0)))
    masks = tuple(settings(one, rng, manner) for one in MASKS.values() if rng.random() < 0.1)
    common = [one for one in settings_of(Layer) if rng.random() < 0.3]
    return Layer.of(kind, masks=masks, **{s.name: value_of(s, rng, manner) for s in common})


def random_recipe(rng: Random) -> Recipe:
    """Return a recipe with the maps and shapes that it names; ValueError if there is none such."""
    manner = rng.choice(("tame", "mixed", "mixed", "wild"))
    layers = tuple(layer(rng, manner) for _ in range(rng.choice((1, 1, 2, 3, 5))))
    size: dict[str, float] = {}
    if manner == "wild" or rng.random() < 0.4:
        long = 10 ** rng.uniform(-3, 7)
        size = {"size_x": long, "size_y": min(max(long * 10 ** rng.uniform(-1, 1), 1e-3), 1e7)}
    recipe = Recipe(
        seed=rng.choice((0, 1, -(2**31), 2**31 - 1, rng.randrange(1 << 31))),
        layers=layers,
        water=settings(Water, rng, manner),
        attributes=tuple(rng.sample(list(FIELDS), rng.randrange(3))),
        **size,
    )
    numbers = np.random.default_rng(rng.randrange(1 << 31))
    return dataclasses.replace(
        recipe,
        maps=tuple(random_map(n, rng, numbers) for n in ("m1", "m2") if n in recipe.map_names),
        shapes=tuple(
            random_shape(n, recipe, rng, numbers) for n in ("s1", "s2") if n in recipe.shape_names
        ),
    )


def random_map(name: str, rng: Random, numbers: np.random.Generator) -> Map:
    """Return a small map, down to one sample."""
    shape = rng.choice((1, 2, 5, 20)), rng.choice((1, 2, 7, 20))
    values = numbers.normal(0, 10 ** rng.uniform(-3, 4), shape).astype(np.float32)
    return Map(name, values, to_border=rng.random() < 0.5)


def random_shape(name: str, recipe: Recipe, rng: Random, numbers: np.random.Generator) -> Shape:
    """Return a place, a line or an area, partly outside of the terrain."""
    count = rng.choice((1, 2, 3, 8))
    sides = np.array((recipe.size_x, recipe.size_y))
    places = numbers.uniform(-0.7, 0.7, (count, 2)) * sides
    heights = numbers.normal(0, 1, (count, 1)) * rng.choice((0, 1, 100, 1e5))
    points = np.hstack((places, heights))
    return Shape.of(name, [points], rng.randrange(4)) if count > 2 else Shape.of(name, [points])
