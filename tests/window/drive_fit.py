# SPDX-License-Identifier: GPL-3.0-or-later
"""Fit a terrain to an elevation file by mouse: watch, use one of the best, finish early."""

import bpy

FILE = "jacksboro.tif"
HEADER = 178
"""Distance of the panel's header from the top of the sidebar with all panels closed."""
LONGEST = 200.0
"""Seconds in which the best are measured again: a few on a machine that draws no windows."""


def terrain():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Hills"].data.terrain


def height():
    return terrain().layers[0].fractal_noise.height


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    bpy.context.preferences.view.filebrowser_display_type = "SCREEN"
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="rolling_downs", resolution=129)
        bpy.ops.view3d.view_selected()
    bpy.context.object.name = "Hills"
    yield from ui.open_tab("Terrain")
    for down in (13, 38, HEADER):  # close Terrain and Layers, open the panel
        yield from ui.click_sidebar(down)
    yield from ui.press_button("bpy.ops.terrain.fit()", HEADER + 10)
    yield 0.5
    yield from ui.choose_file(FILE, "fit-1-browser")
    fitting = ui.module("blender.app.fitting").fit_search
    yield from ui.wait_until(lambda: len(fitting.found.best) > 1, "nothing is found")
    yield 1.0
    ui.shot("fit-2-found")
    yield from used(ui, fitting)
    yield from finished(ui, fitting)


def used(ui, fitting):
    """The number below a picture gives its settings to the terrain, and the search goes on."""
    before = height()
    yield from ui.press_button("bpy.ops.terrain.fit_apply(number=0)", HEADER + 40, across=0.3)
    yield 1.0
    ui.shot("fit-3-used")
    assert fitting.is_busy() and height() != before, (height(), before)


def finished(ui, fitting):
    """The best becomes a preset."""
    presets = ui.module("blender.properties.user_presets")
    assert not presets.users_own(), presets.users_own()
    yield from ui.press_button("bpy.ops.terrain.fit_finish()", HEADER + 20, across=0.3)
    yield from ui.wait_until(lambda: not fitting.is_busy(), "it does not finish", LONGEST)
    yield 1.0
    ui.shot("fit-4-finished")
    assert presets.users_own() == ["Rolling Downs jacksboro"], presets.users_own()
    assert fitting.message() == ("Saved as the preset 'Rolling Downs jacksboro'", False)
