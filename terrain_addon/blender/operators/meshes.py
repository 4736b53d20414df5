# SPDX-License-Identifier: GPL-3.0-or-later
"""Make levels of detail and solids for printing from a terrain."""

from typing import Any

import bpy
from bpy.props import BoolProperty, StringProperty

from ...core.output.triangulation import LevelSettings, SolidSettings
from ...core.settings import Settings, settings_of
from ..app.registration import registered
from ..data.terrains import own_collections
from ..live import rebuild
from ..mesh.drawn_shapes import suggestions
from ..objects import triangle_meshes
from ..properties.declare import blender_property
from ..properties.recipe import read_bare, read_settings
from .base import OnTerrain, Result, reporting

WIDTH = 320
"""Pixels of the dialogs."""


class _Making(OnTerrain):
    """Base of operators with a dialog that make objects from the mesh of a terrain as it is."""

    reads_only = True

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        if bpy.app.background:
            return self.execute(context)
        return context.window_manager.invoke_props_dialog(self, width=WIDTH, confirm_text="Make")

    def terrain(self, context: bpy.types.Context) -> bpy.types.Object:
        """Return the terrain; ValueError while its mesh is not what its recipe describes."""
        item = self.subject_object(context)
        if rebuild.is_unfinished(self.subject(context)[0]):
            raise ValueError("The mesh shows a preview: wait until the terrain is rebuilt")
        return item

    def draw_settings(self, cls: type[Settings], *more: str) -> None:
        """Draw the settings that have an effect."""
        layout: Any = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        known = {setting.name: setting for setting in settings_of(cls)}
        for one in known.values():
            if one.has_effect(self, known):
                column.prop(self, one.name)
        for name in more:
            column.prop(self, name)


@registered
class TERRAIN_OT_levels_of_detail(_Making):
    """Make meshes of fewer triangles for an engine, with a stated vertical error"""

    bl_idname = "terrain.levels_of_detail"
    bl_label = "Make Level-of-Detail Meshes"

    gltf_names: BoolProperty(
        name="glTF Attributes",
        description="Also store fields under names that begin with an underscore, as glTF files "
        "need",
        default=True,
    )
    hide_terrain: BoolProperty(
        name="Hide Terrain",
        description="Hide the terrain itself, which is in the same place, also in renders",
        default=True,
    )

    def draw(self, context: bpy.types.Context) -> None:
        self.draw_settings(LevelSettings, "gltf_names", "hide_terrain")

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        item = self.terrain(context)
        collection, levels = triangle_meshes.add_levels(
            item,
            read_bare(self.subject(context)[1]),
            LevelSettings(**read_settings(self, LevelSettings)),
            own_collections(context, item.users_collection)[0],
            context.view_layer,
            gltf_names=self.gltf_names,
        )
        counts = ", ".join(str(level.triangles) for level in levels)
        errors = ", ".join(f"{level.error:.3g}" for level in levels)
        self.report({"INFO"}, f"{counts} triangles, error at most {errors} m")
        context.view_layer.update()
        _select(context, triangle_meshes.finest(collection))
        if self.hide_terrain:
            item.hide_set(True)
            item.hide_render = True
        return {"FINISHED"}


@registered
class TERRAIN_OT_solid(_Making):
    """Make a watertight solid of the terrain with a flat base, one unit for each millimeter"""

    bl_idname = "terrain.solid"
    bl_label = "Make Solid for Printing"

    outline: StringProperty(
        name="Outline",
        description="Closed curve or collection at which the solid ends; without one, it is the "
        "whole terrain",
        search=suggestions,
        options={"SKIP_SAVE"},
    )

    def draw(self, context: bpy.types.Context) -> None:
        self.draw_settings(SolidSettings, "outline")

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        item = self.terrain(context)
        made, error = triangle_meshes.add_solid(
            item,
            SolidSettings(**read_settings(self, SolidSettings)),
            own_collections(context, item.users_collection)[0],
            self.outline,
        )
        context.view_layer.update()
        _select(context, [made])
        size = " x ".join(f"{side:.4g}" for side in made.dimensions)
        count = len(made.data.polygons)  # type: ignore[union-attr]
        text = f"{size} mm, {count} triangles, error at most {error:.2g} mm"
        self.report({"INFO"}, text)
        return {"FINISHED"}


def _select(context: bpy.types.Context, items: list[bpy.types.Object]) -> None:
    for one in context.selected_objects:
        one.select_set(False)
    for one in items:
        one.select_set(True)
    context.view_layer.objects.active = items[0]


for _cls, _settings in (
    (TERRAIN_OT_levels_of_detail, LevelSettings),
    (TERRAIN_OT_solid, SolidSettings),
):
    for _one in settings_of(_settings):
        _cls.__annotations__[_one.name] = blender_property(_one, None)
