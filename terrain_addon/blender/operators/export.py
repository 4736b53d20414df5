# SPDX-License-Identifier: GPL-3.0-or-later
"""Export a terrain for a game engine, and copy the numbers to type in there."""

import os
from pathlib import Path
from typing import Any

import bpy
from bpy.props import IntProperty, StringProperty

from ...core.output.engines import as_text
from ..app.preferences import computes_in_background
from ..app.registration import registered
from ..app.status import at_pointer
from ..bake.export_settings import SETTINGS, folder_property, settings, target
from ..bake.exporting import Export, exporter
from ..live.cache import CACHE
from ..mesh.terrain_mesh import HEIGHT, range_of
from ..properties.declare import blender_property, from_blender
from ..properties.recipe import read, read_bare
from .base import OnTerrain, Result, reporting


@registered
class TERRAIN_OT_export(OnTerrain):
    """Write the terrain as files for a game engine, with every number to type in there"""

    bl_idname = "terrain.export"
    bl_label = "Export"
    bl_options = set()  # files are no undo step

    reads_only = True

    in_background = False
    """Whether to export in the background: for buttons, not for scripts."""

    directory: folder_property()
    # Blender takes at most 32 choices of a set, fewer than there are fields.
    masks: StringProperty(
        name="Masks",
        description="Keys of the fields that are written as masks, separated by commas, such as "
        "slope, snow",
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        self.in_background = computes_in_background(context)
        return self.execute(context)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        recipe = read(terrain)
        made = settings(self.subject_object(context), terrain, recipe, self._given())
        folder = target(self.directory or terrain.export.folder, made)
        base = Path(os.path.dirname(bpy.data.filepath))
        export = Export(mesh.session_uid, terrain.built, recipe, made, folder, CACHE, base)
        if self.in_background:
            exporter.start(export)
            return {"FINISHED"}
        with at_pointer() as progress:
            self.report({"INFO"}, exporter.now(export, progress))
        return {"FINISHED"}

    def _given(self) -> dict[str, Any]:
        """Return the settings given to the operator."""
        given = {
            name: from_blender(one, getattr(self, name))
            for name, one in SETTINGS.items()
            if self.properties.is_property_set(name)
        }
        if self.properties.is_property_set("masks"):
            keys = [key.strip() for key in self.masks.split(",")]
            given["masks"] = list(dict.fromkeys(key for key in keys if key))
        return given


for _one in SETTINGS.values():
    TERRAIN_OT_export.__annotations__[_one.name] = blender_property(_one, None)


@registered
class TERRAIN_OT_export_copy(OnTerrain):
    """Copy the numbers to type in to the clipboard"""

    bl_idname = "terrain.export_copy"
    bl_label = "Copy Export Numbers"
    bl_options = {"REGISTER"}

    reads_only = True

    field: StringProperty(
        name="Field", description="Which number to copy. Empty: all", options={"SKIP_SAVE"}
    )
    number: IntProperty(
        name="Number",
        description="Which one of several in that field, from 1 on. 0: all",
        min=0,
        options={"SKIP_SAVE"},
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        return f"Copy {properties.field} to the clipboard" if properties.field else ""

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        ends = range_of(mesh, HEIGHT)
        if ends is None:
            raise ValueError("The heights are not known: rebuild the terrain first")
        recipe = read_bare(terrain)
        made = settings(self.subject_object(context), terrain, recipe)
        manifest, _ = exporter.manifest(mesh, terrain.built, recipe, made, ends)
        import_settings = manifest["import_settings"]
        text = "\n".join(f"{name}: {as_text(value)}" for name, value in import_settings.items())
        if self.field:
            text = _number(import_settings, self.field, self.number)
        context.window_manager.clipboard = text
        self.report({"INFO"}, f"Copied {text if self.field else f'{len(import_settings)} numbers'}")
        return {"FINISHED"}


def _number(import_settings: dict[str, Any], field: str, number: int) -> str:
    """Return the text of a field, or of one of its numbers from 1 on; ValueError without one."""
    if field not in import_settings:
        raise ValueError(f"There is no {field!r} to enter; there are {', '.join(import_settings)}")
    value = import_settings[field]
    several = value if isinstance(value, list) else [value]
    if number > len(several):
        raise ValueError(f"{field!r} has {len(several)} numbers, not {number}")
    return as_text(several[number - 1] if number else value)
