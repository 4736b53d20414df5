# SPDX-License-Identifier: GPL-3.0-or-later
"""Look at masks on the terrain: chosen from the menu, live under a slider, made by the worker."""

import time
from itertools import pairwise
from typing import Any

import bpy
import numpy as np

FIELDS = 122
"""Distance of the panel's header from the top of the sidebar while all panels are closed."""
SLOPE, EYE, ATTRIBUTE, IMAGE = 198, 0.6, 0.67, 0.81
"""The same of its first row, and how far across the sidebar the buttons of a row are."""
LAYERS, FIRST, ROW = 38, 75, 21
"""The same of the panel Layers when Terrain is closed, of its first layer, and from row to row."""
MASK, TOGGLE, HEIGHT, FADE = 500, 528, 596, 664
"""The same of the panel Mask below that of a levels layer, of its button and of two of its rows."""


def mesh() -> Any:
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Island"].data


def colors():
    out = np.empty((len(mesh().vertices), 4), np.float32)
    mesh().attributes["Color"].data.foreach_get("color", out.reshape(-1))
    return out


def colored(ui, wanted):
    yield from ui.wait_until(lambda: np.array_equal(colors(), wanted), "other colors")


def recolored(ui, before):
    yield from ui.wait_until(lambda: not np.array_equal(colors(), before), "the same colors")


def fade():
    return mesh().terrain.layers[3].mask_height.fade


def drag_the_slider(ui):
    """The colours follow at each step of the mouse."""
    region = ui.region("UI")
    x, y = ui.screen_xy(region, region.width * 0.55, region.height - FADE)
    ui.xdotool("mousemove", int(x), int(y))
    yield 0.4
    ui.xdotool("mousedown", 1)
    yield 0.2
    ui.xdotool("mousemove_relative", "--", 12, 0)  # begins the drag
    yield 0.5
    seen = [(fade(), colors())]
    for _ in range(5):
        ui.xdotool("mousemove_relative", "--", 7, 0)
        yield from ui.wait_until(lambda: fade() != seen[-1][0], "the slider does not move")
        yield from ui.rebuilt("Island")
        seen.append((fade(), colors()))
    ui.shot("masks-drag")
    ui.xdotool("mouseup", 1)
    yield 1.2
    for (_, before), (_, after) in pairwise(seen):
        assert not np.array_equal(before, after), [one for one, _ in seen]


def dear_mask(ui):
    """What takes long is the worker's; the window goes on."""
    mesh().terrain.resolution = 1537
    yield from ui.rebuilt("Island")
    before = colors()
    begun = time.monotonic()
    mesh().terrain.mask_view = "wetness"
    assert time.monotonic() - begun < 0.3, "the window waited"
    assert not ui.module("blender.live.surface").is_current(mesh()), "there was nothing to do"
    assert np.array_equal(colors(), before), "the colours went before the mask came"
    yield from ui.rebuilt("Island")
    assert mesh().terrain.legend.text == "Wetness, 0 to 1"
    assert not np.array_equal(colors(), before)


def choose_and_go_back(ui):
    """In the panel Fields, and by undo."""
    palette, shading = colors(), ui.view3d().spaces.active.shading
    assert shading.color_type == "MATERIAL", "the colors of meshes are shown already"
    yield from ui.click_sidebar(SLOPE, EYE)
    yield from ui.wait_until(lambda: mesh().terrain.mask_view == "slope", "the slope is not shown")
    yield from ui.rebuilt("Island")
    slope = colors()
    assert shading.color_type == "VERTEX", "the mask is not in view"
    ui.shot("masks-slope")
    yield from ui.click_sidebar(SLOPE, EYE)
    assert mesh().terrain.mask_view == "colors"
    yield from colored(ui, palette)
    for key, wanted in (("ctrl+z", slope), ("ctrl+z", palette)):
        yield from ui.press(key)
        yield from colored(ui, wanted)
    mesh().terrain.mask_view = "snow"  # which no layer leaves
    yield 0.5
    ui.shot("masks-none")


def use_ridges(ui):
    """The other buttons of a row of the panel Fields."""
    row = SLOPE + 6 * ROW
    yield from ui.click_sidebar(row, ATTRIBUTE)
    assert mesh().terrain.attributes.ridge and "ridge" in mesh().attributes
    mesh().terrain.bake.width = 64
    yield from ui.click_sidebar(row, IMAGE)
    yield from ui.wait_until(lambda: "Island Ridge" in bpy.data.images, "no image")
    assert mesh().terrain.bake.image == "heightmap"
    ui.shot("masks-fields")


def look_at_layers(ui):
    """In the panel Mask; another active layer shows another mask."""
    yield from ui.click_sidebar(FIRST + 3 * ROW)
    assert mesh().terrain.active_layer == 3
    yield from ui.click_sidebar(MASK)
    yield from ui.click_sidebar(TOGGLE, 0.5)
    assert mesh().terrain.mask_view == "layer"
    ui.shot("masks-no-mask")
    yield from ui.click_sidebar(HEIGHT, 0.5)
    mesh().terrain.layers[3].mask_height.high = 30  # the summit has 111
    yield 0.5
    yield from drag_the_slider(ui)
    yield from ui.rebuilt("Island")
    masked = colors()
    yield from ui.click_sidebar(FIRST + 2 * ROW)
    yield from recolored(ui, masked)
    assert mesh().terrain.active_layer == 2
    yield from ui.click_sidebar(FIRST + 3 * ROW)
    yield from colored(ui, masked)
    yield from ui.click_sidebar(TOGGLE, 0.5)
    assert mesh().terrain.mask_view == "colors"
    ui.shot("masks-back")


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    ui.add_noise_island("Island", 513)
    bpy.ops.ed.undo_push(message="island")
    yield from ui.open_tab("Terrain")
    for header in (13, LAYERS, FIELDS):
        yield from ui.click_sidebar(header)
    yield from choose_and_go_back(ui)
    yield from use_ridges(ui)
    for header in (FIELDS, LAYERS):
        yield from ui.click_sidebar(header)
    yield from look_at_layers(ui)
    yield from dear_mask(ui)
    ui.shot("masks-dear")
