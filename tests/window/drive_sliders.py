# SPDX-License-Identifier: GPL-3.0-or-later
"""Add an island by menu, drag sliders, undo and redo: the mesh follows each time. Then bake."""

import bpy
import numpy as np


def terrain_mesh():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Island"].data


def finished(ui):
    """Give control back until the worker is done and the mesh is no preview.

    For a second: the events of a mouse can still be on their way.
    """
    idle = 0
    for _ in range(300):
        yield 0.1
        busy = ui.module("blender.live.rebuild").is_busy() or "~" in terrain_mesh().terrain.built
        idle = 0 if busy else idle + 1
        if idle == 10:
            return
    raise AssertionError("the worker never ended")


def add_by_menu(ui):
    yield from ui.press("shift+a")
    for letter in "island":
        ui.xdotool("key", letter)
        yield 0.1
    ui.shot("sliders-1-menu")
    ui.xdotool("key", "Return")
    yield 1.5


def bake_by_mouse(ui):
    for header in (13, 38, 150, 179):  # collapse Terrain and Layers, open Output and Bake
        yield from ui.click_sidebar(header)
    terrain_mesh().terrain.bake.width = 256
    yield from ui.press_button("bpy.ops.terrain.bake()", across=0.3)
    yield from ui.wait_until(lambda: "Island Heightmap" in bpy.data.images, "nothing was baked")
    yield 0.5
    ui.shot("sliders-6-baked")
    image = bpy.data.images["Island Heightmap"]
    values = np.empty(256 * 256 * 4, np.float32)
    image.pixels.foreach_get(values)
    assert values[0::4].min() == 0
    assert values[0::4].max() == 1
    yield from ui.press("ctrl+z")
    assert "Island Heightmap" not in bpy.data.images
    yield from ui.press("ctrl+shift+z")
    assert "Island Heightmap" in bpy.data.images


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    yield from add_by_menu(ui)
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.view3d.view_selected()
    assert ui.view3d().spaces.active.shading.color_type == "VERTEX"
    yield from ui.open_tab("Terrain")
    ui.shot("sliders-2-added")
    yield from finished(ui)
    states = [ui.heights("Island")]

    x, y = yield from ui.find_button("terrain.layers[0].opacity")
    yield from ui.drag(x + 30, y, x - 60, y)
    yield from finished(ui)
    assert terrain_mesh().terrain.layers[0].opacity < 1
    states.append(ui.heights("Island"))
    assert not np.array_equal(states[0], states[1])
    ui.shot("sliders-3-dragged")

    x, y = yield from ui.find_button("terrain.seed")
    yield from ui.drag(x, y, x + 60, y)
    yield from finished(ui)
    states.append(ui.heights("Island"))
    assert not np.array_equal(states[1], states[2])
    ui.shot("sliders-4-seed")

    for key, expected in (
        ("ctrl+z", 1),
        ("ctrl+z", 0),
        ("ctrl+shift+z", 1),
        ("ctrl+shift+z", 2),
        ("ctrl+z", 1),
    ):
        yield from ui.press(key)
        yield from finished(ui)
        assert np.array_equal(ui.heights("Island"), states[expected]), (
            f"{key}: not state {expected}"
        )
        mesh = terrain_mesh()
        built = np.empty(len(mesh.vertices), np.float32)
        mesh.attributes["height"].data.foreach_get("value", built)
        assert np.array_equal(built, states[expected])
    ui.shot("sliders-5-undone")
    yield from bake_by_mouse(ui)
