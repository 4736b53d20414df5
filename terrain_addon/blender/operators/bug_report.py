# SPDX-License-Identifier: GPL-3.0-or-later
"""Copy what a bug report needs: versions, the state of the terrain, and its recipe."""

import os
import platform

import bpy
import numpy as np

from ...version import version
from ..app.registration import registered
from ..data.terrains import active_mesh, terrain_of
from ..live import rebuild, surface
from ..properties.recipe import read
from .base import Result, reporting
from .clipboard import copy_text


@registered
class TERRAIN_OT_copy_report(bpy.types.Operator):
    """Copy the versions in use and the recipe of the active terrain, to paste into a bug report"""

    bl_idname = "terrain.copy_report"
    bl_label = "Copy Bug Report"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        copy_text(context, bug_report(active_mesh(context)))
        self.report({"INFO"}, "Copied a report: paste it where you describe the bug")
        return {"FINISHED"}


def bug_report(mesh: bpy.types.Mesh | None) -> str:
    """Return versions and system, and the state and recipe of a terrain, as Markdown."""
    lines = [
        f"- Orogen {version()}, Blender {bpy.app.version_string}, NumPy {np.__version__}",
        f"- {platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} processors",
    ]
    if mesh is None:
        return "\n".join((*lines, "- No terrain was active.", ""))
    state = "up to date" if surface.is_current(mesh) else "out of date"
    if rebuild.is_edited(mesh):
        state = "edited by hand"
    lines.append(f"- Terrain: {len(mesh.vertices):,} points, {state}")
    if error := rebuild.error_of(mesh):
        lines.append(f"- Error: {error}")
    recipe = read(terrain_of(mesh)).to_json(shapes=True)
    return "\n".join((*lines, "", "```json", recipe.rstrip(), "```", ""))
