# SPDX-License-Identifier: GPL-3.0-or-later
"""Spread trees and set their density and field from the terrain, in a sidebar of 250 pixels."""

from typing import Any

import bpy

WIDTH = 250
TERRAIN, LAYERS, SCENE = 13, 38, 88
"""Headers of panels below the top of the sidebar, each while those above are closed."""
DENSITY, FIELD, ACROSS = 440, 578, 0.63
"""Rows of the settings of trees in the same pixels, and how far across their fields are."""


def trees() -> Any:
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Trees"]


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="rolling_downs", resolution=129)
        bpy.ops.view3d.view_selected()
    name = bpy.context.object.name
    yield from ui.rebuilt(name)
    yield from ui.open_tab("Terrain")
    sidebar = ui.region("UI")
    x, y = ui.screen_xy(sidebar, 1, sidebar.height / 2)
    yield from ui.drag(x, y, x + sidebar.width - WIDTH, y)
    assert abs(ui.region("UI").width - WIDTH) < 8, ui.region("UI").width
    for header in (TERRAIN, LAYERS, SCENE):
        yield from ui.click_sidebar(header)
    bpy.ops.terrain.scatter(kind="Trees")
    ui.activate(name)
    yield 1.0
    ui.view3d().tag_redraw()
    yield 1.0
    ui.shot("scatter-panel")
    scatter = ui.module("blender.objects.scatter")

    def read(name):
        return scatter.get_input(trees().modifiers[0], name)

    before = read("Density")
    x, y = ui.screen_xy(ui.region("UI"), ACROSS * WIDTH, ui.region("UI").height - DENSITY)
    yield from ui.drag(x, y, x + 24, y)
    assert read("Density") != before, "the density cannot be dragged"
    yield from ui.click_sidebar(FIELD, ACROSS)
    ui.shot("scatter-fields")
    for key in ("Down", "Down", "Return"):
        ui.xdotool("key", key)
        yield 0.5
    yield from ui.wait_until(lambda: read("Field"), "no field is chosen")
    yield from ui.rebuilt(name)
    assert read("Field") in bpy.data.objects[name].data.attributes
    ui.shot("scatter-field")
