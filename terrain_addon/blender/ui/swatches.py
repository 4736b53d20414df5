# SPDX-License-Identifier: GPL-3.0-or-later
"""Read-only colors in panels."""

from collections.abc import Iterable
from typing import Any

import bpy
import bpy.utils.previews

from ...core.numerics import srgb

SIDE = 32  # pixels of an icon

_made: list[Any] = []


def draw(layout: Any, codes: Iterable[str]) -> None:
    """Draw a row of colors (sRGB, "#RRGGBB")."""
    row = layout.row(align=True)
    for color in codes:
        row.label(text="", icon_value=_icon(color))


def _icon(color: str) -> int:
    """Return the id of an icon of a single color, created on first use."""
    icons = _made[-1]
    if color not in icons:
        pixel = (*srgb.channels(color), 1.0)
        icon = icons.new(color)
        icon.icon_size = (SIDE, SIDE)
        icon.icon_pixels_float = pixel * SIDE**2
    return icons[color].icon_id


def register() -> None:
    _made.append(bpy.utils.previews.new())


def unregister() -> None:
    bpy.utils.previews.remove(_made.pop())
