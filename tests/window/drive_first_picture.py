# SPDX-License-Identifier: GPL-3.0-or-later
"""A new terrain is never a flat plane: not when it is added, not when what follows is undone."""

import bpy
import numpy as np


def relief(ui, name):
    """Range of the heights of a terrain, in meters."""
    return float(np.ptp(ui.heights(name)))


def add(ui, preset):
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add("INVOKE_DEFAULT", True, preset=preset, resolution=513)
    return bpy.context.view_layer.objects.active.name


def drive(ui):
    rebuild = ui.module("blender.live.rebuild")
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    for preset in ui.module("core").presets.names():
        name = add(ui, preset)
        assert relief(ui, name) > 1.0, f"{preset} is added as a plane"
        rebuild.cancel()
        bpy.ops.object.delete()
        yield 0.1
    name = add(ui, "island")
    yield 0.2
    ui.shot("first-picture-1-added")
    coarse = relief(ui, name)
    yield from ui.rebuilt(name)
    full = relief(ui, name)
    assert abs(coarse - full) < 0.2 * full, (coarse, full)
    layers = bpy.data.objects[name].data.terrain.layers
    layer = next(layer for layer in layers if layer.kind == "fractal_noise")
    layer.fractal_noise.height *= 1.3
    bpy.ops.ed.undo_push(message="Height")
    yield from ui.rebuilt(name)
    yield from ui.press("ctrl+z")
    assert relief(ui, name) > 0.5 * full, "the undone terrain is a plane"
    ui.shot("first-picture-2-undone")
    yield from ui.rebuilt(name)
    assert abs(relief(ui, name) - full) < 1e-3 * full
    ui.shot("first-picture-3-rebuilt")
    yield 0.2
