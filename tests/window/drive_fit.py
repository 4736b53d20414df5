# SPDX-License-Identifier: GPL-3.0-or-later
"""Fit a terrain to an elevation file by mouse: watch, use one of the best, finish early."""

import bpy

FILE = "jacksboro.tif"
HEADER = 265
"""Distance of the panel's header from the top of the sidebar with all panels closed."""
LONGEST = 200.0
"""Seconds in which the best are measured again: a few on a machine that draws no windows."""


def terrain():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Hills"].data.terrain


def height():
    return terrain().layers[0].fractal_noise.height


def place(x, y):
    """Pixels of the screen, from shares of it."""
    window = bpy.context.window_manager.windows[0]
    return window.width * x, window.height * y


def press(ui, call, start):
    """Click the button that calls an operator."""
    x, y = yield from ui.find_button(call, key="ctrl+c", across=0.3, start=start)
    yield from ui.click(x, y)
    yield 0.3


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    bpy.context.preferences.view.filebrowser_display_type = "SCREEN"
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="rolling_hills", resolution=129)
        bpy.ops.view3d.view_selected()
    bpy.context.object.name = "Hills"
    yield from ui.open_tab("Terrain")
    region = ui.region("UI")
    for down in (13, 38, HEADER):  # close Terrain and Layers, open the panel
        yield from ui.click(*ui.screen_xy(region, region.width * 0.3, region.height - down))
        yield 0.5
    yield from started(ui)
    fitting = ui.module("blender.app.fitting")
    yield from ui.wait_until(lambda: len(fitting.found().best) > 1, "nothing is found")
    yield 1.0
    ui.shot("fit-2-found")
    yield from used(ui, fitting)
    yield from finished(ui, fitting)


def started(ui):
    """Choose the file in the browser."""
    yield from press(ui, "bpy.ops.terrain.fit()", HEADER + 10)
    yield 0.5
    screen = bpy.context.window_manager.windows[0].screen
    browser = next(area for area in screen.areas if area.type == "FILE_BROWSER")
    params = browser.spaces.active.params
    params.directory, params.filter_search = ui.out.encode(), FILE
    yield 1.0
    yield from ui.click(*place(0.3, 0.108))
    ui.shot("fit-1-browser")
    assert params.filename == FILE, params.filename
    yield from ui.click(*place(0.954, 0.956))
    yield 1.0


def used(ui, fitting):
    """The number below a picture gives its settings to the terrain, and the search goes on."""
    before = height()
    yield from press(ui, "bpy.ops.terrain.fit_apply(number=0)", HEADER + 40)
    yield 1.0
    ui.shot("fit-3-used")
    assert fitting.is_busy() and height() != before, (height(), before)


def finished(ui, fitting):
    """The best becomes a preset."""
    presets = ui.module("blender.properties.user_presets")
    assert not presets.users_own(), presets.users_own()
    yield from press(ui, "bpy.ops.terrain.fit_finish()", HEADER + 20)
    yield from ui.wait_until(lambda: not fitting.is_busy(), "it does not finish", LONGEST)
    yield 1.0
    ui.shot("fit-4-finished")
    assert presets.users_own() == ["Rolling Hills jacksboro"], presets.users_own()
    assert fitting.message() == ("Saved as the preset 'Rolling Hills jacksboro'", False)
