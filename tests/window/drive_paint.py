# SPDX-License-Identifier: GPL-3.0-or-later
"""Paint where a layer acts: the terrain follows each stroke, and its undo, in both paint modes; a
button begins a new map."""

from typing import Any

import bpy

NAME = "Hills"


def item() -> Any:
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects[NAME]


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="rolling_downs", resolution=129)
        bpy.ops.view3d.view_selected()
        bpy.ops.terrain.layer_add(kind="erosion")
    bpy.context.object.name = NAME
    item().vertex_groups.new(name="Erode")
    item().data.color_attributes.new("Raise", "BYTE_COLOR", "POINT")
    for number, name in ((-1, "Erode"), (0, "Raise")):
        mask = item().data.terrain.layers[number].mask_map
        mask.source, mask.use = name, True
    yield from ui.rebuilt(NAME)
    bpy.ops.ed.undo_push(message="masks")
    yield from painted(ui, "WEIGHT_PAINT", "paint-1-weights")
    item().data.attributes.active_color_name = "Raise"
    yield from painted(ui, "VERTEX_PAINT", "paint-2-colors")
    yield from painted_by_button(ui)


def painted(ui, mode, name):
    bpy.ops.object.mode_set(mode=mode)
    yield from ui.rebuilt(NAME)
    before = ui.heights(NAME)
    yield from ui.stroke((0.35, 0.45), (0.6, 0.5))
    yield from ui.reshaped(NAME, before, f"{mode}: no change")
    yield 1.0
    ui.shot(name)
    once = ui.heights(NAME)
    yield from ui.stroke((0.35, 0.55), (0.6, 0.6))
    yield from ui.reshaped(NAME, once, f"{mode}: one stroke only")
    assert item().mode == mode, item().mode
    yield 0.5
    yield from ui.press("ctrl+z")
    yield from ui.restored(NAME, once, f"{mode}: undo")
    ui.shot(f"{name}-undone")
    bpy.ops.object.mode_set(mode="OBJECT")
    yield from ui.rebuilt(NAME)
    yield from ui.restored(NAME, once, f"{mode}: left")


def painted_by_button(ui):
    """From a layer without a map to the first stroke with one click."""
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.layer_add(kind="height_map")
    yield from ui.rebuilt(NAME)
    yield from ui.open_tab("Terrain")
    ui.shot("paint-3-button")
    settings = f"terrain.layers[{item().data.terrain.active_layer}].height_map"
    call = f'bpy.ops.terrain.paint_map(settings="{settings}", setting="source")'
    x, y = yield from ui.find_button(call, key="ctrl+c", across=0.7)
    overlay = ui.view3d().spaces.active.overlay
    assert overlay.weight_paint_mode_opacity == 1
    yield from ui.click(x, y)
    yield from ui.wait_until(lambda: item().mode == "WEIGHT_PAINT", "no paint mode")
    assert overlay.weight_paint_mode_opacity == 0.5, "weights hide the land"
    yield from ui.rebuilt(NAME)
    before = ui.heights(NAME)
    yield from ui.stroke((0.35, 0.45), (0.55, 0.5))
    yield from ui.reshaped(NAME, before, "the first stroke changes nothing")
    yield 1.0
    ui.shot("paint-4-first-stroke")
    yield from soften(ui)
    done = "bpy.ops.object.mode_set(mode='OBJECT')"
    region = ui.region("UI")
    top = ui.screen_xy(region, 0, region.height)[1]
    _, down = yield from ui.find_button(done, key="ctrl+c", across=0.7, start=int(y - top) - 11)
    assert abs(down - y) < 12, "Done Painting is not where Paint was"
    yield from ui.click(x, down + 4)
    yield from ui.wait_until(lambda: item().mode == "OBJECT", "still painting")
    yield from ui.wait_until(lambda: overlay.weight_paint_mode_opacity == 1, "not restored")
    ui.shot("paint-5-done")
    yield 0.3


def soften(ui):
    """The opacity of the layer can be changed while its map is painted."""
    layer, before = item().data.terrain.layers[item().data.terrain.active_layer], ui.heights(NAME)
    x, y = yield from ui.find_button(f"{layer.path_from_id('opacity')}", across=0.7)
    yield from ui.drag(x, y, x - 40, y)
    yield from ui.reshaped(NAME, before, "the slider does nothing while a map is painted")
    assert item().mode == "WEIGHT_PAINT"
