# SPDX-License-Identifier: GPL-3.0-or-later
"""What the windows tell of work in the background."""

import bpy


def redraw(progress: tuple[float, str] | None = None) -> None:
    """Draw the sidebars again, and tell the share done and what is at work in the status bar.

    Without work the status bar is Blender's own again.
    """
    text = None
    if progress:
        share, what = progress
        text = f"{what or 'Terrain'}: {share:.0%}. Esc stops it"
    manager = bpy.context.window_manager
    for window in manager.windows if manager else ():
        with bpy.context.temp_override(window=window):  # a timer has no window of its own
            window.workspace.status_text_set(text)
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type == "UI":
                        region.tag_redraw()
