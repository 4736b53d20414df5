# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers narrower than a pixel are whole lines in a solid viewport, and lakes show their water."""

import math
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Euler, Vector

WHOLE = 0.97
"""Least share of the points of rivers whose pixels, or those beside them, are blue."""


def look(ui, name, tilt, share, at=(0.0, 0.0)) -> Any:
    """Look at a terrain's place, in shares of its size, at that distance, and leave a picture."""
    size = max(bpy.data.objects[name].dimensions[:2])
    view = ui.plain_view()
    bpy.ops.object.select_all(action="DESELECT")
    view.view_location = (at[0] * size, at[1] * size, 0)
    view.view_distance = share * size
    view.view_rotation = Euler((math.radians(tilt), 0, 0.3)).to_quaternion()
    view.view_perspective = "PERSP"
    yield 1.5
    yield from ui.handled()


def blue_at(ui, shot, places):
    """The share of places of the world, among those in the viewport, that look like water."""
    image: Any = bpy.data.images.load(str(Path(ui.out, f"{shot}.png")))
    pixels = np.array(image.pixels[:]).reshape(image.size[1], image.size[0], 4)
    bpy.data.images.remove(image)
    region = ui.region("WINDOW")
    seen: list[bool] = []
    for place in places:
        spot = location_3d_to_region_2d(region, ui.view3d().spaces.active.region_3d, Vector(place))
        if spot and 80 < spot.x < region.width - 80 and 80 < spot.y < region.height - 80:
            x, y = round(region.x + spot.x), round(region.y + spot.y)
            around = pixels[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 4)
            seen.append(bool((around[:, 2] > around[:, 0] + 0.08).any()))
    assert len(seen) > 50, len(seen)
    return float(np.mean(seen))


def middles(ui):
    """The points of all rivers, and those halfway between them."""
    rivers = next(one for one in bpy.data.objects if one.get("terrain_water") == "Rivers")
    ends, _ = ui.module("blender.ui.river_lines").middle_of(rivers.data)
    lines = ends.reshape(-1, 2, 3)
    return np.concatenate([lines[:, 0], lines.mean(axis=1)])


def added(ui, preset, resolution):
    """Add a terrain with its rivers and lakes, alone in the file."""
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset=preset, resolution=resolution)
    name = bpy.context.object.name
    yield from ui.rebuilt(name)
    water = bpy.data.objects[name].data.terrain.water
    water.rivers = water.lakes = True
    yield from ui.wait_until(
        lambda: any(one.get("terrain_water") == "Rivers" for one in bpy.data.objects), "no river"
    )
    yield from ui.rebuilt(name)
    yield 1.0
    return name


def drive(ui):
    for preset, resolution in (("alps", 257), ("alps", 513), ("island", 257), ("island", 513)):
        name = yield from added(ui, preset, resolution)
        shot = f"rivers-{preset}-{resolution}"
        yield from look(ui, name, tilt=0, share=1.2)
        ui.shot(f"{shot}-above")
        share = blue_at(ui, f"{shot}-above", middles(ui))
        print(f"{shot}: {share:.1%} of the points of rivers are blue", flush=True)
        assert share > WHOLE, (shot, share)
        yield from look(ui, name, tilt=55, share=0.55, at=(0.08, -0.15))
        ui.shot(shot)
    yield from drawn(ui)


def drawn(ui):
    """A lake and a river that were drawn."""
    name = yield from added(ui, "alps", 257)
    for kind in ("lake", "river"):
        ui.activate(name)
        before = ui.heights(name)
        with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
            bpy.ops.terrain.draw(kind=kind, way="READY_MADE")
        yield from ui.reshaped(name, before, f"no {kind}")
        yield from ui.rebuilt(name)
    yield from look(ui, name, tilt=0, share=1.2)
    ui.shot("rivers-drawn-above")
    assert blue_at(ui, "rivers-drawn-above", middles(ui)) > WHOLE
    yield from look(ui, name, tilt=50, share=0.6)
    ui.shot("rivers-drawn")
