# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers as text, to copy them from one terrain to another."""

from __future__ import annotations

import json
from collections.abc import Sequence

from .recipe import SCHEMA, Layer, Recipe


def layers_to_json(layers: Sequence[Layer]) -> str:
    """Return the text of layers: a recipe that has nothing else.

    Examples
    --------
    >>> from terrain_addon.core import Layer, Smooth
    >>> text = layers_to_json([Layer.of(Smooth(radius=5.0))])
    >>> layers_from_json(text)[0].settings.radius
    5.0
    """
    data = {"schema": SCHEMA, "layers": [layer.to_dict() for layer in layers]}
    return json.dumps(data, indent=2) + "\n"


def layers_from_json(text: str) -> tuple[Layer, ...]:
    """Return the layers in a text, which may also be a whole recipe.

    Raises
    ------
    ValueError : the text is not a recipe, a setting is not valid, or there is no layer
    """
    layers = Recipe.from_json(text).layers
    if not layers:
        raise ValueError("This recipe has no layers")
    return layers
