# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of a recipe that a search may change, each as a number from 0 to 1."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..layers import GENERATE
from ..numerics.arrays import Doubles
from ..recipe.recipe import Layer, Recipe
from ..settings.params import Setting, settings_of

PLACES = frozenset(
    ("offset_x", "offset_y", "center_x", "center_y", "rotation", "direction", "evolution")
)
"""Settings that only choose another terrain of the same kind, as a seed does."""
COUNTS = ("octaves", "gully_octaves")
"""Whole numbers that may change."""
MOST_OCTAVES = 8
LENGTHS, HEIGHTS = 3.0, 4.0
"""Factors by which lengths, and the heights of generators, may become smaller or larger."""
TURN = 15.0
"""Degrees by which an angle may change."""
LOGARITHMIC = 4.0
"""Ratio of the ends of a range from which on it is divided in ratios rather than in steps."""
DIGITS = 3
"""Digits of a setting that was found."""


@dataclass(frozen=True)
class Variable:
    """One setting of one layer.

    Attributes
    ----------
    layer : number of the layer in the recipe
    name : of the setting
    low, high : its range; both negative for a height below 0
    whole : whether it is a whole number
    """

    layer: int
    name: str
    low: float
    high: float
    whole: bool = False

    def value(self, share: float) -> float:
        """Return the setting at a share of the range, to three digits."""
        if self._in_ratios:
            value = self.low * (self.high / self.low) ** share
        else:
            value = self.low + (self.high - self.low) * share
        return round(value) if self.whole else float(f"{value:.{DIGITS}g}")

    def share(self, value: float) -> float:
        """Return the share of the range, 0 to 1, at which the setting has a value, or is nearest to
        it."""
        if self._in_ratios and value * self.low > 0:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return min(max(share, 0.0), 1.0)

    @property
    def _in_ratios(self) -> bool:
        return self.low * self.high > 0 and self.high / self.low >= LOGARITHMIC


def variables(recipe: Recipe) -> tuple[Variable, ...]:
    """Return the settings that a search may change.

    These are the numbers of the active layers that have an effect, except seeds, positions and
    directions, and heights above the sea such as a snow line. What is 0 stays, as it is off or
    automatic, unless it is a share such as *Rock Layers*.

    Examples
    --------
    >>> from terrain_addon.core import presets
    >>> found = variables(presets.load("alps"))
    >>> [one.name for one in found if one.layer == 0]
    ['size', 'height', 'octaves', 'lacunarity', 'gain', 'weighted_strength']
    >>> found[0].low, found[0].high
    (1536.0, 13824.0)
    """
    return tuple(
        one
        for number, layer in enumerate(recipe.layers)
        if layer.on
        for one in _of_layer(number, layer)
    )


def shares(recipe: Recipe, found: Sequence[Variable]) -> Doubles:
    """Return (N,) float from 0 to 1: the variables of a recipe."""
    return np.array(
        [one.share(getattr(recipe.layers[one.layer].settings, one.name)) for one in found]
    )


def with_shares(recipe: Recipe, found: Sequence[Variable], values: Doubles) -> Recipe:
    """Return the recipe with other values of its variables, from 0 to 1."""
    layers = list(recipe.layers)
    changed: dict[int, dict[str, float]] = {}
    for one, share in zip(found, values, strict=True):
        changed.setdefault(one.layer, {})[one.name] = one.value(float(share))
    for number, settings in changed.items():
        layers[number] = dataclasses.replace(
            layers[number], settings=dataclasses.replace(layers[number].settings, **settings)
        )
    return dataclasses.replace(recipe, layers=tuple(layers))


def _of_layer(number: int, layer: Layer) -> Iterator[Variable]:
    settings = layer.settings
    known = {setting.name: setting for setting in settings_of(type(settings))}
    for one in known.values():
        if one.name == "seed" or one.name in PLACES or not one.has_effect(settings, known):
            continue
        value = getattr(settings, one.name)
        if one.kind == "int" and one.name in COUNTS:
            yield Variable(number, one.name, 1.0, max(MOST_OCTAVES, value), whole=True)
        elif one.kind == "float" and (value or one.unit == "factor"):
            ends = _range(one, value, is_height=_is_height(layer, one))
            if ends is not None:
                yield Variable(number, one.name, *ends)


def _is_height(layer: Layer, one: Setting) -> bool:
    """Return whether a setting is the height of the forms that a layer makes."""
    settings = layer.settings
    return (
        settings.group == GENERATE
        and one.name in settings.heights
        and one.soft_min == 0
        and layer.blend != "multiply"
    )


def _range(one: Setting, value: float, *, is_height: bool) -> tuple[float, float] | None:
    """Return the range of a setting around its value; None if it stays."""
    if is_height:
        return one.limited(value / HEIGHTS), one.limited(value * HEIGHTS)
    low = one.min if one.soft_min is None else one.soft_min
    high = one.max if one.soft_max is None else one.soft_max
    if low is None or high is None:
        return None
    if one.unit == "m":
        if one.min is None or one.min < 0:
            return None
        low, high = one.limited(value / LENGTHS), one.limited(value * LENGTHS)
    elif one.unit == "deg":
        low, high = max(low, value - TURN), min(high, value + TURN)
    low, high = min(low, value), max(high, value)
    return (low, high) if low < high else None
