# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves stay in sight and in hand: drawn, ended by Enter, selected from the list, tuned in Edit
Mode, lost and drawn again."""

from typing import Any

import bpy

NAME = "Land"
ROWS, LIST_ROW = 79, 21
"""The first layer in the list below the top of the sidebar, and the distance to the next."""
REDRAW, WIDTH = 278, 301
"""The button below a missing shape, and the width of a river, in the same pixels."""


def terrain() -> Any:
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects[NAME]


def layer(kind: str) -> Any:
    return next(one for one in terrain().data.terrain.layers if one.kind == kind)


def by_hand(ui, kind, start, end):
    """Draw a layer's curve with one stroke, between shares of the viewport, and press Enter."""
    yield from ui.draw_by_hand(NAME, kind, start, end)
    ui.shot(f"curves-drawing-{kind}")
    yield from ui.press("Return")
    assert bpy.context.mode == "OBJECT", "Enter does not end the drawing"
    yield from ui.rebuilt(NAME)
    yield 1.0
    ui.shot(f"curves-{kind}")


def select_in_list(ui, kind):
    """The arrow in the row of a layer."""
    kinds = [one.kind for one in terrain().data.terrain.layers]
    yield from ui.click_sidebar(ROWS + LIST_ROW * kinds.index(kind), across=0.5)


def tune_in_edit_mode(ui):
    """Select the river in the list, and drag its width while its points are open."""
    ui.activate(NAME)
    yield from select_in_list(ui, "river")
    curve = bpy.context.object
    assert curve.type == "CURVE" and "River" in curve.name and curve.select_get(), curve
    assert not terrain().select_get()
    assert terrain().data.terrain.active_layer == 2, "a click on the arrow leaves the layer chosen"
    yield from ui.press("Tab")
    assert bpy.context.mode == "EDIT_CURVE"
    before, width = ui.heights(NAME), layer("river").river.width
    region = ui.region("UI")
    x, y = ui.screen_xy(region, 0.64 * region.width, region.height - WIDTH)
    yield from ui.drag(x, y, x + 60, y)
    assert layer("river").river.width > width, "the slider does nothing in Edit Mode"
    yield from ui.reshaped(NAME, before, "the width is not followed in Edit Mode")
    ui.shot("curves-tuned")
    yield from ui.press("Return")
    assert bpy.context.mode == "OBJECT"


def lose_and_redraw(ui):
    """The row of the river is red until it is drawn again."""
    yield from ui.press("Delete")
    assert not any("River" in one.name for one in bpy.data.objects if one.type == "CURVE")
    ui.activate(NAME)
    yield from ui.rebuilt(NAME)
    yield 1.0
    ui.shot("curves-missing")
    before, layers = ui.heights(NAME), len(terrain().data.terrain.layers)
    yield from ui.click_sidebar(REDRAW, across=0.7)
    assert bpy.context.mode == "EDIT_CURVE", "Redraw does not start"
    yield from ui.stroke((0.44, 0.53), (0.38, 0.36))
    yield from ui.reshaped(NAME, before, "the new river is not followed")
    yield from close_and_open(ui)
    yield from ui.press("Return")
    assert len(terrain().data.terrain.layers) == layers
    assert layer("river").river.source == bpy.context.object.name == f"{NAME} River"


def close_and_open(ui):
    """A closed river has no source: its row and its settings say so."""
    faults = ui.module("blender.ui.shape_faults")
    river = layer("river")
    yield from ui.press("alt+c")
    yield from ui.wait_until(
        lambda: "closed" in dict(faults.shapes_of_layer(river))[f"{NAME} River"], "no fault"
    )
    yield 1.0
    ui.shot("curves-closed")
    yield from ui.press("alt+c")
    yield from ui.wait_until(
        lambda: not any(dict(faults.shapes_of_layer(river)).values()), "the fault stays"
    )


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="empty", resolution=129)
        bpy.ops.terrain.layer_add(kind="fractal_noise")
    bpy.context.object.name = NAME
    bpy.ops.ed.undo_push(message="terrain")
    yield from ui.open_tab("Terrain")
    yield from ui.click_sidebar(13)
    yield from by_hand(ui, "range", (0.27, 0.5), (0.55, 0.58))
    yield from by_hand(ui, "river", (0.44, 0.53), (0.38, 0.36))
    yield from tune_in_edit_mode(ui)
    yield from lose_and_redraw(ui)
