# SPDX-License-Identifier: GPL-3.0-or-later
"""Drag a slider of eroded terrain by 40 mouse moves: how many pictures it shows, and the gaps."""

import time

import bpy
import numpy as np

MOVES = 40


def terrain_mesh():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Alps"].data


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="alps", resolution=513)
        bpy.ops.view3d.view_selected()
    bpy.context.object.name = "Alps"
    terrain = terrain_mesh().terrain
    number = next(n for n, layer in enumerate(terrain.layers) if layer.kind == "erosion")
    terrain.active_layer = number
    yield from ui.open_tab("Terrain")
    path = f"terrain.layers[{number}].opacity"
    x, y = yield from ui.find_button(path, across=0.7)
    yield from drag_and_count(ui, x, y)
    yield from copy_while_dragging(ui)


def drag_and_count(ui, x, y):
    """A picture is new if the heights differ from those at the last redraw."""
    before, drawn, stamps = ui.heights("Alps"), [], []

    def record():
        now = ui.heights("Alps")
        if not drawn or not np.array_equal(now, drawn[-1]):
            drawn.append(now)
            stamps.append(time.monotonic())

    handle = bpy.types.SpaceView3D.draw_handler_add(record, (), "WINDOW", "POST_PIXEL")
    ui.xdotool("mousemove", int(x), int(y), "mousedown", 1)
    yield 0.1
    for _ in range(MOVES):
        ui.xdotool("mousemove_relative", "--", -2, 0)
        yield 0.05
    ui.shot("dragging-1-in-mid-drag")
    ui.xdotool("mouseup", 1)
    yield from ui.rebuilt("Alps")
    bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
    gaps = np.diff(stamps)
    print(f"{len(drawn)} pictures of {MOVES} moves, longest gap {gaps.max():.2f} s", flush=True)
    ui.shot("dragging-2-released")
    assert len(drawn) >= 4
    assert not np.array_equal(ui.heights("Alps"), before)


def copy_while_dragging(ui):
    """A copy made during a rebuild, whether a preview is shown or not, is finished as well."""
    terrain_mesh().terrain.layers[0].opacity *= 0.5
    bpy.ops.object.duplicate()
    copy = bpy.context.object
    assert copy.data != terrain_mesh()
    was_preview, name = "~" in copy.data.terrain.built, copy.name
    yield from ui.rebuilt("Alps")
    yield from ui.rebuilt(name)
    print(f"copied as a preview: {was_preview}", flush=True)
    ui.shot("dragging-3-copied")
