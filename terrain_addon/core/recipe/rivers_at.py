# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of layers with which erosion finds its rivers.

Rivers are decided by small differences: without these values, a height that is dragged would move
them with every step of the mouse. They are a part of the recipe, so a terrain is the same however
it was reached.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

from ..layers import LayerKind
from ..settings.params import checked_mapping, short_repr

SPAN = 4.0
"""Factor between the values with which rivers are found, starting from the one that is named: they
are held down to half of each and up to twice. Farther away a terrain has another form, across which
the rivers would run as through gorges."""

Values = tuple[tuple[str, float], ...]
"""Names and values."""


def checked_rivers_at(kind: type[LayerKind], data: Any, path: str) -> Values:
    """Return the values of settings of a kind, in their order, from pairs or a mapping.

    Raises ValueError, with the path, for a setting that moves rivers and for a wrong value.
    """
    pairs = cast(Sequence[tuple[str, float]], data) if isinstance(data, list | tuple) else None
    values = checked_mapping(data if pairs is None else dict(pairs), path)
    known = {setting.name: setting for setting in kind.held_settings()}
    for name in values:
        if name not in known:
            allowed = ", ".join(known) or "none"
            raise ValueError(
                f"{path}: rivers are not held for {short_repr(name)}; known here: {allowed}"
            )
    return tuple(
        (name, setting.checked(values[name], f"{path}.{name}"))
        for name, setting in known.items()
        if name in values
    )


def values_now(settings: LayerKind) -> Values:
    """Return the values that settings have now."""
    return tuple(
        (setting.name, getattr(settings, setting.name)) for setting in settings.held_settings()
    )


def values_for_rivers(settings: LayerKind, rivers_at: Values) -> dict[str, float]:
    """Return the values with which rivers are found: those named, times a power of `SPAN` that
    brings them near the values that the settings have.

    Examples
    --------
    >>> from terrain_addon.core import FractalNoise
    >>> noise = FractalNoise(height=190.0)
    >>> [values_for_rivers(noise, (("height", at),)) for at in (100.0, 90.0)]
    [{'height': 100.0}, {'height': 360.0}]
    """
    known = {setting.name: setting for setting in settings.held_settings()}
    return {name: known[name].limited(_near(getattr(settings, name), at)) for name, at in rivers_at}


def _near(value: float, at: float) -> float:
    """Return ``at`` times the power of `SPAN` nearest to ``value``, which itself is returned where
    there is none."""
    if value * at <= 0:
        return value
    return at * SPAN ** round(math.log(value / at, SPAN))
