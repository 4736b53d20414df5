# SPDX-License-Identifier: GPL-3.0-or-later
"""Use the panels in Properties > Object Data: copy a height, and drag a setting."""

from typing import Any

import bpy

HEADERS = 204, 76
"""Distance of the headers of Shape Keys and Vertex Groups from the top of the region."""
SEED, HIGHEST, FIELD = 371, 525, 0.75
"""The same of two rows of ours once those are closed, and how far across their fields are."""


def properties() -> Any:
    areas = bpy.context.window_manager.windows[0].screen.areas
    return next(area for area in areas if area.type == "PROPERTIES")


def place(ui, down, across):
    region = next(one for one in properties().regions if one.type == "WINDOW")
    return ui.screen_xy(region, region.width * across, region.height - down)


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="island", resolution=129)
    properties().spaces.active.context = "DATA"
    yield 1.0
    ui.shot("data-1")
    for header in HEADERS:
        yield from ui.click(*place(ui, header, 0.3))
    ui.shot("data-2")
    yield from ui.click(*place(ui, HIGHEST, FIELD))
    copied = float(bpy.context.window_manager.clipboard)
    ui.shot("data-3")
    mesh = bpy.context.object.data
    highest = max(one.value for one in mesh.attributes["height"].data)
    assert abs(copied - highest) < 1e-6, copied
    x, y = place(ui, SEED, FIELD)
    yield from ui.drag(x, y, x + 60, y)
    assert bpy.context.object.data.terrain.seed > 0
    ui.shot("data-4")
