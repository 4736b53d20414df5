# SPDX-License-Identifier: GPL-3.0-or-later
"""Drag a setting of large terrain with and without the lighter mesh: pictures, gaps, and the end.

`LIGHTER_SIZES` are the numbers of points along a side, `LIGHTER_MOVES` those of mouse moves, and
`LIGHTER_ROUNDS` how often each drag is repeated.
"""

import os
import time

import bpy
import numpy as np

MOVES = int(os.environ.get("LIGHTER_MOVES", "8"))
ROUNDS = int(os.environ.get("LIGHTER_ROUNDS", "1"))
NAME = "Lighter While Dragging"
SIZES = [int(n) for n in os.environ.get("LIGHTER_SIZES", "1025").split()]


def item():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Alps"]


def shown_points():
    return len(item().evaluated_get(bpy.context.evaluated_depsgraph_get()).data.vertices)


def is_light():
    return NAME in item().modifiers


def assert_whole(points):
    """Nothing of the drag is left."""
    assert not is_light()
    assert shown_points() == len(item().data.vertices) == points
    assert not [tree for tree in bpy.data.node_groups if tree.bl_idname == "GeometryNodeTree"]


def drive(ui):
    yield from add(ui, SIZES[0])
    yield from cancel(ui, SIZES[0])
    yield from undo(ui, SIZES[0])
    for points in SIZES:
        yield from add(ui, points)
        for lighter in (True, False) * ROUNDS:
            bpy.context.preferences.addons[ui.extension()].preferences.lighter_drags = lighter
            yield from reset(ui)
            yield from drag_and_count(ui, points, lighter)


def add(ui, points):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="alps", resolution=points)
        bpy.ops.view3d.view_selected()
    bpy.context.object.name = "Alps"
    bpy.ops.ed.undo_push(message="added")
    yield from ui.open_tab("Terrain")


def erosion():
    return next(layer for layer in item().data.terrain.layers if layer.kind == "erosion")


def reset(ui):
    """Where a drag to the left has room."""
    erosion().opacity, erosion().erosion.gully_depth = 1.0, 0.3
    yield from ui.rebuilt("Alps")


def button(ui, setting):
    terrain = item().data.terrain
    number = next(n for n, layer in enumerate(terrain.layers) if layer.kind == "erosion")
    terrain.active_layer = number
    yield 0.5
    place = yield from ui.find_button(f"terrain.layers[{number}].{setting}", across=0.7)
    return place


def drag_and_count(ui, points, lighter):
    """A picture is new if the heights differ from those at the last redraw."""
    x, y = yield from button(ui, "opacity")
    drawn, stamps, used, light = [], [], [], []

    def record():
        now = ui.heights("Alps")
        light.append(is_light())
        if not drawn or not np.array_equal(now, drawn[-1]):
            drawn.append(now)
            stamps.append(time.monotonic())
            used.append(time.process_time())

    handle = bpy.types.SpaceView3D.draw_handler_add(record, (), "WINDOW", "POST_PIXEL")
    ui.xdotool("mousemove", int(x), int(y), "mousedown", 1)
    yield 0.1
    for n in range(MOVES):
        ui.xdotool("mousemove_relative", "--", -2, 0)
        yield 0.05
        if n == MOVES - 3:
            ui.shot(f"lighter-{points}-{lighter}-dragged")
    released = time.monotonic()
    ui.xdotool("mouseup", 1)
    yield 0.3
    yield from ui.rebuilt("Alps")
    bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
    gaps, costs = np.diff(stamps), np.diff(used)
    print(
        f"{points} points, lighter {lighter}: {len(drawn)} pictures of {MOVES} moves, "
        f"{sum(light)} of {len(light)} redraws light, {np.median(gaps):.2f} s between pictures, "
        f"at most {gaps.max():.2f} s, {np.median(costs):.2f} s of processor time; finished "
        f"{time.monotonic() - released:.1f} s after the release",
        flush=True,
    )
    ui.shot(f"lighter-{points}-{lighter}-released")
    assert any(light) == (lighter and points > 1024)
    assert_whole(points**2)
    assert len(drawn) >= 4


def cancel(ui, points):
    """Esc in mid-drag: the old value and all points."""
    x, y = yield from button(ui, "erosion.gully_depth")
    before = ui.heights("Alps")
    ui.xdotool("mousemove", int(x), int(y), "mousedown", 1)
    yield 0.1
    was_light = False
    for _ in range(12):
        ui.xdotool("mousemove_relative", "--", -3, 0)
        yield 0.1
        was_light |= is_light()
    assert was_light
    ui.xdotool("key", "Escape")
    yield 0.2
    ui.xdotool("mouseup", 1)
    yield 0.3
    yield from ui.rebuilt("Alps")
    assert_whole(points**2)
    assert np.array_equal(ui.heights("Alps"), before)


def undo(ui, points):
    """One drag is one undo step, which holds no trace of the lighter mesh."""
    before = ui.heights("Alps")
    x, y = yield from button(ui, "erosion.gully_depth")
    yield from ui.drag(x, y, x - 40, y)
    ui.xdotool("key", "ctrl+z")  # at once
    yield 0.1
    yield from ui.rebuilt("Alps")
    assert_whole(points**2)
    assert np.array_equal(ui.heights("Alps"), before)
    yield from ui.press("ctrl+shift+z")
    yield from ui.rebuilt("Alps")
    assert_whole(points**2)
    assert not np.array_equal(ui.heights("Alps"), before)
