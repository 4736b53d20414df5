# SPDX-License-Identifier: GPL-3.0-or-later
"""What fits into a panel: widths of its content, of texts and of labels, and wrapped messages."""

from collections.abc import Callable
from functools import partial
from typing import Any

import blf
import bpy

FONT = 0
"""The font of the interface."""
BESIDE = {"VIEW_3D": 56, "PROPERTIES": 36}
"""Pixels of a region beside the content of its panels, by editor: margins, tabs or scroll bar."""
NARROWEST = 120
"""Pixels of content at least, for a region that is being opened."""
PADDING = 16
"""Pixels beside the text of a label."""
AROUND = 30
"""The same with an icon."""
NAMES, MOST_NAMES = 0.4, 0.5
"""Share of the width for labels: Blender's own, and the largest."""
LONGEST_NAME = 97
"""Pixels that the longest label of a setting needs."""
CHECKBOX = 26
"""Pixels of a checkbox beside its text."""
CHOICE, ICON = 34, 20
"""Pixels of a menu beside the name of its choice, and of an icon before that."""


def content(context: bpy.types.Context) -> float:
    """Return the width of a panel's content in pixels of an interface without scaling and zoom."""
    region: Any = context.region
    if not region or not context.area:
        return NARROWEST
    view = region.view2d
    (left, _), (right, _) = view.region_to_view(0, 0), view.region_to_view(region.width, 0)
    return max((right - left) / _scale(context) - BESIDE.get(context.area.type, 0), NARROWEST)


def text(context: bpy.types.Context, line: str) -> float:
    """Return the width of a text in a label, in the same pixels."""
    preferences, scale = context.preferences, _scale(context)
    blf.size(FONT, preferences.ui_styles[0].widget.points * scale)
    return blf.dimensions(FONT, line)[0] / scale


def names(context: bpy.types.Context) -> float:
    """Return the share of the width for the labels of settings, which a narrow sidebar would cut
    short."""
    return min(max(NAMES, LONGEST_NAME / content(context)), MOST_NAMES)


def before_checkbox(context: bpy.types.Context, name: str) -> float:
    """Return the share of the width left of a checkbox with that text: less if the text needs more
    room."""
    room = text(context, name) + CHECKBOX
    return max(min(names(context), 1 - room / content(context)), 0.0)


def before_choice(context: bpy.types.Context, name: str, choice: Any) -> float:
    """Return the share of the width left of a menu with that choice, an item of an enum: less if
    the choice needs more room, but what the label needs."""
    room = text(context, choice.name) + CHOICE + (ICON if choice.icon != "NONE" else 0)
    least = (text(context, name) + PADDING) / content(context)
    return min(names(context), max(1 - room / content(context), least))


def field(context: bpy.types.Context) -> float:
    """Return the width of a text in the column of fields."""
    return (1 - names(context)) * content(context) - PADDING


def _scale(context: bpy.types.Context) -> float:
    return context.preferences.system.ui_scale or 1.0  # 0 without a window


def notice(layout: Any, message: str, icon: Any) -> None:
    """Draw a message in as many lines as it needs, with an icon before the first."""
    context = bpy.context
    column = layout.column(align=True)
    column.scale_y = 0.8
    for line in wrapped(message, content(context) - AROUND, partial(text, context)):
        column.label(text=line, icon=icon)
        icon = "BLANK1"


def wrapped(message: str, room: float, width: Callable[[str], float]) -> list[str]:
    """Return the lines of a message, none wider than ``room``; longer words, as in paths, are
    divided."""
    lines = [""]
    for word in message.split():
        joined = f"{lines[-1]} {word}".strip()
        if width(joined) <= room:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if lines[-1] and width(lines[-1] + letter) > room:
                lines.append("")
            lines[-1] += letter
    return lines
