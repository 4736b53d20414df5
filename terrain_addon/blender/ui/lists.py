# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists of layers and of colors."""

from collections.abc import Sequence
from typing import Any

import bpy

from ...core.analysis import FIELDS
from ...core.layers import LAYERS, MASKS
from ..app.registration import registered
from ..properties.drawn_kinds import drawn_kinds
from ..properties.layer_tree import drawn_order, groups_over, is_group, tree_of
from ..properties.recipe import MASK
from . import widths
from .shape_faults import shapes_of_layer

ROOM_FOR_BLEND = 220
"""Pixels of content from which rows show the blend mode."""
BESIDE_NAME = 100
"""Pixels of content beside a name and the marks after it: the column of buttons, margins, and the
icons of kind and visibility."""
INDENT = 3.0
"""Width of an indent, in separators: that of the triangle of a group."""
MOST_INDENTS = 2
"""Of layers that are deeper in groups: a name needs room in a sidebar."""
SHAPE, MASKED, BLEND = "shape", "masked", "blend"
"""Marks after a name."""


def has_masks(item: Any) -> bool:
    """Return whether a mask of a layer is on."""
    return any(getattr(item, MASK + key).use for key in MASKS)


@registered
class TERRAIN_UL_layers(bpy.types.UIList):
    """Layers, the first to act on top: kind, name, shape, whether it has masks, blend mode,
    visibility.

    A group is above its layers, which are indented, and hides them when it is folded. A narrow
    list leaves marks to the panels below, for the sake of the name.
    """

    def draw_item(  # type: ignore[override]
        self, context, layout, data, item, icon, active_data, active_property, index=0, *_: Any
    ):
        kind, shapes = LAYERS.get(item.kind), list(shapes_of_layer(item))
        groups = groups_over(data, index)
        depth = min(len(groups), MOST_INDENTS)
        marks = marks_of(context, item, shapes, depth + is_group(item))
        row = layout.row(align=True)
        row.active = item.enabled and all(group.enabled for group in groups)
        if depth:
            row.separator(factor=INDENT * depth)
        if is_group(item):
            triangle = "RIGHTARROW" if item.folded else "DOWNARROW_HLT"
            row.prop(item, "folded", text="", icon=triangle, emboss=False)
        row.prop(item, "name", text="", emboss=False, icon=kind.icon if kind else "QUESTION")
        if SHAPE in marks:
            _shape_button(row, shapes)
        if MASKED in marks:
            mask = row.row()
            mask.ui_units_x = 1.0
            mask.label(text="", icon="MOD_MASK")
        if BLEND in marks:
            row.prop(item, "blend", text="", icon_only=True, emboss=False)
        eye = "HIDE_OFF" if item.enabled else "HIDE_ON"
        row.prop(item, "enabled", text="", icon=eye, emboss=False)

    def filter_items(self, context, data, property):  # type: ignore[override]
        """Put groups above their layers, and hide those of folded groups."""
        items = getattr(data, property)
        named = bpy.types.UI_UL_list.filter_items_by_name
        flags = named(self.filter_name, self.bitflag_filter_item, items, "name")
        if not any(map(is_group, items)):
            return flags, []
        order = drawn_order(tree_of(data))
        places = [order.index(n) for n in range(len(order))]
        if not flags:  # a name is searched for in folded groups too
            hidden = [any(g.folded for g in groups_over(data, n)) for n in range(len(items))]
            flags = [0 if hides else self.bitflag_filter_item for hides in hidden]
        return flags, places


def marks_of(
    context: bpy.types.Context, item: Any, shapes: Sequence[tuple[str, str]], depth: int = 0
) -> frozenset[str]:
    """Return the marks that there is room for after the name of a layer.

    The shape that a layer itself follows is one click away, and a fault is seen, in any list.
    ``shapes`` are names and faults, ``depth`` the number of indents before the name.
    """
    wide = widths.content(context) >= ROOM_FOR_BLEND
    needed = item.kind in drawn_kinds() or any(fault for _, fault in shapes)
    wanted = ((SHAPE, shapes), (MASKED, has_masks(item)), (BLEND, wide))
    beside = BESIDE_NAME + depth * widths.ICON
    room = widths.content(context) - beside - widths.text(context, item.name)
    marks: set[str] = set()
    for mark, there in wanted:
        if there and (room >= widths.ICON or (mark == SHAPE and needed)):
            marks.add(mark)
            room -= widths.ICON
    return frozenset(marks)


def _shape_button(row: Any, shapes: Sequence[tuple[str, str]]) -> None:
    """Draw a button that selects what a layer follows; red, with the reason, if that has not the
    effect that was meant."""
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
