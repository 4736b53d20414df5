# SPDX-License-Identifier: GPL-3.0-or-later
"""Fit a terrain to an elevation file: start, finish, cancel, and choose among the best."""

import dataclasses
from pathlib import Path

import bpy
from bpy.props import FloatProperty, IntProperty, StringProperty

from ...core import Recipe, formats, presets
from ..app.fitting import fit_search
from ..app.preferences import computes_in_background
from ..app.registration import registered
from ..live import rebuild
from ..properties import user_presets
from ..properties.recipe import read, write
from .add import kept_in_view
from .base import OnTerrain, Result, reporting


@registered
class TERRAIN_OT_fit(OnTerrain):
    """Find settings with which this terrain measures like the one in an elevation file"""

    bl_idname = "terrain.fit"
    bl_label = "Fit to Elevation"
    bl_options = {"REGISTER"}

    reads_only = True

    filepath: StringProperty(
        name="File", description="File of elevations", subtype="FILE_PATH", options={"SKIP_SAVE"}
    )
    filter_glob: StringProperty(
        description="Files shown",
        default=";".join(f"*{suffix}" for suffix in formats.readable()),
        options={"HIDDEN"},
    )
    seconds: FloatProperty(
        name="Seconds",
        description="How long to search, at most. You can finish early",
        default=120.0,
        min=1.0,
        soft_max=600.0,
        precision=0,
    )
    spacing: FloatProperty(
        name="Spacing",
        description="Meters between heights; 0: as the file states",
        default=0.0,
        min=0.0,
        subtype="DISTANCE",
    )
    wait = True
    """Whether to wait for the end: scripts do."""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        self.wait = not computes_in_background(context)
        if not self.filepath:
            context.window_manager.fileselect_add(self)
            return {"RUNNING_MODAL"}
        return self.execute(context)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        path = Path(bpy.path.abspath(self.filepath))
        formats.check_suffix(path, formats.readable())
        if not path.is_file():
            raise ValueError(f"{path.name} does not exist")
        name = f"{presets.label(terrain.preset) or self.subject_object(context).name} {path.stem}"

        def save(recipe: Recipe) -> str:
            about = f"Fitted to {path.name}"
            saved = user_presets.save_new(name, dataclasses.replace(recipe, about=about, group=""))
            return f"Saved as the preset {saved!r}"

        fit_search.start(
            read(terrain),
            str(path),
            mesh=mesh.session_uid,
            seconds=self.seconds,
            spacing=self.spacing or None,
            done=save,
        )
        return self._waited() if self.wait else {"FINISHED"}

    def _waited(self) -> Result:
        fit_search.finish()
        text, failed = fit_search.message()
        if failed:
            raise ValueError(text)
        self.report({"INFO"}, text)
        return {"FINISHED"}


@registered
class TERRAIN_OT_fit_apply(OnTerrain):
    """Give the terrain these settings. The search goes on"""

    bl_idname = "terrain.fit_apply"
    bl_label = "Use This Fit"

    number: IntProperty(
        name="Number", description="Place among the best, from 0 on", default=0, min=0
    )

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        recipe = fit_search.recipe(self.number)
        view = kept_in_view(context, mesh, self.subject_object(context))
        with view, rebuild.one_rebuild(mesh):
            write(terrain, recipe)
        return {"FINISHED"}


class _WhileFitting(bpy.types.Operator):
    """Base of operators on the search that runs."""

    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not fit_search.is_busy():
            cls.poll_message_set("No search is running")
            return False
        return True


@registered
class TERRAIN_OT_fit_finish(_WhileFitting):
    """End the search with what it has found, in a few seconds, and save the best as a preset"""

    bl_idname = "terrain.fit_finish"
    bl_label = "Finish Fit"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not super().poll(context):
            return False
        if fit_search.is_finishing or not fit_search.found.best:
            cls.poll_message_set("Nothing was found yet, or it is finishing")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> Result:
        fit_search.finish_early()
        return {"FINISHED"}


@registered
class TERRAIN_OT_fit_cancel(_WhileFitting):
    """Stop the search at once. No preset is saved"""

    bl_idname = "terrain.fit_cancel"
    bl_label = "Cancel Fit"

    def execute(self, context: bpy.types.Context) -> Result:
        fit_search.cancel()
        return {"FINISHED"}
