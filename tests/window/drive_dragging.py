# SPDX-License-Identifier: GPL-3.0-or-later
"""Drag a slider of eroded terrain by 40 mouse moves: how many pictures it shows, and the gaps."""

import time

import bpy
import numpy as np

MOVES = 40


def terrain_mesh():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Alps"].data


def heights():
    mesh = terrain_mesh()
    out = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes["height"].data.foreach_get("value", out)
    return out


def is_preview():
    return "~" in terrain_mesh().terrain.built


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
    before, drawn, stamps = heights(), [], []

    def record():
        now = heights()
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
    for _ in range(300):
        yield 0.1
        if not is_preview():
            break
    yield 0.3
    bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
    gaps = np.diff(stamps)
    print(f"{len(drawn)} pictures of {MOVES} moves, longest gap {gaps.max():.2f} s", flush=True)
    ui.shot("dragging-2-released")
    assert len(drawn) >= 4
    assert not is_preview()
    assert not np.array_equal(heights(), before)


def copy_while_dragging(ui):
    """A copy made while the worker is busy is finished as well."""
    terrain_mesh().terrain.layers[0].opacity *= 0.5
    bpy.ops.object.duplicate()
    copy = bpy.context.object.data
    assert copy != terrain_mesh()
    was_preview, name = "~" in copy.terrain.built, copy.name
    for _ in range(300):
        yield 0.1
        if not is_preview() and "~" not in bpy.data.meshes[name].terrain.built:
            break
    print(f"copied as a preview: {was_preview}", flush=True)
    assert "~" not in bpy.data.meshes[name].terrain.built
    ui.shot("dragging-3-copied")
