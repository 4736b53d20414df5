# SPDX-License-Identifier: GPL-3.0-or-later
"""Deleting a terrain by its key takes its sea along, deleting the sea switches it off; undo and
redo agree with that."""

import bpy


def left(*names):
    """Wait until just these objects are there: what is swept away goes a moment later."""
    for _ in range(50):
        if sorted(item.name for item in bpy.data.objects) == list(names):
            break
        yield 0.1
    assert sorted(item.name for item in bpy.data.objects) == list(names)


def select(name):
    bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = bpy.data.objects[name]
    bpy.data.objects[name].select_set(True)


def shows_sea(wanted):
    """Wait for the switch: a timer sets it."""
    for _ in range(20):
        if bpy.data.objects["Island"].data.terrain.water.show == wanted:
            break
        yield 0.1
    assert bpy.data.objects["Island"].data.terrain.water.show == wanted


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="island", resolution=129)
    bpy.ops.ed.undo_push(message="added")
    yield 0.5
    yield from left("Island", "Sea")
    yield from ui.press("Delete")
    yield from left()
    ui.shot("delete-1-gone")
    yield from ui.press("ctrl+z")
    yield from left("Island", "Sea")
    assert bpy.data.objects["Sea"].parent == bpy.data.objects["Island"]
    ui.shot("delete-2-undone")
    yield from ui.press("ctrl+shift+z")
    yield from left()
    yield from ui.press("ctrl+z")
    yield from left("Island", "Sea")
    select("Sea")
    yield from ui.press("Delete")
    yield from left("Island")
    yield from shows_sea(False)
    bpy.data.objects["Island"].data.terrain.seed += 1
    yield 0.5
    yield from left("Island")
    ui.shot("delete-3-no-sea")
    yield from ui.press("ctrl+z")
    yield from left("Island", "Sea")
    yield from shows_sea(True)
    select("Sea")
    yield from ui.press("alt+p")
    yield from ui.press("Return")
    assert bpy.data.objects["Sea"].parent is None
    bpy.ops.object.select_all(action="DESELECT")
    bpy.data.objects["Island"].select_set(True)
    yield from ui.press("Delete")
    yield 1.0
    yield from left("Sea")
    ui.shot("delete-4-kept")
    yield 0.3
