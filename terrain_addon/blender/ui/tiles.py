# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons of menus with a large picture above their name.

Blender draws the icon of an operator small, and a large one as a label, on which clicks do nothing.
So a button without a text is drawn first, as high as picture and name, in a layout that takes no
room. The picture is drawn over it and lets every click through. The name is a button too: for keys,
and for Blender's search.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import bpy

from . import widths

UNIT = 20
"""Pixels of a button's height."""
NAME = 1.3
"""Height of a name with the gap above it, in buttons."""
MARGIN = 4
"""Pixels left of the text of a button."""
NO_ROOM = 0.001
"""A height in buttons that is not 0, which would mean the height of the content."""


class Tile(NamedTuple):
    """A button: its name, the number of its picture (0: none), its operator's properties, and its
    operator if it is not that of the others."""

    text: str
    picture: int
    values: Mapping[str, str]
    operator: str = ""


def draw(
    layout: Any, operator: str, groups: Mapping[str, Sequence[Tile]], columns: int, size: float
) -> Any:
    """Draw buttons of an operator in rows, each group below its heading; return the row of columns.

    Menus have no grids, so rows are drawn as columns. What is drawn in the menu after a row of
    columns appears beside its last one: draw all pictures of a menu at once. ``size`` is the
    side of a picture in the height of a button.
    """
    row, first = layout.row(), next(iter(groups))
    for number in range(columns):
        column = row.column()
        column.operator_context = "EXEC_REGION_WIN"
        for heading, tiles in groups.items():
            if heading:
                if heading != first:
                    column.separator()
                column.label(text="" if number else heading)
            for tile in tiles[number::columns]:
                _draw(column, operator, tile, size)
            if tiles and 0 < len(tiles) % columns <= number:
                _draw_blank(column, tiles[-1], size)
        spacer = column.column()
        spacer.scale_y = NO_ROOM
        spacer.label(text=" " * round(size * UNIT / _space()))
    return row


def _draw(column: Any, usual: str, tile: Tile, size: float) -> None:
    operator = tile.operator or usual
    if tile.picture:
        below = _below(column)
        below.scale_y = size + NAME
        _set(below.operator(operator, text=""), tile.values)
        column.template_icon(tile.picture, scale=size)
    _set(column.operator(operator, text=_centered(tile.text, size)), tile.values)


def _below(column: Any) -> Any:
    """Return a layout that takes no room: what comes after it is drawn over its content."""
    below = column.column()
    below.ui_units_y = NO_ROOM
    return below


def _set(button: Any, values: Mapping[str, str]) -> None:
    for name, value in values.items():
        setattr(button, name, value)


def _draw_blank(column: Any, like: Tile, size: float) -> None:
    """Leave room for a tile."""
    if like.picture:
        _below(column).label(text="")
        column.template_icon(icon("BLANK1"), scale=size)
    column.label(text="")


def _centered(text: str, size: float) -> str:
    """Return a name after as many spaces as bring it into the middle below a picture."""
    room = size * UNIT - widths.text(bpy.context, text)
    return " " * max(round((room / 2 - MARGIN) / _space()), 0) + text


def _space() -> float:
    """Return the width of a space in pixels."""
    bars = [widths.text(bpy.context, f"|{' ' * count}|") for count in (0, 20)]
    return max((bars[1] - bars[0]) / 20, 1.0)


def icon(name: str) -> int:
    """Return the number of one of Blender's icons."""
    layout: Any = bpy.types.UILayout.bl_rna
    return layout.functions["label"].parameters["icon"].enum_items[name].value
