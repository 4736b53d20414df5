# SPDX-License-Identifier: GPL-3.0-or-later
"""Variations of the settings of a layer."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection
from random import Random
from typing import Any, TypeVar

from ..settings.params import Setting, Settings, settings_of

S = TypeVar("S", bound=Settings)
SEEDS = 100_000


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


def _near(one: Setting, value: float, factor: float) -> float:
    """Return ``value`` times a factor, to three digits, within the slider, which reaches to
    ``value``."""
    low = one.min if one.soft_min is None else one.soft_min
    high = one.max if one.soft_max is None else one.soft_max
    made = value * factor
    made = round(made, 2 - math.floor(math.log10(abs(made))))
    made = made if low is None else max(made, min(low, value))
    return made if high is None else min(made, max(high, value))
