# SPDX-License-Identifier: GPL-3.0-or-later
"""The preferences of the add-on; without *Compute in Background* Blender waits for each result."""

import bpy


def mesh():
    return bpy.data.objects["Alps"].data


def show_preferences(ui):
    """Show them in place of the viewport."""
    area = ui.view3d()
    bpy.context.preferences.active_section = "ADDONS"
    bpy.context.window_manager.addon_search = "Orogen"
    area.type = "PREFERENCES"
    bpy.ops.preferences.addon_expand(module=ui.extension())
    yield 1.5
    ui.shot("preferences-1")
    area.type = "VIEW_3D"
    yield 0.5


def bake(name):
    mesh().terrain.bake.name = name
    bpy.ops.terrain.bake("INVOKE_DEFAULT")


def drive(ui):
    yield from show_preferences(ui)
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="alps", resolution=1025)
    rebuild, queue = ui.module("blender.live.rebuild"), ui.module("blender.bake.queue").bakes
    surface = ui.module("blender.live.surface")
    preferences = bpy.context.preferences.addons[ui.extension()].preferences
    mesh().terrain.bake.width = 1024
    assert preferences.in_background

    mesh().terrain.seed += 1
    bake("Soon")
    assert rebuild.is_busy()
    assert queue.is_busy()
    assert not surface.is_current(mesh())
    assert "Soon" not in bpy.data.images
    rebuild.finish()
    queue.finish()
    yield from ui.wait_until(lambda: surface.is_current(mesh()), "the terrain is not finished")
    assert "Soon" in bpy.data.images

    preferences.in_background = False
    for n in range(3):
        mesh().terrain.seed += 1
        assert not rebuild.is_busy()
        assert surface.is_current(mesh()), f"change {n} was not written at once"
        yield 0.1
    mesh().terrain.palette.regions[0].color = (1, 0, 0)
    assert surface.is_current(mesh())
    bake("Now")
    assert not queue.is_busy()
    assert "Now" in bpy.data.images
    yield 0.5
    ui.shot("preferences-2")
