# SPDX-License-Identifier: GPL-3.0-or-later
"""Open each panel by mouse, and let a layer act where an attribute says."""

from typing import Any

import bpy
import numpy as np

NAME, SIDE = "Island", 257
WATER = ["Lakes", "Rivers", "Sea"]
HEADERS = {"colours": 66, "scene": 94, "analysis": 122, "output": 150}
"""Distance of the panels' headers from the top of the sidebar while all are closed."""

MASK = 493
"""The same of the panel Mask below that of a levels layer, with all above Layers closed."""


def mesh():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects[NAME].data


def paint():
    """An attribute that is 1 in the west and 0 in the east."""
    west = np.linspace(1, 0, SIDE, dtype=np.float32)[None] * np.ones((SIDE, 1), np.float32)
    mesh().attributes.new("West", "FLOAT", "POINT").data.foreach_set("value", west.reshape(-1))


def paint_weights(ui):
    """The terrain follows a map that is painted."""
    item = bpy.data.objects[NAME]
    mesh().terrain.layers[-2].mask_map.source = "Painted"  # which is not there yet
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.object.mode_set(mode="WEIGHT_PAINT")
    yield 0.5
    item.vertex_groups.new(name="Painted").add(range(SIDE * 100), 1.0, "REPLACE")
    before = ui.heights(NAME)
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.object.mode_set(mode="OBJECT")
    yield from ui.reshaped(NAME, before, "the terrain does not follow")
    yield from ui.rebuilt(NAME)
    ui.shot("panels-painted")


def copy(ui):
    """A copy gets water of its own."""
    region = ui.region("WINDOW")
    ui.xdotool("mousemove", *map(int, ui.screen_xy(region, 300, 300)))
    yield 0.3
    ui.xdotool("key", "shift+d")
    yield 0.5
    ui.xdotool("key", "Escape")  # leave it where it is
    yield from ui.wait_until(lambda: water_of("Island.001") == WATER, "the copy has no water")


def water_of(item: str) -> list[str]:
    found: Any = bpy.data.objects.get(item)
    return sorted(one.name.split(".")[0] for one in found.children) if found else []


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="island", resolution=SIDE)
        mesh().terrain.active_layer = len(mesh().terrain.layers) - 1
        bpy.ops.terrain.layer_remove()  # it smooths, and so would spread what a mask changes
        bpy.ops.view3d.view_selected()
    mesh().terrain.water.rivers = mesh().terrain.water.lakes = True
    yield from ui.open_tab("Terrain")
    for header in (13, 38):  # collapse Terrain and Layers
        yield from ui.click_sidebar(header)
    for name, header in HEADERS.items():
        yield from ui.click_sidebar(header)
        ui.shot(f"panels-{name}")
        yield from ui.click_sidebar(header)
    yield from ui.click_sidebar(38)
    ui.shot("panels-layers")

    paint()
    yield from ui.rebuilt(NAME)
    before = ui.heights(NAME).reshape(SIDE, SIDE)
    mask = mesh().terrain.layers[-2].mask_map
    mask.source = "West"
    mask.use = True
    mesh().terrain.active_layer = len(mesh().terrain.layers) - 2
    yield from ui.rebuilt(NAME)
    ui.xdotool("mousemove_relative", "--", "0", "60")
    yield 1.0
    ui.shot("panels-map")
    yield from ui.click_sidebar(MASK)
    ui.shot("panels-map-mask")
    after = ui.heights(NAME).reshape(SIDE, SIDE)
    yield from paint_weights(ui)
    yield from copy(ui)
    assert np.array_equal(before[:, 0], after[:, 0])
    assert not np.array_equal(before[:, 200], after[:, 200])
