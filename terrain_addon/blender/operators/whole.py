# SPDX-License-Identifier: GPL-3.0-or-later
"""What is done with a terrain as a whole: scale it, light it, make it an ordinary mesh."""

import bpy
from bpy.props import FloatProperty

from ...core import scaled
from .. import live, retarget, scenery
from ..recipes import rewrite
from ..shown import COLORS
from .base import OnTerrain, Result, reporting


class TERRAIN_OT_scale(OnTerrain):
    """Make the same land larger or smaller: its extent, its forms and their heights alike"""

    bl_idname = "terrain.scale"
    bl_label = "Scale Land"

    factor: FloatProperty(
        name="Factor",
        description="What all that is measured in metres is multiplied with",
        default=2.0,
        min=1e-4,
        max=1e4,
        soft_min=0.1,
        soft_max=10.0,
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        return context.window_manager.invoke_props_dialog(self)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        with live.one_rebuild(mesh):
            rewrite(terrain, lambda recipe: scaled(recipe, self.factor))
        if retarget.is_animated(mesh):
            self.report({"WARNING"}, "Keys and drivers keep their values: scale them by hand")
        return {"FINISHED"}


class TERRAIN_OT_scenery(OnTerrain):
    """Give the scene a sun, a sky and a camera that sees the whole terrain"""

    bl_idname = "terrain.scenery"
    bl_label = "Add Sun, Sky and Camera"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        context.view_layer.update()
        scenery.set_up(context.scene, self.subject_object(context))
        return {"FINISHED"}


class TERRAIN_OT_make_plain(OnTerrain):
    """Keep the mesh as it is now and forget how it was made: no setting changes it any more"""

    bl_idname = "terrain.make_plain"
    bl_label = "Make Plain Mesh"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        retarget.forget(mesh)
        if terrain.shown != COLORS:
            with live.quiet():
                terrain.shown = COLORS
            live.request(mesh, None)
        with live.quiet():
            mesh.property_unset("terrain")
        return {"FINISHED"}


register, unregister = bpy.utils.register_classes_factory(
    (TERRAIN_OT_scale, TERRAIN_OT_scenery, TERRAIN_OT_make_plain)
)
