# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure a terrain: compare it with real terrain, and check what was drawn."""

from typing import Any

import bpy
from bpy.props import BoolProperty

from ...core import checks, evaluate, realism
from ..app.registration import registered
from ..live.cache import CACHE
from ..live.surface import Target
from ..properties.recipe import read
from .base import OnTerrain, Result, reporting


@registered
class TERRAIN_OT_realism(OnTerrain):
    """Compare drainage, slopes and landforms with those of real terrain"""

    bl_idname = "terrain.realism"
    bl_label = "Compare with Real Terrain"
    bl_options = {"REGISTER"}

    smoothed: BoolProperty(
        name="Smooth First",
        description="Smooth the heights by a Gaussian of 1.5 samples before measuring, as the real "
        "terrain was. Without it, ten of the twenty-one are compared",
        default=True,
    )
    reads_only = True
    measures: tuple[realism.Measure, ...] = ()

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        done = self.execute(context)
        if done != {"FINISHED"}:
            return done
        return context.window_manager.invoke_popup(self, width=720)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        recipe = read(self.subject(context)[1])
        grid = recipe.pixel_grid(realism.USUAL)
        height = evaluate(recipe, grid, cache=CACHE, fields=()).height
        self.measures = realism.measure(height, grid.dx, smoothed=self.smoothed)
        for line in realism.report(self.measures).splitlines():  # Blender cuts long reports off
            self.report({"INFO"}, line)
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        inside = sum(measure.inside for measure in self.measures)
        title = f"{inside} of {len(self.measures)} measures in the range of real terrain"
        layout.label(text=title, icon="RNDCURVE")
        layout.separator()
        column = layout.column(align=True)
        _row(column, "", "", "This Terrain", "Real Terrain", "")
        for measure in self.measures:
            icon = "CHECKMARK" if measure.inside else "ERROR"
            _row(
                column,
                icon,
                measure.label,
                measure.text,
                measure.range_text,
                measure.verdict.capitalize(),
            )


def _row(layout: Any, icon: str, label: str, value: str, real: str, verdict: str) -> None:
    """Draw a row of four columns: measure, value, range of real terrain, what is wrong."""
    row = layout.split(factor=0.34)
    row.label(text=label, icon=icon or "BLANK1")
    row = row.split(factor=0.2)
    row.label(text=value)
    row = row.split(factor=0.3)
    row.label(text=real)
    row.label(text=verdict)


@registered
class TERRAIN_OT_check(OnTerrain):
    """Count pits, follow drawn rivers, and measure roads: gradient, cut, fill and crossings"""

    bl_idname = "terrain.check"
    bl_label = "Check Terrain"
    bl_options = {"REGISTER"}

    reads_only = True
    found: tuple[checks.Check, ...] = ()

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        done = self.execute(context)
        if done != {"FINISHED"}:
            return done
        return context.window_manager.invoke_popup(self, width=400)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        terrain = self.subject(context)[1]
        recipe, grid = read(terrain), Target.of(terrain).grid
        height = evaluate(recipe, grid, cache=CACHE, fields=()).height
        self.found = checks.check(recipe, height, grid, cache=CACHE)
        for one in self.found:
            self.report({"INFO"}, one.text)
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        subject = None
        for one in self.found:
            if one.subject != subject:
                subject = one.subject
                layout.label(text=subject)
                column = layout.column(align=True)
            row = column.split(factor=0.6)
            row.label(text=one.label, icon="BLANK1")
            row.label(text=one.number)
