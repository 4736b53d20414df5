# SPDX-License-Identifier: GPL-3.0-or-later
"""Help: a button in the header of each panel, and F1 on buttons and settings."""

import webbrowser
from typing import Any

import bpy
from bpy.props import StringProperty

from ..app import manual
from ..app.registration import registered


@registered
class TERRAIN_OT_help(bpy.types.Operator):
    """Open the page about this panel. F1 opens the one about the setting under the mouse"""

    bl_idname = "terrain.help"
    bl_label = "Help"
    bl_options = {"INTERNAL"}

    page: StringProperty(name="Page", description="Page of the manual", default=manual.GUIDE)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        webbrowser.open(manual.url(self.page))
        return {"FINISHED"}


class Helped:
    """Base of panels with a page of the manual."""

    page = manual.GUIDE
    layout: Any

    def page_in(self, context: bpy.types.Context) -> str:
        """Return the page about what the panel shows now."""
        return self.page

    def draw_before_help(self, context: bpy.types.Context) -> None:
        """Draw what the header of the panel ends with besides help."""

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        self.draw_before_help(context)
        row = self.layout.row()
        row.emboss = "NONE"
        button = row.operator("terrain.help", text="", icon="HELP")
        button.page = self.page_in(context)


def _manual_map() -> tuple[str, list[tuple[str, str]]]:
    return "", [(pattern, manual.url(page)) for pattern, page in manual.pages()]


def register() -> None:
    bpy.utils.register_manual_map(_manual_map)


def unregister() -> None:
    bpy.utils.unregister_manual_map(_manual_map)
