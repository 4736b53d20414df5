# SPDX-License-Identifier: GPL-3.0-or-later
"""The place of a scene on the Earth."""

import bpy

from ..app.registration import registered
from ..data import scene_place
from .base import Result


@registered
class TERRAIN_OT_clear_place(bpy.types.Operator):
    """Forget where this scene lies: the next terrain from an elevation file decides it anew"""

    bl_idname = "terrain.clear_place"
    bl_label = "Clear Place"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not scene_place.is_placed(context.scene):
            cls.poll_message_set("The scene has no place")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> Result:
        scene_place.clear(context.scene)
        return {"FINISHED"}
