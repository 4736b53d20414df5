# SPDX-License-Identifier: GPL-3.0-or-later
"""Group two layers by mouse, mask the group, color it, fold it and undo, in a narrow sidebar."""

import bpy

NAME = "Land"
WIDTH = 250
TERRAIN = 13
"""Header of the panel Terrain below the top of the sidebar."""
FIRST, ROW = 75, 21
"""The first row of the list while Terrain is closed, and from row to row, in pixels."""
TRIANGLE, LABEL = 0.147, 0.45
"""How far across the sidebar the triangle of a group and the names are."""
MASK, SLOPE = 338, 415
"""The header of the panel Mask below that of a group, and its switch for slopes."""
GROUP_MENU = "TERRAIN_MT_layer_edit"


def terrain():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects[NAME].data.terrain


def kinds():
    return [(layer.kind, layer.count) for layer in terrain().layers]


def active():
    return terrain().layers[terrain().active_layer].kind


def click_row(ui, row, across=LABEL):
    yield from ui.click_sidebar(FIRST + ROW * row, across)
    yield 0.3


def prepare(ui):
    """Three layers, in a sidebar of 250 pixels whose first panel is closed."""
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="empty", resolution=129)
        for kind in ("fractal_noise", "terrace", "smooth"):
            bpy.ops.terrain.layer_add(kind=kind)
        bpy.ops.view3d.view_selected()
    bpy.context.object.name = NAME
    bpy.ops.ed.undo_push(message="layers")
    yield from ui.open_tab("Terrain")
    sidebar = ui.region("UI")
    x, y = ui.screen_xy(sidebar, 1, sidebar.height / 2)
    yield from ui.drag(x, y, x + sidebar.width - WIDTH, y)
    assert abs(ui.region("UI").width - WIDTH) < 8, ui.region("UI").width
    yield from ui.click_sidebar(TERRAIN)


def drive(ui):
    yield from prepare(ui)
    yield from click_row(ui, 1)
    assert active() == "terrace", active()
    yield from ui.choose_entry(GROUP_MENU, "bpy.ops.terrain.layer_group(", "groups-1-menu")
    assert kinds()[1:3] == [("terrace", 0), ("group", 1)] and active() == "group", kinds()
    yield from click_row(ui, 3)  # below the group and its layer
    assert active() == "smooth", active()
    yield from ui.press("alt+Up")
    assert kinds()[1:] == [("terrace", 0), ("smooth", 0), ("group", 2)], kinds()
    ui.shot("groups-2-two-layers")
    yield from click_row(ui, 1)
    assert active() == "group", active()
    yield from ui.rebuilt(NAME)
    before = ui.heights(NAME)
    yield from ui.click_sidebar(MASK)
    ui.shot("groups-3-mask-panel")
    yield from ui.click_sidebar(SLOPE, 0.5)
    assert terrain().layers[3].mask_slope.use, "the mask is not on"
    yield from ui.reshaped(NAME, before, "the mask of the group does nothing")
    yield from ui.rebuilt(NAME)
    masked = ui.heights(NAME)
    ui.shot("groups-4-masked")
    yield from click_row(ui, 1, TRIANGLE)
    assert terrain().layers[3].folded, "the triangle does not fold"
    ui.shot("groups-5-folded")
    yield from ui.press("ctrl+z")
    yield from ui.wait_until(lambda: not terrain().layers[3].folded, "folding is no step")
    yield from ui.restored(NAME, masked, "undo of folding changes heights")
    yield from ui.press("ctrl+z")
    yield from ui.restored(NAME, before, "undo does not remove the mask")
    ui.shot("groups-6-undone")
