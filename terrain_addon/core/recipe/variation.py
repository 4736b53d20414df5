# SPDX-License-Identifier: GPL-3.0-or-later
"""Variations of settings: at random, or nine values of one in order."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection
from random import Random
from typing import Any, TypeVar

from ..settings.params import Setting, Settings, settings_of

S = TypeVar("S", bound=Settings)
SEEDS = 100_000
NINE = 9
EVENLY = ("factor", "deg")
"""Units of settings whose nine values cover the whole slider."""
CIRCLE = 360.0


def variable_settings(kind: type[Settings]) -> list[Setting]:
    """Return the settings of a kind that can vary: the seed, and numbers.

    Whole numbers, choices, switches, maps and advanced settings cannot.
    """
    found = (setting for setting in settings_of(kind) if not setting.advanced)
    return [one for one in found if one.name == "seed" or one.kind == "float"]


def varied_settings(settings: Settings) -> list[Setting]:
    """Return the settings that :func:`varied` changes: variable ones that have an effect now.

    What is 0 stays, as it is off or automatic.
    """
    known = {setting.name: setting for setting in settings_of(type(settings))}
    return [
        setting
        for setting in variable_settings(type(settings))
        if setting.has_effect(settings, known)
        and (setting.name == "seed" or getattr(settings, setting.name))
    ]


def varied(settings: S, seed: int, strength: float, locked: Collection[str] = ()) -> S:
    """Return settings near the given ones, drawn at random.

    Parameters
    ----------
    seed : int
        The same number draws the same values; each setting has numbers of its own, so that locking
        one does not change the others.
    strength : float
        Numbers are multiplied or divided by up to 2 to this power, within the limits of their
        sliders.
    locked : collection of str, optional
        Names of settings that stay.

    Examples
    --------
    >>> from terrain_addon.core import Hills
    >>> hills = varied(Hills(size=200.0), seed=3, strength=0.5, locked=["height"])
    >>> hills.size, hills.height
    (282.0, 40.0)
    """
    changed: dict[str, Any] = {}
    for setting in varied_settings(settings):
        if setting.name not in locked:
            random = Random(f"{seed} {setting.name}")
            value = getattr(settings, setting.name)
            changed[setting.name] = (
                random.randrange(1, SEEDS)
                if setting.name == "seed"
                else _near(setting, value, 2 ** random.uniform(-strength, strength))
            )
    return dataclasses.replace(settings, **changed)


def _near(setting: Setting, value: float, factor: float) -> float:
    """Return ``value`` times a factor, to three digits, within the slider, which reaches to
    ``value``."""
    low, high = _slider(setting, value)
    made = _rounded(value * factor)
    made = made if low is None else max(made, low)
    return made if high is None else min(made, high)


def nine_values(setting: Setting, value: float) -> tuple[float, ...]:
    """Return nine values of a setting to compare, in rising order, each allowed.

    Seeds are the one at hand and the eight after it. Factors and angles cover their sliders in even
    steps, as lengths do that are 0. Other numbers go from half the value at hand, which is among
    them, to its double, in even ratios, as far as the slider reaches.

    Parameters
    ----------
    setting : Setting
        A seed or a number, as :func:`variable_settings` returns.
    value : float
        Its value at hand.

    Raises
    ------
    ValueError
        It is no seed, and 0 or without limits.

    Examples
    --------
    >>> from terrain_addon.core import Hills
    >>> size, height, *_ = variable_settings(Hills)
    >>> nine_values(size, 200.0)
    (100.0, 119.0, 141.0, 168.0, 200.0, 238.0, 283.0, 336.0, 400.0)
    """
    if setting.kind == "int":
        first = int(value) if setting.max is None else int(min(value, setting.max - NINE + 1))
        return tuple(range(first, first + NINE))
    low, high = _slider(setting, value)
    if setting.unit in EVENLY or not value:
        if low is None or high is None:
            raise ValueError(f"{setting.label} is 0: set it first")
        steps = NINE if high - low == CIRCLE else NINE - 1
        return tuple(round(low + (high - low) * n / steps, 6) for n in range(NINE))
    return _in_ratios(low, value, high)


def _in_ratios(low: float | None, value: float, high: float | None) -> tuple[float, ...]:
    """Return nine numbers around ``value`` in even ratios; all on one side where the other ends."""
    first, last = sorted((value / 2, value * 2))
    first = first if low is None else max(first, low)
    last = last if high is None else min(last, high)
    below = 0 if first == value else NINE - 1 if last == value else NINE // 2
    above = NINE - 1 - below
    return (
        *(_rounded(value * (first / value) ** (n / below)) for n in range(below, 0, -1)),
        value,
        *(_rounded(value * (last / value) ** (n / above)) for n in range(1, above + 1)),
    )


def _slider(setting: Setting, value: float) -> tuple[float | None, float | None]:
    """Return the ends of a slider, which reaches to ``value``."""
    low = setting.min if setting.soft_min is None else setting.soft_min
    high = setting.max if setting.soft_max is None else setting.soft_max
    return (None if low is None else min(low, value)), (None if high is None else max(high, value))


def _rounded(value: float) -> float:
    """Return a number, not 0, to three digits."""
    return round(value, 2 - math.floor(math.log10(abs(value))))
