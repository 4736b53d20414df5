# SPDX-License-Identifier: GPL-3.0-or-later
"""What a terrain is coloured by in the viewport: its palette, or a mask that is looked at.

That is kept beside the recipe, not in it, and with it what the colours mean.
"""

from typing import Any

from bpy.props import EnumProperty, StringProperty

from ...core.analysis import FIELDS
from ...core.output import LAYER_MASKS, Legend, MaskView
from .declare import Update, enum_items

COLORS = "colors"
"""Stands for the palette, where masks have their names."""
ITEMS = enum_items(
    (
        (COLORS, "Colours", "The colours of the palette", "NONE"),
        (
            LAYER_MASKS,
            "Mask of the Active Layer",
            "Where the active layer acts: what all its masks come to, from 0 to 1",
            "NONE",
        ),
        *((name, field.label, field.help, "NONE") for name, field in FIELDS.items()),
    )
)
_TEXTS = ("text", "low", "high", "colors")


def shown_property(update: Update | None = None) -> Any:
    """The annotation of the choice."""
    return EnumProperty(
        name="Show",
        description="What the colours of the terrain stand for in the viewport and in renders; "
        "presets and baked images do not change",
        items=ITEMS,
        default=COLORS,
        options=set(),
        update=update,
    )


def legend_properties() -> dict[str, Any]:
    """What a property group declares that keeps a legend."""
    return {name: StringProperty(name=name.title(), options={"HIDDEN"}) for name in _TEXTS}


def shown_of(terrain: Any) -> MaskView | None:
    """The mask that is looked at, None for the palette."""
    if terrain.shown == COLORS:
        return None
    return MaskView(terrain.shown, terrain.active_layer if terrain.shown == LAYER_MASKS else -1)


def explain(terrain: Any, legend: Legend | None) -> None:
    """Keep what the colours mean beside them, so that undo and files have both."""
    legend = legend or Legend("")
    values = (legend.text, legend.low, legend.high, " ".join(legend.colors))
    for name, value in zip(_TEXTS, values, strict=True):
        setattr(terrain.legend, name, value)
