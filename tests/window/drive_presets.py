# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets with pictures, the overview, layers on the clipboard, and Randomize with locks."""

import contextlib
import json

import bpy
import numpy as np

OVERVIEW = 251
"""Distance of the panel's header from the top of the sidebar."""
RANDOMIZE = 125
"""The same from the bottom, while all panels after it are closed."""


def terrain():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.context.view_layer.objects.active.data.terrain


def operator(ui, name, **settings):
    """As a button does."""
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        return getattr(bpy.ops.terrain, name)("INVOKE_DEFAULT", True, **settings)


def menu(ui, name, shot):
    """Open a menu under the mouse and look at it."""
    x, y = ui.screen_xy(ui.region("WINDOW"), 350, 700)
    ui.xdotool("mousemove", int(x), int(y))
    yield 0.3
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.wm.call_menu(name=name)
    yield 1.0
    ui.xdotool("mousemove_relative", "--", "2", "2")
    yield 1.5
    ui.shot(shot)


def add_and_load(ui):
    yield from menu(ui, "TERRAIN_MT_add", "presets-add")
    ui.xdotool("key", "a")  # the underlined letter of Alps
    yield from ui.wait_until(lambda: "Alps" in bpy.data.objects, "Alps is not added")
    assert terrain().preset == "alps", terrain().preset
    yield from ui.open_tab("Terrain")
    region = ui.region("HUD")
    yield from ui.click(*ui.screen_xy(region, 20, region.height / 2))
    yield 1.0
    ui.shot("presets-added")
    region = ui.region("HUD")
    yield from ui.click(*ui.screen_xy(region, region.width / 2, region.height - 80))
    yield 1.0
    ui.shot("presets-choose")
    ui.xdotool("key", "Escape")
    yield 1.0
    region = ui.region("HUD")
    yield from ui.click(*ui.screen_xy(region, 20, region.height - 12))
    bpy.ops.terrain.preset_save(name="My Alps", about="A test")
    bpy.ops.terrain.preset_save(name="A preset with quite a long name")
    yield from menu(ui, "TERRAIN_MT_preset_load", "presets-load")
    ui.xdotool("key", "i")  # Island
    yield 3.0
    print("loaded", terrain().preset, flush=True)


def title(ui):
    return ui.module("blender.properties.loaded_preset").title(terrain())


def picture(ui):
    """The pixels of the overview."""
    previews = ui.module("blender.data.previews")
    shown = previews._collection()["overview"]
    out = np.empty(len(shown.image_pixels_float), np.float32)
    shown.image_pixels_float.foreach_get(out)
    return out


def overview(ui):
    """At the sidebar's usual width, then at 250 pixels."""
    region = ui.region("UI")
    yield from ui.click(*ui.screen_xy(region, 40, region.height - OVERVIEW))
    yield 1.0
    ui.shot("presets-overview")
    first = picture(ui)
    terrain().seed = 5
    yield from ui.wait_until(
        lambda: not np.array_equal(first, picture(ui)), "the overview did not follow"
    )
    assert title(ui).endswith("(changed)")
    region = ui.region("UI")
    x, y = ui.screen_xy(region, -1, region.height / 2)
    yield from ui.drag(x, y, x + region.width - 252, y)
    print("sidebar", ui.region("UI").width, flush=True)
    yield 1.0
    ui.shot("presets-narrow")
    terrain().profile.along = "y"
    yield 1.0


def layers(ui):
    yield from menu(ui, "TERRAIN_MT_layer_edit", "presets-layers")
    ui.xdotool("key", "Escape")
    yield 0.5
    manager = bpy.context.window_manager
    terrain().active_layer = 1
    bpy.ops.terrain.layer_copy()
    copied = json.loads(manager.clipboard)
    name = terrain().layers[1].name
    assert [layer["name"] for layer in copied["layers"]] == [name]
    operator(ui, "add", preset="mesa", resolution=129)
    yield 1.0
    count = len(terrain().layers)
    operator(ui, "layer_paste")
    assert len(terrain().layers) == count + 1
    assert terrain().layers[terrain().active_layer].name == name
    manager.clipboard = "something else"
    before = [layer.name for layer in terrain().layers]
    with contextlib.suppress(RuntimeError):  # the clipboard has no layers
        operator(ui, "layer_paste")
    assert [layer.name for layer in terrain().layers] == before
    yield from ui.press("ctrl+z")
    yield from ui.wait_until(lambda: len(terrain().layers) == count, "the layers are not undone")
    assert title(ui) == "Mesa"


def randomize(ui):
    """With a lock, undone, and the panel at the end of the sidebar."""
    terrain().active_layer = 0
    settings = terrain().layers[0].fractal_noise
    settings.locks.height = True
    before = settings.size, settings.height
    operator(ui, "layer_randomize")
    yield 2.0
    settings = terrain().layers[0].fractal_noise
    assert settings.size != before[0] and settings.height == before[1]
    region = ui.region("UI")
    x, y = ui.screen_xy(region, region.width / 2, 60)
    ui.xdotool("mousemove", int(x), int(y))
    yield 0.3
    for _ in range(60):
        ui.xdotool("click", 5)
    yield 1.0
    yield from ui.click(*ui.screen_xy(region, 60, RANDOMIZE))
    for _ in range(60):
        ui.xdotool("click", 5)
    yield 1.0
    ui.shot("presets-randomize")
    yield from ui.press("ctrl+z")
    yield from ui.wait_until(
        lambda: terrain().layers[0].fractal_noise.size == before[0],
        "the random settings are not undone",
    )


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    yield from add_and_load(ui)
    yield from overview(ui)
    yield from layers(ui)
    yield from randomize(ui)
