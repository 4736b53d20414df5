# SPDX-License-Identifier: GPL-3.0-or-later
"""The curve of a Levels layer, dragged by mouse in Blender's widget; undone by keyboard."""

import bpy
import numpy as np

NAME = "Land"
LEFT, RIGHT, TOP, BOTTOM = 17, 254, 459, 625
"""Sides of the widget in pixels of the sidebar, from its left and from its top."""
EDIT = 'bpy.ops.terrain.edit_curve(setting="terrain.layers[1].levels.curve")'


def levels():
    """Looked up each time: undo replaces what Python holds."""
    terrain = bpy.data.objects[NAME].data.terrain
    return terrain.layers[terrain.active_layer].levels


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="empty", resolution=129)
        bpy.ops.terrain.layer_add(kind="hills")
        bpy.ops.terrain.layer_add(kind="levels")
    bpy.context.object.name = NAME
    bpy.ops.ed.undo_push(message="levels")
    yield from ui.open_tab("Terrain")
    yield from ui.click_sidebar(13)  # closes the panel Terrain, so that the curve is in sight
    yield from ui.rebuilt(NAME)
    straight = ui.heights(NAME)
    ui.shot("curve-1-levels")
    yield from ui.press_button(EDIT, across=0.6)
    yield 0.5
    ui.shot("curve-2-widget")
    assert not levels().curve and np.array_equal(ui.heights(NAME), straight)
    yield from drag_point(ui, straight)
    yield from loaded_again(ui)
    yield from removed(ui, straight)


def on_widget(ui, x, y):
    """Where a point of the curve is on the screen."""
    region = ui.region("UI")
    down = BOTTOM + y * (TOP - BOTTOM)
    return ui.screen_xy(region, LEFT + x * (RIGHT - LEFT), region.height - down)


def drag_point(ui, straight):
    """A press on the line adds a point, which is dragged up; the terrain follows meanwhile."""
    x, y = on_widget(ui, 0.5, 0.5)
    ui.xdotool("mousemove", int(x), int(y))
    yield 0.4
    ui.xdotool("mousedown", 1)
    yield 0.3
    for _ in range(6):
        ui.xdotool("mousemove_relative", "--", 0, -6)
        yield 0.15
    yield from ui.reshaped(NAME, straight, "the terrain does not follow the curve")
    ui.shot("curve-3-dragged")
    ui.xdotool("mouseup", 1)
    yield 1.5
    (middle,) = curve(ui)[1:-1]
    assert abs(middle[0] - 0.5) < 0.06 and 0.6 < middle[1] < 0.85, middle
    yield from ui.rebuilt(NAME)
    bent, text = ui.heights(NAME), levels().curve
    assert abs(bent.max() - straight.max()) < 1 and bent.mean() > straight.mean() + 1
    yield from ui.press("ctrl+z")
    yield from ui.wait_until(lambda: levels().curve != text, "the curve is not undone")
    yield from ui.press("ctrl+shift+z")
    yield from ui.wait_until(lambda: levels().curve == text, "the curve is not redone")
    yield from ui.restored(NAME, bent, "the bent terrain is not redone")


def curve(ui):
    return ui.module("core.numerics").curve_points(levels().curve)


def loaded_again(ui):
    """Another layer hides the widget; the button shows the curve that the setting holds."""
    terrain = bpy.data.objects[NAME].data.terrain
    text = levels().curve
    terrain.active_layer = 0
    yield 0.5
    terrain.active_layer = 1
    levels().curve = "0 0, 0.3 0.1, 0.7 0.9, 1 1"
    yield 1.0
    ui.shot("curve-4-closed")
    yield from ui.press_button(EDIT, across=0.6)
    yield 0.5
    ui.shot("curve-5-again")
    assert levels().curve == "0 0, 0.3 0.1, 0.7 0.9, 1 1" != text
    node = bpy.data.node_groups[".Terrain Curve"].nodes[0]
    assert len(node.mapping.curves[0].points) == 4


def removed(ui, straight):
    call = EDIT[:-1] + ", remove=True)"
    yield from ui.press_button(call, across=0.83)
    yield from ui.restored(NAME, straight, "the curve is not removed")
    assert not levels().curve
    ui.shot("curve-6-removed")
