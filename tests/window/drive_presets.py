# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets with pictures, the overview, and Randomize with locks, by mouse and keyboard."""

import bpy


def terrain():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.context.view_layer.objects.active.data.terrain


def menu(ui, name, shot):
    """Open a menu under the mouse, look at it, and leave it open."""
    x, y = ui.screen_xy(ui.region("WINDOW"), 350, 700)
    ui.xdotool("mousemove", int(x), int(y))
    yield 0.3
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.wm.call_menu(name=name)
    yield 1.5
    ui.xdotool("mousemove_relative", "--", "2", "2")
    yield 2.0
    ui.shot(shot)


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    print("ui scale", bpy.context.preferences.system.ui_scale, flush=True)
    yield from menu(ui, "TERRAIN_MT_add", "presets-add")
    ui.xdotool("key", "Escape")
    yield 0.5
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="alps", resolution=513)
    yield from ui.open_tab("Terrain")
    print("sidebar", ui.region("UI").width, flush=True)
    bpy.ops.terrain.preset_save(name="My Alps", about="A test")
    bpy.ops.terrain.preset_save(name="A preset of mine with a long name")
    yield 1.0
    yield from menu(ui, "TERRAIN_MT_preset_load", "presets-load")
    ui.xdotool("key", "Escape")
    yield 0.5
    terrain().seed = 5
    yield 2.0
    ui.shot("presets-changed")
    # the narrow sidebar
    region = ui.region("UI")
    x, y = ui.screen_xy(region, -1, region.height / 2)
    yield from ui.drag(x, y, x + 40, y)
    print("sidebar", ui.region("UI").width, flush=True)
    region = ui.region("UI")
    x, y = ui.screen_xy(region, 30, region.height - 270)
    yield from ui.click(x, y)
    yield 1.0
    ui.shot("presets-overview")
    ui.xdotool("mousemove", int(x), int(y) + 400)
    yield 0.3
    for _ in range(60):
        ui.xdotool("click", 5)
    yield 1
    ui.shot("presets-bottom")
    yield from menu(ui, "TERRAIN_MT_layer_edit", "presets-edit")
    ui.xdotool("key", "Escape")
    yield 0.5
