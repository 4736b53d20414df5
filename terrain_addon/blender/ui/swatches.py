# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours in a panel that are there to be seen, not to be changed."""

from collections.abc import Iterable
from typing import Any

import bpy
import bpy.utils.previews

from ...core.numerics import srgb

SIDE = 32  # pixels of an icon

_made: list[Any] = []


def draw(layout: Any, codes: Iterable[str]) -> None:
    """A row of colours (sRGB, "#RRGGBB") side by side."""
    row = layout.row(align=True)
    for color in codes:
        row.label(text="", icon_value=_icon(color))


def _icon(color: str) -> int:
    """The number of an icon that is all of one colour, made when first asked for."""
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
