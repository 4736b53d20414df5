# SPDX-License-Identifier: GPL-3.0-or-later
"""Paint where a layer acts: the terrain follows each stroke, and its undo, in both paint modes."""

from typing import Any

import bpy
import numpy as np


def item() -> Any:
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Hills"]


def heights():
    mesh = item().data
    out = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes["height"].data.foreach_get("value", out)
    return out


def stroke(ui, start, end):
    """Between shares of the viewport."""
    region = ui.region("WINDOW")
    ends = (ui.screen_xy(region, a * region.width, b * region.height) for a, b in (start, end))
    yield from ui.drag(*(number for place in ends for number in place))


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="rolling_hills", resolution=129)
        bpy.ops.view3d.view_selected()
        bpy.ops.terrain.layer_add(kind="erosion")
    bpy.context.object.name = "Hills"
    item().vertex_groups.new(name="Erode")
    item().data.color_attributes.new("Raise", "BYTE_COLOR", "POINT")
    for number, name in ((-1, "Erode"), (0, "Raise")):
        mask = item().data.terrain.layers[number].mask_map
        mask.source, mask.use = name, True
    yield from ui.wait_until(lambda: ui.module("blender.live.surface").is_current(item().data), "")
    bpy.ops.ed.undo_push(message="masks")
    yield from painted(ui, "WEIGHT_PAINT", "paint-1-weights")
    item().data.attributes.active_color_name = "Raise"
    yield from painted(ui, "VERTEX_PAINT", "paint-2-colors")


def painted(ui, mode, name):
    bpy.ops.object.mode_set(mode=mode)
    yield 1.0
    before = heights()
    yield from stroke(ui, (0.35, 0.45), (0.6, 0.5))
    yield from ui.wait_until(lambda: not np.array_equal(heights(), before), f"{mode}: no change")
    yield 1.0
    ui.shot(name)
    once = heights()
    yield from stroke(ui, (0.35, 0.55), (0.6, 0.6))
    yield from ui.wait_until(
        lambda: not np.array_equal(heights(), once), f"{mode}: one stroke only"
    )
    assert item().mode == mode, item().mode
    yield 0.5
    yield from ui.press("ctrl+z")
    yield from ui.wait_until(lambda: np.array_equal(heights(), once), f"{mode}: undo")
    ui.shot(f"{name}-undone")
    bpy.ops.object.mode_set(mode="OBJECT")
    yield 0.5
    assert np.array_equal(heights(), once)
