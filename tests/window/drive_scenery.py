# SPDX-License-Identifier: GPL-3.0-or-later
"""Set up a scene, beside a sidebar of 250 pixels, and change it in the redo panel."""

from typing import Any

import bpy

WIDTH = 250


def terrain_lamps() -> list[Any]:
    return [item for item in bpy.context.scene.objects if item.name.startswith("Terrain Sun")]


def drive(ui):
    area, window = ui.view3d(), ui.region("WINDOW")
    with bpy.context.temp_override(area=area, region=window):
        bpy.ops.terrain.add("INVOKE_DEFAULT", True, preset="island", resolution=129)
    yield 0.6
    yield from ui.open_tab("Terrain")
    sidebar = ui.region("UI")
    x, y = ui.screen_xy(sidebar, 1, sidebar.height / 2)
    yield from ui.drag(x, y, x + sidebar.width - WIDTH, y)
    assert abs(ui.region("UI").width - WIDTH) < 8, ui.region("UI").width
    x, y = ui.screen_xy(window, window.width * 0.4, window.height * 0.9)
    ui.xdotool("mousemove", int(x), int(y))
    yield 0.3
    with bpy.context.temp_override(area=area, region=window):
        bpy.ops.wm.call_menu(name="TERRAIN_MT_terrain")
    yield 0.6
    ui.shot("menu")
    yield from ui.press("Escape")
    yield 0.4
    with bpy.context.temp_override(area=area, region=window):
        bpy.ops.terrain.scenery("INVOKE_DEFAULT", True)
    yield 0.6
    assert area.spaces.active.region_3d.view_perspective == "CAMERA"
    assert terrain_lamps()
    yield 0.8
    ui.shot("camera")
    panel = ui.region("HUD")  # Adjust Last Operation, closed at first
    yield from ui.click(*ui.screen_xy(panel, 12, panel.height / 2))
    ui.shot("redo")
    yield from ui.press("ctrl+z")
    yield from ui.wait_until(
        lambda: not terrain_lamps() and "Island" in bpy.data.objects, "the lamps are not undone"
    )
    ui.shot("undone")
