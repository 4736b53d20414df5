# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists of layers and of colours."""

from typing import Any

import bpy

from ...core import LAYERS


class TERRAIN_UL_layers(bpy.types.UIList):
    """Layers, the first to act on top: kind, name, blend mode, eye"""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, *_: Any):  # type: ignore[override]
        kind = LAYERS.get(item.kind)
        row = layout.row(align=True)
        row.active = item.enabled
        row.prop(item, "name", text="", emboss=False, icon=kind.icon if kind else "QUESTION")
        row.prop(item, "blend", text="", icon_only=True, emboss=False)
        eye = "HIDE_OFF" if item.enabled else "HIDE_ON"
        row.prop(item, "enabled", text="", icon=eye, emboss=False)


class TERRAIN_UL_regions(bpy.types.UIList):
    """Colours from the highest down: colour, name, start"""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, *_: Any):  # type: ignore[override]
        row = layout.row(align=True)
        swatch = row.row()
        swatch.scale_x = 0.35
        swatch.prop(item, "color", text="")
        row.prop(item, "name", text="", emboss=False)
        start = row.row()
        start.alignment = "RIGHT"
        start.label(text=f"{item.start:.6g}")  # the button below has the decimals that fit

    def filter_items(self, context, data, property):  # type: ignore[override]
        """In order of height, the highest on top as on the land."""
        starts = [(n, item.start) for n, item in enumerate(getattr(data, property))]
        ordered = sorted(starts, key=lambda entry: -entry[1])
        places = [0] * len(ordered)
        for place, (n, _) in enumerate(ordered):
            places[n] = place
        return [], places


register, unregister = bpy.utils.register_classes_factory((TERRAIN_UL_layers, TERRAIN_UL_regions))
