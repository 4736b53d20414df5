# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists of layers and of colors."""

from typing import Any

import bpy

from ...core.analysis import FIELDS
from ...core.layers import LAYERS, MASKS
from ..app.registration import registered
from ..properties.recipe import MASK
from . import widths
from .shape_faults import shapes_of_layer

ROOM_FOR_BLEND = 220
"""Pixels of content from which a row has room for the blend mode beside a name."""


def has_masks(item: Any) -> bool:
    """Return whether a mask of a layer is on."""
    return any(getattr(item, MASK + key).use for key in MASKS)


@registered
class TERRAIN_UL_layers(bpy.types.UIList):
    """Layers, the first to act on top: kind, name, whether it has masks, blend mode, visibility.

    A narrow list leaves the blend mode to the panel below, for the sake of the name.
    """

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, *_: Any):  # type: ignore[override]
        kind = LAYERS.get(item.kind)
        row = layout.row(align=True)
        row.active = item.enabled
        row.prop(item, "name", text="", emboss=False, icon=kind.icon if kind else "QUESTION")
        _shape_button(row, item)
        if has_masks(item):
            mask = row.row()
            mask.ui_units_x = 1.0
            mask.label(text="", icon="MOD_MASK")
        if widths.content(context) >= ROOM_FOR_BLEND:
            row.prop(item, "blend", text="", icon_only=True, emboss=False)
        eye = "HIDE_OFF" if item.enabled else "HIDE_ON"
        row.prop(item, "enabled", text="", icon=eye, emboss=False)


def _shape_button(row: Any, item: Any) -> None:
    """Draw a button that selects what a layer follows; red, with the reason, if that has not the
    effect that was meant."""
    shapes = list(shapes_of_layer(item))
    if shapes:
        name, said = next((shape for shape in shapes if shape[1]), shapes[0])
        part = row.row(align=True)
        part.alert = bool(said)
        icon = "ERROR" if said else "RESTRICT_SELECT_OFF"
        button = part.operator("terrain.select_shape", text="", icon=icon, emboss=False)
        button.shape, button.note = name, said


@registered
class TERRAIN_UL_regions(bpy.types.UIList):
    """Colors from top to bottom: color, name, start or field"""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, *_: Any):  # type: ignore[override]
        row = layout.row(align=True)
        swatch = row.row()
        swatch.scale_x = 0.35
        swatch.prop(item, "color", text="")
        row.prop(item, "name", text="", emboss=False)
        start = row.row()
        start.alignment = "RIGHT"
        field = FIELDS.get(item.based_on)
        # The button below the list shows heights in full.
        start.label(text=field.label if field else f"{item.start:.6g}")

    def filter_items(self, context, data, property):  # type: ignore[override]
        """Sort by height, the highest on top; colors by fields are above them."""
        entries = [
            (n, item.based_on in FIELDS, item.start)
            for n, item in enumerate(getattr(data, property))
        ]
        by_field = [n for n, field, _ in reversed(entries) if field]
        by_height = [n for n, field, _ in sorted(entries, key=lambda e: -e[2]) if not field]
        places = [0] * len(entries)
        for place, n in enumerate(by_field + by_height):
            places[n] = place
        return [], places
