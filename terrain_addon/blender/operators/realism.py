# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare a terrain with real mountains."""

from typing import Any

import bpy

from ...core import evaluate, realism
from ..properties.recipe import read
from .base import OnTerrain, Result, reporting


class TERRAIN_OT_realism(OnTerrain):
    """Compare drainage, slopes and landforms with those of real mountains"""

    bl_idname = "terrain.realism"
    bl_label = "Compare with Real Terrain"
    bl_options = {"REGISTER"}

    reads_only = True
    measures: tuple[realism.Measure, ...] = ()

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        done = self.execute(context)
        if done != {"FINISHED"}:
            return done
        return context.window_manager.invoke_popup(self, width=480)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        recipe = read(self.subject(context)[1])
        grid = recipe.pixel_grid(realism.USUAL)
        self.measures = realism.measure(evaluate(recipe, grid).height, grid.dx)
        self.report({"INFO"}, realism.report(self.measures))
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        inside = sum(one.inside for one in self.measures)
        title = f"{inside} of {len(self.measures)} measures in the range of real mountains"
        layout.label(text=title, icon="RNDCURVE")
        layout.separator()
        _row(layout, "", "", "This Terrain", "Real Mountains")
        for one in self.measures:
            icon = "CHECKMARK" if one.inside else "ERROR"
            _row(layout, icon, one.label, one.text, one.range_text)


def _row(layout: Any, icon: str, *texts: str) -> None:
    """Three columns: measure, value, range of real mountains."""
    label = layout.split(factor=0.52)
    label.label(text=texts[0], icon=icon or "BLANK1")
    values = label.split(factor=0.45)
    values.label(text=texts[1])
    values.label(text=texts[2])
