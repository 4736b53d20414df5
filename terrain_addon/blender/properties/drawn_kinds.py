# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of layers and masks that follow a shape, which the user can draw."""

from ...core.layers import LAYERS, MASKS, LayerKind, Mask
from ...core.settings import settings_of
from ...core.shapes import LINE

Kind = type[LayerKind] | type[Mask]
READY_MADE, BY_HAND, SELECTED = "READY_MADE", "BY_HAND", "SELECTED"
"""Where the curve of a new layer or mask comes from."""


def drawn_kinds() -> dict[str, Kind]:
    """Return the kinds with a setting of unit "shape" by key: layers, then masks."""
    every: list[Kind] = [*LAYERS.values(), *MASKS.values()]
    return {kind.key: kind for kind in every if any(s.unit == "shape" for s in settings_of(kind))}


def name_of(kind: Kind) -> str:
    """Return the name of a drawn shape of a kind; for a mask it is a line or an area."""
    if issubclass(kind, Mask):
        return "Line" if kind.drawn == LINE else "Area"
    return kind.label
