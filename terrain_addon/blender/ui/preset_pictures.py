# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets as a grid of pictures."""

from typing import Any

import bpy

from ...core import presets
from ..properties import user_presets

COLUMNS = 5
SIZE = 5.0
"""Width of a picture in the height of a button."""
SPACES = " " * 30
"""As wide as a picture: in menus, only texts make a column wide."""
LONGEST = 18
"""Characters of a name that are shown."""
MOST_PICTURES = 20
"""Presets of the user that are shown with pictures; if there are more, all are names."""


def draw(layout: Any, operator: str) -> Any:
    """Draw a button for each preset, with the operator that takes it; returns the row of columns.

    Presets are arranged in rows, drawn as columns: menus have no grids. Each group of presets
    begins a row below its heading.
    """
    groups, own = user_presets.built_in_groups(), user_presets.users_own()
    pictured = len(own) <= MOST_PICTURES
    row = layout.row()
    for number in range(COLUMNS):
        column = row.column()
        column.operator_context = "EXEC_REGION_WIN"
        for heading, names in groups.items():
            if heading:
                column.separator()
                column.label(text="" if number else heading)
            for place in range(number, len(names) + -len(names) % COLUMNS, COLUMNS):
                _preset(column, operator, names[place] if place < len(names) else "")
        if own:
            column.separator()
        for name in own[number::COLUMNS]:
            _preset(column, operator, name, pictured=pictured)
        spacer = column.column()
        spacer.scale_y = 0.1
        spacer.label(text=SPACES)
    return row


def _preset(layout: Any, operator: str, name: str, *, pictured: bool = True) -> None:
    """Draw a picture and a button, or leave room for them if there is no name."""
    if pictured:
        picture = user_presets.icon(name) if name else _icon("BLANK1")
        layout.template_icon(picture or _icon("USER"), scale=SIZE)
    if name:
        text = presets.label(name)
        text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}\N{HORIZONTAL ELLIPSIS}"
        layout.operator(operator, text=text).preset = name
    else:
        layout.label(text="")


def _icon(name: str) -> int:
    """Return the number of one of Blender's icons."""
    layout: Any = bpy.types.UILayout.bl_rna
    return layout.functions["label"].parameters["icon"].enum_items[name].value
