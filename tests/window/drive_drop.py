# SPDX-License-Identifier: GPL-3.0-or-later
"""Drag an elevation file from a file browser into the viewport: it becomes a terrain."""

import bpy

FILE = "jacksboro.tif"
SAMPLES = 403 * 344
FIRST = 36
"""Pixels below the top of the list at which its only file is."""


def drive(ui):
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    screen = bpy.context.window_manager.windows[0].screen
    browser = next(area for area in screen.areas if area.type == "PROPERTIES")
    browser.ui_type = "FILES"
    yield 1.0
    browser.spaces.active.show_region_toolbar = False
    yield 1.0
    params = browser.spaces.active.params
    params.directory, params.filter_search = ui.out.encode(), FILE
    params.display_type = "LIST_VERTICAL"
    yield 1.0
    ui.shot("drop-1-browser")
    region = next(one for one in browser.regions if one.type == "WINDOW")
    x, y = ui.screen_xy(region, region.width * 0.2, region.height - FIRST)
    view = ui.region("WINDOW")
    to_x, to_y = ui.screen_xy(view, view.width * 0.5, view.height * 0.5)
    ui.xdotool("mousemove", int(x), int(y))
    yield 0.4
    ui.xdotool("mousedown", 1)
    yield 0.3
    for step in (0.01, 0.02, 0.04, *(n / 8 for n in range(1, 9))):
        ui.xdotool("mousemove", int(x + (to_x - x) * step), int(y + (to_y - y) * step))
        yield 0.2
    ui.shot("drop-2-dragged")
    ui.xdotool("mouseup", 1)
    yield 1.0
    ui.shot("drop-3-handlers")
    ui.xdotool("key", "r")  # Add Real Terrain, rather than an image
    yield 1.5
    ui.shot("drop-4-dialog")
    ui.xdotool("key", "Return")
    yield from ui.wait_until(lambda: len(bpy.data.objects) > 0, "nothing was added")
    yield 1.5
    ui.shot("drop-5-terrain")
    terrain = bpy.context.view_layer.objects.active
    assert len(terrain.data.vertices) == SAMPLES, len(terrain.data.vertices)
