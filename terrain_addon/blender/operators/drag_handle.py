# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that a handle in the viewport calls: it follows the mouse."""

from collections.abc import Mapping
from typing import Any, cast

import bpy
from bpy.props import IntProperty
from bpy_extras import view3d_utils
from mathutils import Vector

from ...core.layers import LAYERS, Handle
from ...core.settings import settings_of
from ..app.registration import registered
from ..data import units
from ..data.terrains import active_layer
from ..live import rebuild
from ..live.callbacks import changed
from ..objects import handles
from .base import OnTerrain, Result

PRECISION = 0.1
"""Speed while Shift is held, as everywhere in Blender."""


@registered
class TERRAIN_OT_drag_handle(OnTerrain):
    """Drag a handle of the active layer. Shift: precisely. Esc or right mouse button: cancel"""

    bl_idname = "terrain.drag_handle"
    bl_label = "Drag Handle"
    bl_options = {"INTERNAL", "UNDO", "BLOCKING"}

    number: IntProperty(
        name="Number", description="Which handle of the layer, from 0 on", default=0, min=0
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        mesh = self.subject(context)[0]
        every = handles.handles_of(mesh)
        if self.number >= len(every):
            return {"CANCELLED"}
        self._handle: Handle = every[self.number]
        self._place = handles.place_of(mesh, self._handle, self.number)
        self._start = self._place.copy()
        mouse = self._under_mouse(context, event)
        if mouse is None:
            return {"CANCELLED"}
        self._last = mouse
        self._before = self._values(context)
        moved = handles.moved_object(self._handle)
        self._transform = moved.matrix_world.copy() if moved else None
        handles.dragged.number, handles.dragged.height = self.number, self._place.z
        self._show(context)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        if event.type == "MOUSEMOVE":
            self._follow(context, event)
        elif event.type == "LEFTMOUSE" and event.value == "RELEASE":
            return self._end(context, {"FINISHED"})
        elif event.type in ("ESC", "RIGHTMOUSE") and event.value == "PRESS":
            self.cancel(context)
            return {"CANCELLED"}
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Put everything back."""
        self._write(context, self._before, self._start)
        self._end(context, {"CANCELLED"})

    def _follow(self, context: bpy.types.Context, event: bpy.types.Event) -> None:
        """Move the handle as far as the mouse has moved over the level of its height."""
        mouse = self._under_mouse(context, event)
        if mouse is None:
            return
        self._place += (mouse - self._last) * (PRECISION if event.shift else 1.0)
        self._last = mouse
        self._write(context, self._handle.moved(self._place.x, self._place.y), self._place)
        self._show(context)

    def _write(
        self, context: bpy.types.Context, values: Mapping[str, float], place: Vector
    ) -> None:
        """Give the settings values, with one rebuild, or the object its place."""
        moved = handles.moved_object(self._handle)
        if moved and self._transform:
            terrain = self.subject_object(context)
            moved.matrix_world = handles.moved_by(terrain, self._transform, place - self._start)
        if values:
            group = self._settings(context)
            with rebuild.quiet():
                for name, value in values.items():
                    setattr(group, name, value)
            changed(group, context)

    def _end(self, context: bpy.types.Context, result: Result) -> Result:
        handles.dragged.number = -1
        context.area.header_text_set(None)
        context.area.tag_redraw()
        return result

    def _show(self, context: bpy.types.Context) -> None:
        """Show the values in the header."""
        group, kind = self._settings(context), LAYERS[self._layer(context).kind]
        declared = {setting.name: setting for setting in settings_of(kind)}
        texts = [
            f"{declared[name].label}: {units.value(declared[name], getattr(group, name))}"
            for name in self._before
        ]
        context.area.header_text_set("   ".join(texts) or self._handle.label)

    def _values(self, context: bpy.types.Context) -> dict[str, float]:
        """Return the values of the settings that the handle changes."""
        group = self._settings(context)
        return {name: getattr(group, name) for name in self._handle.moved(*self._handle.place)}

    def _settings(self, context: bpy.types.Context) -> Any:
        """Return the settings of the layer, which are looked up each time."""
        item = self._layer(context)
        return getattr(item, item.kind)

    def _layer(self, context: bpy.types.Context) -> Any:
        return active_layer(self.subject(context)[1])

    def _under_mouse(self, context: bpy.types.Context, event: bpy.types.Event) -> Vector | None:
        """Return the place under the mouse, at the height of the handle."""
        region, view = context.region, cast(Any, context.space_data).region_3d
        mouse = event.mouse_x - region.x, event.mouse_y - region.y
        origin = view3d_utils.region_2d_to_origin_3d(region, view, mouse)
        direction = view3d_utils.region_2d_to_vector_3d(region, view, mouse)
        return handles.under_mouse(self.subject_object(context), origin, direction, self._start.z)
