# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that notices the end of a drag."""

from typing import Any

import bpy

from ..app.registration import registered
from ..live import dragging


@registered
class TERRAIN_OT_watch_drag(bpy.types.Operator):
    """Show all points of a terrain again when a drag of a setting ends"""

    bl_idname = "terrain.watch_drag"
    bl_label = "Watch Drag"
    bl_options = {"INTERNAL"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        if dragging.is_watching() and dragging.belongs_to_drag(event):
            return {"PASS_THROUGH"}
        dragging.end()
        return {"FINISHED", "PASS_THROUGH"}

    def cancel(self, context: bpy.types.Context) -> None:
        dragging.end()
