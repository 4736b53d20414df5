# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of glaciers in a sidebar of 250 pixels, and a snow line that follows the colors."""

import bpy

NAME, WIDTH = "Glacial Alps", 250
ADVANCED = 536
"""Distance of the header below the settings from the top of the sidebar."""


def terrain():
    return bpy.data.objects[NAME].data.terrain


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="glacial_alps", resolution=257)
        bpy.ops.view3d.view_selected()
    terrain().active_layer = 2
    yield from ui.open_tab("Terrain")
    sidebar = ui.region("UI")
    x, y = ui.screen_xy(sidebar, 1, sidebar.height / 2)
    yield from ui.drag(x, y, x + sidebar.width - WIDTH, y)
    yield from ui.click_sidebar(13)  # collapse Terrain
    yield from ui.rebuilt(NAME)
    ui.shot("glaciers-panel")
    yield from ui.click_sidebar(ADVANCED)
    ui.shot("glaciers-advanced")
    before = ui.heights(NAME)
    terrain().palette.regions[4].start = 0.4
    yield from ui.reshaped(NAME, before, "the ice does not follow the snow")
    yield from ui.rebuilt(NAME)
    assert (ui.heights(NAME) < before - 5).any()
    ui.shot("glaciers-lower")
