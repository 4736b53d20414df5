# SPDX-License-Identifier: GPL-3.0-or-later
"""What fits into a panel: the width of its content, of texts and of the column of labels."""

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
NAMES, MOST_NAMES = 0.4, 0.5
"""Share of the width for labels: Blender's own, and the largest."""
LONGEST_NAME = 97
"""Pixels that the longest label of a setting needs."""


def content(context: bpy.types.Context) -> float:
    """Width of a panel's content in pixels of an interface without scaling and zoom."""
    region: Any = context.region
    if not region or not context.area:
        return NARROWEST
    view = region.view2d
    (left, _), (right, _) = view.region_to_view(0, 0), view.region_to_view(region.width, 0)
    return max((right - left) / _scale(context) - BESIDE.get(context.area.type, 0), NARROWEST)


def text(context: bpy.types.Context, line: str) -> float:
    """Width of a text in a label, in the same pixels."""
    preferences, scale = context.preferences, _scale(context)
    blf.size(FONT, preferences.ui_styles[0].widget.points * scale)
    return blf.dimensions(FONT, line)[0] / scale


def names(context: bpy.types.Context) -> float:
    """Share of the width for the labels of settings, which a narrow sidebar would cut short."""
    return min(max(NAMES, LONGEST_NAME / content(context)), MOST_NAMES)


def field(context: bpy.types.Context) -> float:
    """Width of a text in the column of fields."""
    return (1 - names(context)) * content(context) - PADDING


def _scale(context: bpy.types.Context) -> float:
    return context.preferences.system.ui_scale or 1.0  # 0 without a window
