# SPDX-License-Identifier: GPL-3.0-or-later
"""Add a terrain from an elevation file by mouse, with true size and heights, and erode it."""

import bpy

FILE = "jacksboro.tif"
SIZE = (30_088.7, 31_717.4)
"""Meters along X and Y of 403 x 344 samples, at 36.3 degrees of latitude."""
RANGE = (236.0, 1076.0)


def drive(ui):
    bpy.context.preferences.view.filebrowser_display_type = "SCREEN"
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    window = ui.region("WINDOW")
    x, y = ui.screen_xy(window, window.width * 0.3, window.height * 0.9)
    ui.xdotool("mousemove", int(x), int(y))
    yield 0.3
    with bpy.context.temp_override(area=ui.view3d(), region=window):
        bpy.ops.wm.call_menu(name="TERRAIN_MT_add")
    yield 1.0
    ui.shot("menu")
    ui.xdotool("key", "f")
    yield 1.0
    yield from ui.choose_file(FILE, "browser")
    name = bpy.context.view_layer.objects.active.name
    terrain = bpy.data.objects[name].data.terrain
    assert all(abs(a - b) < 1 for a, b in zip((terrain.size_x, terrain.size_y), SIZE, strict=True))
    found = ui.heights(name)
    assert len(found) == 403 * 344 and (round(found.min()), round(found.max())) == RANGE
    yield from ui.open_tab("Terrain")
    ui.shot("terrain")
    with bpy.context.temp_override(area=ui.view3d(), region=window):
        bpy.ops.terrain.layer_add("INVOKE_DEFAULT", True, kind="erosion")
    yield from ui.reshaped(name, found, "nothing was eroded")
    yield 1.0
    ui.shot("eroded")
