# SPDX-License-Identifier: GPL-3.0-or-later
"""How a layer's heights join the land below."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..numerics.arrays import Floats
from ..numerics.blocks import by_bands
from ..numerics.progress import Cancel

Blend = Callable[[Floats, Floats], Floats]

BLENDS: dict[str, tuple[str, str, Blend]] = {
    "replace": ("Replace", "The layer takes the place of the land below", lambda below, own: own),
    "add": ("Add", "The layer is piled onto the land below", np.add),
    "subtract": ("Subtract", "The layer is dug out of the land below", np.subtract),
    "multiply": (
        "Multiply",
        "The land below is multiplied by the layer: 1 m leaves it as it is, 0 m flattens it",
        np.multiply,
    ),
    "min": ("Lower of both", "The lower of the layer and the land below", np.minimum),
    "max": ("Higher of both", "The higher of the layer and the land below", np.maximum),
    "difference": (
        "Difference",
        "How far the layer and the land below lie apart",
        lambda below, own: np.abs(below - own),
    ),
    "average": (
        "Average",
        "Half way between the layer and the land below",
        lambda below, own: (below + own) * np.float32(0.5),
    ),
}
"""Blend mode by key: label, help, and what is made of (land below, layer), both in meters."""


def blended(
    below: Floats,
    own: Floats,
    mode: str,
    amount: float,
    weight: Floats | None,
    cancelled: Cancel | None = None,
) -> Floats:
    """The land with a layer on it, mixed in by ``amount`` and ``weight`` ((ny, nx)), both 0 to 1.

    A new array, but for an unmasked "replace" at full amount, which is ``own`` itself.
    """
    join = BLENDS[mode][2]
    if weight is None and amount == 1.0:
        return own if mode == "replace" else by_bands(join, cancelled, below, own)

    def mixed(below: Floats, own: Floats, weight: Floats | None = None) -> Floats:
        change = join(below, own) - below
        change *= np.float32(amount) if weight is None else weight * np.float32(amount)
        change += below
        return change

    fields = (below, own) if weight is None else (below, own, weight)
    return by_bands(mixed, cancelled, *fields)
