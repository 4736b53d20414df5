# SPDX-License-Identifier: GPL-3.0-or-later
"""Open each panel by mouse, and let a layer act where an attribute says."""

import bpy
import numpy as np

HEADERS = {"colours": 66, "water": 94, "bake": 122, "analysis": 150}
"""Distance of the panels' headers from the top of the sidebar while all are closed."""

MASK = 464
"""The same of the panel Mask below that of a levels layer, with all above Layers closed."""


def mesh():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Island"].data


def click(ui, down, across=0.3):
    region = ui.region("UI")
    yield from ui.click(*ui.screen_xy(region, region.width * across, region.height - down))
    yield 0.3


def paint():
    """An attribute that is 1 in the west and 0 in the east."""
    side = 257
    west = np.linspace(1, 0, side, dtype=np.float32)[None] * np.ones((side, 1), np.float32)
    mesh().attributes.new("West", "FLOAT", "POINT").data.foreach_set("value", west.reshape(-1))


def paint_weights(ui):
    """The land follows when its user leaves the paint mode."""
    item = bpy.data.objects["Island"]
    mesh().terrain.layers[-2].mask_map.source = "Painted"  # which is not there yet
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.object.mode_set(mode="WEIGHT_PAINT")
    yield 0.5
    item.vertex_groups.new(name="Painted").add(range(257 * 100), 1.0, "REPLACE")
    before = heights()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.object.mode_set(mode="OBJECT")
    yield 1.0
    ui.shot("panels-painted")
    assert not np.array_equal(before, heights()), "the land did not follow"


def copy(ui):
    """A copy gets water of its own."""
    region = ui.region("WINDOW")
    ui.xdotool("mousemove", *map(int, ui.screen_xy(region, 300, 300)))
    yield 0.3
    ui.xdotool("key", "shift+d")
    yield 0.5
    ui.xdotool("key", "Escape")  # leave it where it is
    yield 1.0
    children = sorted(child.name for child in bpy.data.objects["Island.001"].children)
    assert [name.split(".")[0] for name in children] == ["Lakes", "Rivers", "Sea"], children


def heights():
    out = np.empty(len(mesh().vertices), np.float32)
    mesh().attributes["height"].data.foreach_get("value", out)
    return out.reshape(257, 257)


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="island", resolution=257)
        mesh().terrain.active_layer = len(mesh().terrain.layers) - 1
        bpy.ops.terrain.layer_remove()  # it smooths, and so would spread what a mask changes
        bpy.ops.view3d.view_selected()
    mesh().terrain.water.rivers = mesh().terrain.water.lakes = True
    yield from ui.open_tab("Terrain")
    for header in (13, 38):  # collapse Terrain and Layers
        yield from click(ui, header)
    for name, header in HEADERS.items():
        yield from click(ui, header)
        ui.shot(f"panels-{name}")
        yield from click(ui, header)
    yield from click(ui, 38)
    ui.shot("panels-layers")

    paint()
    before = heights()
    mask = mesh().terrain.layers[-2].mask_map
    mask.source = "West"
    mask.use = True
    mesh().terrain.active_layer = len(mesh().terrain.layers) - 2
    yield 1.0
    ui.xdotool("mousemove_relative", "--", "0", "60")
    yield 1.0
    ui.shot("panels-map")
    yield from click(ui, MASK)
    ui.shot("panels-map-mask")
    after = heights()
    yield from paint_weights(ui)
    yield from copy(ui)
    assert np.array_equal(before[:, 0], after[:, 0])
    assert not np.array_equal(before[:, 200], after[:, 200])
