# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages in panels, wrapped to the width of the region that they are drawn in."""

from collections.abc import Callable
from functools import partial
from typing import Any

import bpy

from . import widths

AROUND = 30
"""Pixels of a label beside its text: the icon and the padding."""


def notice(layout: Any, text: str, icon: Any) -> None:
    """Draw a message in as many lines as it needs, with an icon before the first."""
    context = bpy.context
    column = layout.column(align=True)
    column.scale_y = 0.8
    room = widths.content(context) - AROUND
    for line in wrapped(text, room, partial(widths.text, context)):
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
