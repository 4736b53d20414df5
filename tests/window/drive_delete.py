# SPDX-License-Identifier: GPL-3.0-or-later
"""Deleting a terrain by its key takes its sea along, deleting the sea switches it off; undo and
redo agree with that."""

import bpy


def left(ui, *names):
    """Wait until just these objects are there: what is swept away goes a moment later."""
    yield from ui.wait_until(
        lambda: sorted(item.name for item in bpy.data.objects) == list(names), f"not just {names}"
    )


def select(name):
    bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = bpy.data.objects[name]
    bpy.data.objects[name].select_set(True)


def shows_sea(ui, wanted):
    """Wait for the switch: a timer sets it."""
    yield from ui.wait_until(
        lambda: bpy.data.objects["Island"].data.terrain.water.show == wanted, "the sea's switch"
    )


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="island", resolution=129)
    bpy.ops.ed.undo_push(message="added")
    yield 0.5
    yield from left(ui, "Island", "Sea")
    yield from ui.press("Delete")
    yield from left(ui)
    ui.shot("delete-1-gone")
    yield from ui.press("ctrl+z")
    yield from left(ui, "Island", "Sea")
    assert bpy.data.objects["Sea"].parent == bpy.data.objects["Island"]
    ui.shot("delete-2-undone")
    yield from ui.press("ctrl+shift+z")
    yield from left(ui)
    yield from ui.press("ctrl+z")
    yield from left(ui, "Island", "Sea")
    select("Sea")
    yield from ui.press("Delete")
    yield from left(ui, "Island")
    yield from shows_sea(ui, False)
    bpy.data.objects["Island"].data.terrain.seed += 1
    yield 0.5
    yield from left(ui, "Island")
    ui.shot("delete-3-no-sea")
    yield from ui.press("ctrl+z")
    yield from left(ui, "Island", "Sea")
    yield from shows_sea(ui, True)
    select("Sea")
    yield from ui.press("alt+p")
    yield from ui.press("Return")
    yield from ui.wait_until(lambda: not bpy.data.objects["Sea"].parent, "the sea has a parent")
    bpy.ops.object.select_all(action="DESELECT")
    bpy.data.objects["Island"].select_set(True)
    yield from ui.press("Delete")
    yield 1.0
    yield from left(ui, "Sea")
    ui.shot("delete-4-kept")
    yield 0.3
