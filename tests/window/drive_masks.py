# SPDX-License-Identifier: GPL-3.0-or-later
"""Look at masks on the terrain: chosen from the menu, live under a slider, made by the worker."""

import importlib
import time
from itertools import pairwise
from typing import Any

import bpy
import numpy as np

FIELDS = 150
"""Distance of the panel's header from the top of the sidebar while all panels are closed."""
SLOPE, EYE, ATTRIBUTE, IMAGE = 183, 0.6, 0.67, 0.81
"""The same of its first row, and how far across the sidebar the buttons of a row are."""
LAYERS, FIRST, ROW = 38, 75, 21
"""The same of the panel Layers when Terrain is closed, of its first layer, and from row to row."""
MASK, TOGGLE, HEIGHT, FADE = 477, 505, 573, 641
"""The same of the panel Mask below that of a levels layer, of its button and of two of its rows."""
LONGEST = 30.0  # seconds that the worker may take on a slow machine


def mesh() -> Any:
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Island"].data


def colors():
    out = np.empty((len(mesh().vertices), 4), np.float32)
    mesh().attributes["Color"].data.foreach_get("color", out.reshape(-1))
    return out


def is_current():
    modules = [addon.module for addon in bpy.context.preferences.addons]
    extension = next(name for name in modules if name.endswith("orogen"))
    surface = importlib.import_module(f"{extension}.terrain_addon.blender.live.surface")
    return surface.is_current(mesh())


def click(ui, down, across=0.3):
    region = ui.region("UI")
    yield from ui.click(*ui.screen_xy(region, region.width * across, region.height - down))
    yield 0.3


def drag_the_slider(ui):
    """The colours follow at each step of the mouse."""
    region = ui.region("UI")
    x, y = ui.screen_xy(region, region.width * 0.55, region.height - FADE)
    ui.xdotool("mousemove", int(x), int(y))
    yield 0.4
    ui.xdotool("mousedown", 1)
    yield 0.2
    seen = []
    for step in range(6):
        ui.xdotool("mousemove_relative", "--", 7 if step else 12, 0)
        yield 0.3
        seen.append((mesh().terrain.layers[3].mask_height.fade, colors()))
    ui.shot("masks-drag")
    ui.xdotool("mouseup", 1)
    yield 1.2
    changes = sum(a[0] != b[0] for a, b in pairwise(seen))
    assert changes >= 3, [fade for fade, _ in seen]
    for (fade, before), (other, after) in pairwise(seen):
        assert (fade == other) == np.array_equal(before, after), (fade, other)


def dear_mask():
    """What takes long is the worker's; the window goes on."""
    mesh().terrain.resolution = 1537
    until = time.monotonic() + LONGEST
    while not is_current():
        assert time.monotonic() < until, "the worker delivered no land"
        yield 0.1
    before = colors()
    begun = time.monotonic()
    mesh().terrain.mask_view = "wetness"
    assert time.monotonic() - begun < 0.3 and not is_current(), "the window waited"
    assert np.array_equal(colors(), before), "the colours went before the mask came"
    while not is_current():
        assert time.monotonic() < until, "the worker delivered no mask"
        yield 0.1
    assert mesh().terrain.legend.text == "Wetness, 0 to 1"
    assert not np.array_equal(colors(), before)


def choose_and_go_back(ui):
    """In the panel Fields, and by undo."""
    palette = colors()
    yield from click(ui, SLOPE, EYE)
    yield 0.5
    assert mesh().terrain.mask_view == "slope"
    slope = colors()
    ui.shot("masks-slope")
    yield from click(ui, SLOPE, EYE)
    assert mesh().terrain.mask_view == "colors" and np.array_equal(colors(), palette)
    for key, wanted in (("ctrl+z", slope), ("ctrl+z", palette)):
        yield from ui.press(key)
        assert np.array_equal(colors(), wanted)
    mesh().terrain.mask_view = "snow"  # which no layer leaves
    yield 0.5
    ui.shot("masks-none")


def use_ridges(ui):
    """The other buttons of a row of the panel Fields."""
    row = SLOPE + 6 * ROW
    yield from click(ui, row, ATTRIBUTE)
    assert mesh().terrain.attributes.ridge and "ridge" in mesh().attributes
    mesh().terrain.bake.width = 64
    yield from click(ui, row, IMAGE)
    for _ in range(100):
        if "Island Ridge" in bpy.data.images:
            break
        yield 0.1
    assert "Island Ridge" in bpy.data.images and mesh().terrain.bake.image == "heightmap"
    ui.shot("masks-fields")


def look_at_layers(ui):
    """In the panel Mask; another active layer shows another mask."""
    yield from click(ui, FIRST + 3 * ROW)
    assert mesh().terrain.active_layer == 3
    yield from click(ui, MASK)
    yield from click(ui, TOGGLE, 0.5)
    assert mesh().terrain.mask_view == "layer"
    ui.shot("masks-no-mask")
    yield from click(ui, HEIGHT, 0.5)
    mesh().terrain.layers[3].mask_height.high = 120
    yield 0.5
    yield from drag_the_slider(ui)
    masked = colors()
    yield from click(ui, FIRST + 2 * ROW)
    assert mesh().terrain.active_layer == 2 and not np.array_equal(colors(), masked)
    yield from click(ui, FIRST + 3 * ROW)
    assert np.array_equal(colors(), masked)
    yield from click(ui, TOGGLE, 0.5)
    assert mesh().terrain.mask_view == "colors"
    ui.shot("masks-back")


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="plain_island", resolution=513)
    bpy.context.object.name = "Island"
    bpy.ops.ed.undo_push(message="island")
    yield from ui.open_tab("Terrain")
    for header in (13, LAYERS, FIELDS):
        yield from click(ui, header)
    yield from choose_and_go_back(ui)
    yield from use_ridges(ui)
    for header in (FIELDS, LAYERS):
        yield from click(ui, header)
    yield from look_at_layers(ui)
    yield from dear_mask()
    ui.shot("masks-dear")
