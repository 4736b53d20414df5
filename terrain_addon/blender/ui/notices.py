# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages in panels, wrapped to the width of the region that they are drawn in."""

from collections.abc import Callable
from typing import Any

import blf
import bpy

FONT = 0
"""The font of the interface."""
MARGINS = {"VIEW_3D": 64, "PROPERTIES": 44}
"""Pixels beside the text of a label that a panel needs, by editor, without its icon."""
ICON = 22
NARROWEST = 60
"""Pixels of text at least: in a region that is being opened, words would be cut into letters."""


def notice(layout: Any, text: str, icon: Any) -> None:
    """Draw a message in as many lines as it needs, with an icon before the first."""
    column = layout.column(align=True)
    column.scale_y = 0.8
    for line in wrapped(text, _room(bpy.context), _measure(bpy.context)):
        column.label(text=line, icon=icon)
        icon = "BLANK1"


def wrapped(text: str, room: float, width: Callable[[str], float]) -> list[str]:
    """The lines of a text, none wider than ``room``; longer words, such as paths, are divided."""
    lines = [""]
    for word in text.split():
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


def _room(context: bpy.types.Context) -> float:
    """Width of a line in pixels at the zoom 1 of the region."""
    region: Any = context.region
    view = region.view2d
    (left, _), (right, _) = view.region_to_view(0, 0), view.region_to_view(region.width, 0)
    margin = MARGINS.get(context.area.type, 0) if context.area else 0
    scale = context.preferences.system.ui_scale
    return max(right - left - (margin + ICON) * scale, NARROWEST * scale)


def _measure(context: bpy.types.Context) -> Callable[[str], float]:
    """A function that returns the width of a text in the font of labels."""
    preferences = context.preferences
    points = preferences.ui_styles[0].widget.points
    blf.size(FONT, points * preferences.system.ui_scale)
    return lambda text: blf.dimensions(FONT, text)[0]
