# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress of background jobs in Blender's windows."""

import bpy


def redraw(progress: tuple[float, str] | None = None) -> None:
    """Redraw the sidebars and show a share done (0 to 1) and a step in the status bar.

    Without progress the status bar is Blender's own again.
    """
    text = None
    if progress:
        share, what = progress
        text = f"{what or 'Terrain'}: {share:.0%}. Press Esc to cancel"
    manager = bpy.context.window_manager
    for window in manager.windows if manager else ():
        with bpy.context.temp_override(window=window):  # a timer has no window of its own
            window.workspace.status_text_set(text)
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type == "UI":
                        region.tag_redraw()
