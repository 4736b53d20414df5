# SPDX-License-Identifier: GPL-3.0-or-later
"""Alt+Up and Alt+Down move the active layer, with the mouse over the list or the viewport."""

import bpy

NAME = "Land"
LIST = 150
"""Distance of the list of layers from the top of the sidebar while Terrain is closed."""


def terrain():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects[NAME].data.terrain


def kinds():
    return [layer.kind for layer in terrain().layers]


def active():
    return terrain().layers[terrain().active_layer].kind


def over_list(ui, key):
    region = ui.region("UI")
    x, y = ui.screen_xy(region, region.width * 0.3, region.height - LIST)
    ui.xdotool("mousemove", int(x), int(y))
    yield 0.5
    ui.xdotool("key", key)
    yield 0.7
    yield from ui.handled()


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="empty", resolution=65)
        for kind in ("hills", "terrace", "smooth"):
            bpy.ops.terrain.layer_add(kind=kind)
    bpy.context.object.name = NAME
    bpy.ops.ed.undo_push(message="layers")
    yield from ui.open_tab("Terrain")
    yield from ui.click_sidebar(13)
    frame = bpy.context.scene.frame_current
    ui.shot("keys-1-before")
    yield from over_list(ui, "alt+Up")
    assert kinds() == ["hills", "smooth", "terrace"] and active() == "smooth", kinds()
    ui.shot("keys-2-up")
    yield from ui.press("alt+Up")
    assert kinds() == ["smooth", "hills", "terrace"] and active() == "smooth", kinds()
    yield from ui.press("alt+Up")  # it is the first already
    assert kinds() == ["smooth", "hills", "terrace"]
    yield from over_list(ui, "alt+Down")
    assert kinds() == ["hills", "smooth", "terrace"] and active() == "smooth", kinds()
    yield from ui.press("ctrl+z")
    yield from ui.wait_until(
        lambda: kinds() == ["smooth", "hills", "terrace"], "the move is not one step of undo"
    )
    assert bpy.context.scene.frame_current == frame
    yield from gone_with_the_extension(ui)


def gone_with_the_extension(ui):
    """The keys come and go with the extension, once."""

    def items():
        keymap = bpy.context.window_manager.keyconfigs.addon.keymaps.get("3D View Generic")
        every = keymap.keymap_items if keymap else ()
        return sorted(item.type for item in every if item.idname == "terrain.layer_move")

    assert items() == ["DOWN_ARROW", "UP_ARROW"]
    name = ui.extension()
    bpy.ops.preferences.addon_disable(module=name)
    yield 1.0
    assert not items()
    bpy.ops.preferences.addon_enable(module=name)
    yield 1.0
    assert items() == ["DOWN_ARROW", "UP_ARROW"]
