# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks as attributes, rivers and lakes, code on the clipboard, comparison with real terrain."""

import bpy


def item():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Alps"]


def check_waters(ui):
    terrain = item().data.terrain
    terrain.water.show = False
    terrain.water.rivers = terrain.water.lakes = True
    bpy.ops.ed.undo_push(message="water")
    yield from ui.rebuilt("Alps")
    assert sorted(child.name for child in item().children) == ["Lakes", "Rivers"]
    assert len(bpy.data.objects["Rivers"].data.polygons) > 100
    ui.shot("tools-2-rivers")
    terrain.water.rivers = False
    bpy.ops.ed.undo_push(message="no rivers")
    yield from ui.rebuilt("Alps")
    assert "Rivers" not in bpy.data.objects
    yield from ui.press("ctrl+z")
    yield from ui.rebuilt("Alps")
    assert len(bpy.data.objects["Rivers"].data.polygons) > 100
    ui.shot("tools-3-undone")


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="alps", resolution=257)
    yield from ui.rebuilt("Alps")
    bpy.ops.ed.undo_push(message="added")
    yield from ui.open_tab("Terrain")
    for by in ("flow", "snow"):
        assert bpy.ops.terrain.region_add(based_on=by) == {"FINISHED"}
    for name in ("flow", "ridge", "sky_view"):
        setattr(item().data.terrain.attributes, name, True)
    yield from ui.rebuilt("Alps")
    assert {"flow", "ridge", "sky_view"} <= set(item().data.attributes.keys())
    ui.shot("tools-1-masks")
    for _ in range(2):
        bpy.ops.terrain.region_remove()
    yield from check_waters(ui)

    terrain = item().data.terrain
    terrain.active_layer = next(
        n for n, layer in enumerate(terrain.layers) if layer.kind == "fractal_noise"
    )
    bpy.context.window_manager.clipboard = ""
    assert bpy.ops.terrain.layer_copy_code(language="gdscript") == {"FINISHED"}
    yield from ui.wait_until(
        lambda: "FastNoiseLite" in bpy.context.window_manager.clipboard, "no code was copied"
    )

    region = ui.region("WINDOW")
    ui.xdotool("mousemove", *map(int, ui.screen_xy(region, 500, 400)))
    yield 0.3
    with bpy.context.temp_override(area=ui.view3d(), region=region):
        bpy.ops.terrain.realism("INVOKE_DEFAULT")
    yield 1.5
    ui.shot("tools-4-realism")
    yield 0.3
    ui.xdotool("key", "Escape")
    yield 0.5
    yield from remove_a_preset(ui)


def remove_a_preset(ui):
    """The dialogs: a name that is free is proposed, and which to remove is asked."""
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.preset_save("INVOKE_DEFAULT")
    yield 0.5
    ui.shot("tools-5-save-preset")
    ui.xdotool("key", "Return")
    yield 0.5
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        assert bpy.ops.terrain.preset_load(preset="My Alps") == {"FINISHED"}
        bpy.ops.terrain.preset_remove("INVOKE_DEFAULT")
    yield 0.5
    ui.shot("tools-6-remove-preset")
    ui.xdotool("key", "Return")
    yield from ui.wait_until(
        lambda: not bpy.ops.terrain.preset_remove.poll(), "the preset was not removed"
    )
