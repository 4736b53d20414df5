# SPDX-License-Identifier: GPL-3.0-or-later
"""What the colors of a terrain show: its palette, or a mask.

The choice and its legend are stored beside the recipe, not in it.
"""

from typing import Any

from bpy.props import EnumProperty, StringProperty

from ...core.analysis import FIELDS
from ...core.output import LAYER_MASKS, Legend, MaskView
from .declare import Update, enum_items

COLORS = "colors"
"""Stands for the palette; masks have their own names."""
ITEMS = enum_items(
    (
        (COLORS, "Colors", "The colors of the palette", "NONE"),
        (
            LAYER_MASKS,
            "Mask of the Active Layer",
            "Where the active layer acts: all its masks combined, from 0 to 1",
            "NONE",
        ),
        *((name, field.label, field.help, "NONE") for name, field in FIELDS.items()),
    )
)
_TEXTS = ("text", "low", "high", "colors")


def mask_view_property(update: Update | None = None) -> Any:
    """Return the annotation that declares the choice of a mask to show."""
    return EnumProperty(
        name="Color By",
        description="What the colors of the terrain show in the viewport and in renders. "
        "Presets and baked images do not change",
        items=ITEMS,
        default=COLORS,
        options=set(),
        update=update,
    )


def legend_properties() -> dict[str, Any]:
    """Declare the properties of a group that stores a legend."""
    return {name: StringProperty(name=name.title(), options={"HIDDEN"}) for name in _TEXTS}


def mask_view_of(terrain: Any) -> MaskView | None:
    """Return the mask to show, or None for the palette."""
    if terrain.mask_view == COLORS:
        return None
    return MaskView(
        terrain.mask_view, terrain.active_layer if terrain.mask_view == LAYER_MASKS else -1
    )


def explain(terrain: Any, legend: Legend | None) -> None:
    """Store the legend of the colors on the mesh, for undo and files."""
    legend = legend or Legend("")
    values = (legend.text, legend.low, legend.high, " ".join(legend.colors))
    for name, value in zip(_TEXTS, values, strict=True):
        if getattr(terrain.legend, name) != value:  # to write one takes 0.3 ms
            setattr(terrain.legend, name, value)
