# SPDX-License-Identifier: GPL-3.0-or-later
"""Take the picture of the panel that the README shows: panel.png in the output folder."""

import bpy
from mathutils import Euler


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    region = ui.region("WINDOW")
    with bpy.context.temp_override(area=ui.view3d(), region=region):
        bpy.ops.terrain.add(preset="island", resolution=1025)
    yield from ui.open_tab("Terrain")
    view = ui.plain_view()
    view.view_rotation = Euler((1.02, 0.0, 0.55)).to_quaternion()
    view.view_location = (350.0, -60.0, 0.0)
    view.view_distance = 1900.0
    yield 2.0
    ui.shot("panel")
    assert len(bpy.context.object.data.vertices) == 1025 * 1025
