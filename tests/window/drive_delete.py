# SPDX-License-Identifier: GPL-3.0-or-later
"""Deleting a terrain by its key takes its sea along; undo and redo agree with that."""

import bpy


def press(ui, key):
    region = ui.region("WINDOW")
    ui.xdotool("mousemove", *map(int, ui.screen_xy(region, 300, 300)))
    yield 0.4
    ui.xdotool("key", key)
    yield 1.0


def left(*names):
    """Wait until just these objects are there: what is swept away goes a moment later."""
    for _ in range(50):
        if sorted(item.name for item in bpy.data.objects) == list(names):
            break
        yield 0.1
    assert sorted(item.name for item in bpy.data.objects) == list(names)


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="island", resolution=129)
    bpy.ops.ed.undo_push(message="added")
    yield 0.5
    yield from left("Island", "Sea")
    yield from press(ui, "Delete")
    yield from left()
    ui.shot("delete-1-gone")
    yield from press(ui, "ctrl+z")
    yield from left("Island", "Sea")
    assert bpy.data.objects["Sea"].parent == bpy.data.objects["Island"]
    ui.shot("delete-2-undone")
    yield from press(ui, "ctrl+shift+z")
    yield from left()
    yield from press(ui, "ctrl+z")
    bpy.context.view_layer.objects.active = sea = bpy.data.objects["Sea"]
    bpy.ops.object.select_all(action="DESELECT")
    sea.select_set(True)
    yield from press(ui, "alt+p")
    yield from press(ui, "Return")
    assert bpy.data.objects["Sea"].parent is None
    bpy.ops.object.select_all(action="DESELECT")
    bpy.data.objects["Island"].select_set(True)
    yield from press(ui, "Delete")
    yield 1.0
    yield from left("Sea")
    ui.shot("delete-3-kept")
    yield 0.3
