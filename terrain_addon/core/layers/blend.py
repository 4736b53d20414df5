# SPDX-License-Identifier: GPL-3.0-or-later
"""Blend modes: how a layer's heights join the terrain below."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..numerics.arrays import Floats
from ..numerics.blocks import by_bands
from ..numerics.progress import Cancel

Blend = Callable[[Floats, Floats], Floats]

BLENDS: dict[str, tuple[str, str, Blend]] = {
    "replace": ("Replace", "The layer replaces the terrain below", lambda below, own: own),
    "add": ("Add", "The layer is added to the terrain below", np.add),
    "subtract": ("Subtract", "The layer is subtracted from the terrain below", np.subtract),
    "multiply": (
        "Multiply",
        "The terrain below is multiplied by the layer: 1 m keeps it, 0 m flattens it",
        np.multiply,
    ),
    "min": ("Lower of Both", "The lower of the layer and the terrain below", np.minimum),
    "max": ("Higher of Both", "The higher of the layer and the terrain below", np.maximum),
    "difference": (
        "Difference",
        "The distance between the layer and the terrain below",
        lambda below, own: np.abs(below - own),
    ),
    "average": (
        "Average",
        "Halfway between the layer and the terrain below",
        lambda below, own: (below + own) * np.float32(0.5),
    ),
}
"""Blend mode by key: label, help, and the function of (terrain below, layer) in meters."""


def blended(
    below: Floats,
    own: Floats,
    mode: str,
    opacity: float,
    weight: Floats | None,
    cancelled: Cancel | None = None,
) -> Floats:
    """Return the terrain blended with a layer by ``opacity`` and a (ny, nx) ``weight``, both 0 to
    1.

    A new array, except for an unmasked "replace" at full opacity, which is ``own`` itself.
    """
    join = BLENDS[mode][2]
    if weight is None and opacity == 1.0:
        return own if mode == "replace" else by_bands(join, cancelled, below, own)

    def mixed(below: Floats, own: Floats, weight: Floats | None = None) -> Floats:
        change = join(below, own) - below
        change *= np.float32(opacity) if weight is None else weight * np.float32(opacity)
        change += below
        return change

    fields = (below, own) if weight is None else (below, own, weight)
    return by_bands(mixed, cancelled, *fields)
