# SPDX-License-Identifier: GPL-3.0-or-later
"""Add a terrain from an elevation file by mouse, with true size and heights, and erode it."""

import bpy

FILE = "jacksboro.tif"
SIZE = (30_088.7, 31_717.4)
"""Meters along X and Y of 403 x 344 samples, at 36.3 degrees of latitude."""
RANGE = (236.0, 1076.0)


def place(x, y):
    """Pixels of the screen, from shares of it."""
    window = bpy.context.window_manager.windows[0]
    return window.width * x, window.height * y


def heights():
    mesh = bpy.context.view_layer.objects.active.data
    found = [0.0] * len(mesh.vertices)
    mesh.attributes["height"].data.foreach_get("value", found)
    return found


def choose(ui):
    """Choose the file in the browser, by mouse, and look at what it holds."""
    screen = bpy.context.window_manager.windows[0].screen
    browser = next(area for area in screen.areas if area.type == "FILE_BROWSER")
    browser.spaces.active.params.directory = ui.out.encode()
    browser.spaces.active.params.filter_search = FILE
    yield 1.0
    yield from ui.click(*place(0.3, 0.108))
    assert browser.spaces.active.params.filename == FILE
    ui.shot("browser")
    yield from ui.click(*place(0.954, 0.956))


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
    yield from choose(ui)
    yield 1.0
    terrain = bpy.context.view_layer.objects.active.data.terrain
    assert all(abs(a - b) < 1 for a, b in zip((terrain.size_x, terrain.size_y), SIZE, strict=True))
    found = heights()
    assert len(found) == 403 * 344 and (round(min(found)), round(max(found))) == RANGE
    yield from ui.open_tab("Terrain")
    ui.shot("terrain")
    with bpy.context.temp_override(area=ui.view3d(), region=window):
        bpy.ops.terrain.layer_add("INVOKE_DEFAULT", True, kind="erosion")
    for _ in range(60):
        yield 0.2
        if heights() != found:
            break
    assert heights() != found
    yield 1.0
    ui.shot("eroded")
