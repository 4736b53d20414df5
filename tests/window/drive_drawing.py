# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw an area from the menu and a line by hand, with undo and redo by keyboard."""

from typing import Any

import bpy

NAME = "Hills"
ROW, GAP, FIRST = 23, 9, 79
"""Rows of the Draw menu, what is between its parts, and its first mask below the mouse where it has
no layers."""
LINE, AREA = 0, 1


def terrain() -> Any:
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects[NAME]


def layer_kinds(ui):
    """Number of layer kinds in the menu, above the masks."""
    return len(ui.module("blender.properties.drawn_kinds").drawn_kinds()) - 2


def choose(ui, column, mask):
    """A mask in a column of the Draw menu."""
    kinds = layer_kinds(ui)
    row = FIRST + ROW * mask + (kinds > 0) * (GAP + ROW * (kinds + 1))
    yield from ui.choose_drawing(column, row, shot=f"drawing-menu-{mask}")


def stroke(ui):
    """A stroke across the terrain in the viewport."""
    region = ui.region("WINDOW")
    x, y = ui.screen_xy(region, 0.5 * region.width, 0.5 * region.height)
    yield from ui.drag(x - 90, y + 10, x + 70, y - 25)
    yield 1.5


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="empty", resolution=65)
        bpy.ops.terrain.layer_add(kind="hills")
    bpy.context.object.name = NAME
    bpy.ops.ed.undo_push(message="hills")
    yield from ui.open_tab("Terrain")
    yield from ui.click_sidebar(13)
    yield from draw_area(ui)
    yield from draw_line(ui)


def draw_area(ui):
    """It is there at once; undo takes curve and mask away together."""
    before = ui.heights(NAME)
    yield from choose(ui, "ready-made", AREA)
    curve = bpy.context.object
    assert curve.type == "CURVE" and curve.parent == terrain(), curve
    assert terrain().data.terrain.layers[0].mask_inside_shape.source == curve.name
    yield from ui.reshaped(NAME, before, "the mask has no effect")
    yield from ui.rebuilt(NAME)
    inside = ui.heights(NAME)
    ui.shot("drawing-area")
    yield from ui.press("ctrl+z")
    yield from ui.restored(NAME, before, "the area is not undone")
    assert len(bpy.data.curves) == 0
    yield from ui.press("ctrl+shift+z")
    yield from ui.restored(NAME, inside, "the area is not redone")
    yield from ui.press("ctrl+z")


def draw_line(ui):
    """The terrain follows strokes in Edit Mode, and their undo."""
    yield from choose(ui, "by hand", LINE)
    curve = bpy.context.object
    assert bpy.context.mode == "EDIT_CURVE" and not len(curve.data.splines)
    tool = bpy.context.workspace.tools.from_space_view3d_mode("EDIT_CURVE", create=False)
    assert tool.idname == "builtin.draw", tool.idname
    yield from stroke(ui)
    assert len(curve.data.splines) == 1
    yield from ui.wait_until(lambda: ui.heights(NAME).max() > 5, "the stroke is not followed")
    near = ui.heights(NAME)
    ui.shot("drawing-stroke")
    yield from ui.press("ctrl+z")
    yield from ui.wait_until(
        lambda: ui.heights(NAME).max() < near.max(), "its undo is not followed"
    )
    yield from ui.press("ctrl+shift+z")
    yield from ui.restored(NAME, near, "its redo is not followed")
    yield from ui.press("Tab")
    ui.shot("drawing-line")
    assert bpy.context.mode == "OBJECT"
    yield from ui.restored(NAME, near, "the line is not what was drawn")
