# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake images of a terrain, and reproduce it by a Displace modifier."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import bpy

from ...core import Bake, Settings, settings_of
from .. import bake_jobs, displace
from ..baking import Output, Plan
from ..fields import blender_property, from_blender
from ..recipes import read, read_settings
from .base import OnTerrain, Result, reporting

S = TypeVar("S", bound=Settings)


class TERRAIN_OT_bake(OnTerrain):
    """Make an image of the terrain, as fine as you like whatever the mesh shows"""

    bl_idname = "terrain.bake"
    bl_label = "Bake Image"
    bl_options = {"UNDO"}

    in_background = False
    """A script waits for the image, a button does not."""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        self.in_background = not bpy.app.background
        return self.execute(context)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        plan = self._plan(context)
        if self.in_background:
            bake_jobs.start(plan)
            return {"FINISHED"}
        with _progress(context) as progress:
            made = plan.make(progress)
        self.report({"INFO"}, str(plan.store(made)))
        return {"FINISHED"}

    def _plan(self, context: bpy.types.Context) -> Plan:
        terrain = self.subject(context)[1]
        return Plan.of(
            self.subject_object(context),
            read(terrain),
            self._settings(Bake, terrain.bake),
            self._settings(Output, terrain.bake),
        )

    def _settings(self, cls: type[S], group: Any) -> S:
        """As given to the operator, the rest as the terrain's panel shows it."""
        given = {
            one.name: from_blender(one, getattr(self, one.name))
            for one in settings_of(cls)
            if self.properties.is_property_set(one.name)
        }
        return cls(**(read_settings(group, cls) | given))


for _one in (*settings_of(Bake), *settings_of(Output)):
    TERRAIN_OT_bake.__annotations__[_one.name] = blender_property(_one, None)


@contextmanager
def _progress(context: bpy.types.Context) -> Iterator[Any]:
    """Blender's progress at the mouse pointer."""
    manager = context.window_manager
    manager.progress_begin(0, 100)
    try:
        yield lambda share, text: manager.progress_update(int(100 * share))
    finally:
        manager.progress_end()


class TERRAIN_OT_displace_setup(OnTerrain):
    """Add a flat copy that a Displace modifier and a displacement image turn into the terrain"""

    bl_idname = "terrain.displace_setup"
    bl_label = "Add Displaced Copy"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        made = displace.flat_copy(self.subject_object(context))
        for item in context.selected_objects:
            item.select_set(False)
        made.select_set(True)
        context.view_layer.objects.active = made
        return {"FINISHED"}


register, unregister = bpy.utils.register_classes_factory(
    (TERRAIN_OT_bake, TERRAIN_OT_displace_setup)
)
