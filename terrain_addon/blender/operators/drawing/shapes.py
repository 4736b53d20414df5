# SPDX-License-Identifier: GPL-3.0-or-later
"""Select the curve that a layer or mask follows, draw a missing one anew, and end a drawing."""

from typing import Any

import bpy
from bpy.props import StringProperty

from ....core.shapes import PLACE
from ...app.registration import registered
from ...data.terrains import problem
from ...live import rebuild
from ...mesh import drawn_shapes
from ...objects import drawn_objects
from ...properties.drawn_kinds import drawn_kinds, name_of
from ...properties.recipe import MASK
from ..add import activate
from ..base import UNSEEN, OnSetting, OnTerrain, Result, reporting
from .draw import start_drawing


@registered
class TERRAIN_OT_select_shape(OnTerrain):
    """Select what this layer or mask follows, to move it or to edit its points (Tab)"""

    bl_idname = "terrain.select_shape"
    bl_label = "Select Curve"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}  # of one row, not for search

    shape: StringProperty(
        name="Shape", description="Name of an object or a collection", options=UNSEEN
    )
    note: StringProperty(
        name="Note", description="What the button says below the mouse", options=UNSEEN
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        reason = problem(context, reading=True, setting=True)
        if reason:
            cls.poll_message_set(reason)
        return not reason

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        return properties.note or cls.__doc__ or ""

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        items = list(drawn_shapes.objects([self.shape]).values())
        if not items:
            raise ValueError(drawn_shapes.missing(self.shape))
        layer = context.view_layer
        hidden = [item.name for item in items if item.name not in layer.objects]
        if hidden:
            raise ValueError(f"{hidden[0]!r} is in a collection that is off: turn it on to select")
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        for item in list(context.selected_objects):
            item.select_set(False)
        for item in items:
            item.hide_set(False)
            item.select_set(True)
        layer.objects.active = items[0]
        return {"FINISHED"}


@registered
class TERRAIN_OT_redraw(OnSetting):
    """Draw a new curve for this layer or mask, in place of the one that is missing"""

    bl_idname = "terrain.redraw"
    bl_label = "Redraw"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}  # of one row, not for search

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        owner = self.subject_object(context)
        group = self.group(mesh, terrain)
        key = group.path_from_id().rpartition(".")[2].removeprefix(MASK)
        kind = drawn_kinds()[key]
        name = getattr(group, self.setting) or f"{owner.name} {name_of(kind)}"
        with rebuild.one_rebuild(mesh):
            item = drawn_objects.add(context, owner, name, kind)
            setattr(group, self.setting, item.name)
            if hasattr(group, "use"):  # a mask
                group.use = True
        activate(context, item)
        if kind.drawn != PLACE:
            start_drawing(context)
        return {"FINISHED"}


@registered
class TERRAIN_OT_end_drawing(bpy.types.Operator):
    """Return to Object Mode: the curve is done"""

    bl_idname = "terrain.end_drawing"
    bl_label = "End Drawing"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}  # a key; Tab does the same

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.mode == "EDIT_CURVE" and drawn_objects.is_drawn(context.object)

    def execute(self, context: bpy.types.Context) -> Result:
        bpy.ops.object.mode_set(mode="OBJECT")
        return {"FINISHED"}
