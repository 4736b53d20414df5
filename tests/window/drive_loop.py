# SPDX-License-Identifier: GPL-3.0-or-later
"""Drag a slider and take the frames of the README's moving picture, which make_loop.py joins.

The frames show the full results, as the pointer waits for them.
"""

import bpy
from mathutils import Euler

FRAMES, PIXELS = 12, 3


def mesh():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Alps"].data


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="alps", resolution=513)
    bpy.context.object.name = "Alps"
    terrain = mesh().terrain
    number = next(n for n, layer in enumerate(terrain.layers) if layer.kind == "erosion")
    terrain.active_layer = number
    yield from ui.open_tab("Terrain")
    _set_view(ui.plain_view())
    yield 1.0
    x, y = yield from ui.find_button(f"terrain.layers[{number}].erosion.strength", across=0.7)
    first = mesh().terrain.layers[number].erosion.strength
    ui.xdotool("mousemove", int(x), int(y), "mousedown", 1)
    yield 0.2
    for frame in range(FRAMES):
        yield from ui.rebuilt("Alps")
        yield 0.2
        ui.shot(f"loop-{frame:02}")
        ui.xdotool("mousemove_relative", "--", -PIXELS, 0)
    ui.xdotool("mouseup", 1)
    yield from ui.wait_until(
        lambda: mesh().terrain.layers[number].erosion.strength < first, "the slider has not moved"
    )


def _set_view(view):
    view.view_rotation = Euler((1.12, 0.0, 0.5)).to_quaternion()
    view.view_distance = 14500.0
    view.view_location = (900.0, 0.0, 0.0)
