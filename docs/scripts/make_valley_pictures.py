# SPDX-License-Identifier: GPL-3.0-or-later
"""Take the steps of the guide *Draw a valley* with its operators, and render their pictures.

    python docs/scripts/make_valley_pictures.py

Needs bpy. Writes JPEG files to docs/pictures/.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "scripts")]

import studio  # noqa: E402

import terrain_addon  # noqa: E402
from terrain_addon.blender.live import shapes  # noqa: E402
from terrain_addon.blender.mesh.sculpted import heights_at  # noqa: E402
from terrain_addon.blender.objects import drawn_objects  # noqa: E402
from terrain_addon.blender.objects.scenery import SceneryChoices, View  # noqa: E402

RANGE = [(-950, 350), (-500, 520), (0, 470), (420, 600), (950, 430)]
RIVER = [(60, 900), (-60, 640), (40, 420), (-60, 150), (120, -120), (60, -450), (160, -1000)]
MOVED = [(60, 900), (-60, 640), (40, 420), (-260, 150), (-160, -120), (60, -450), (160, -1000)]
ROAD = [(240, -1000), (185, -620), (190, -330), (330, -60)]
LAKE = [
    (-170, -500), (-205, -560), (-190, -640), (-245, -720), (-330, -745), (-415, -690),
    (-520, -665), (-540, -610), (-460, -590), (-380, -610), (-300, -565), (-250, -490),
]  # fmt: skip
HOUSE = (385.0, -40.0)


def main(size: Sequence[int] = (960, 540), samples: int = 24) -> None:
    """Build the valley, and take a picture after each step that changes its look."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    terrain_addon.register()
    bpy.ops.terrain.add(preset="eroded_hills", resolution=513)
    terrain: Any = bpy.context.object
    settings = terrain.data.terrain
    table = View(azimuth=-84.0, elevation=40.0, fill=1.25, lens=60.0, horizon=False)
    view = SceneryChoices(edges="block", view=table)

    def shoot(name: str) -> None:
        bpy.context.view_layer.update()
        path = PICTURES / f"valley_{name}.jpg"
        studio.photograph(
            terrain, path, width=size[0], height=size[1], samples=samples, setting=view
        )
        print(path.name, flush=True)

    settings.layers[0].fractal_noise.height = 60.0
    draw(terrain, "range", RANGE)
    settings.layers[settings.active_layer].range.height = 260.0
    bpy.ops.terrain.find_rivers()
    shoot("range")
    river = draw(terrain, "river", RIVER)
    settings.layers[settings.active_layer].river.width = 24.0
    shoot("river")
    reshape(river, MOVED)
    shoot("moved")
    draw(terrain, "road", ROAD)
    draw(terrain, "lake", LAKE, closed=True)
    settings.water.min_lake_size = 0.06
    house(terrain, *HOUSE)
    shoot("road")
    terrain.select_set(True)
    bpy.context.view_layer.objects.active = terrain
    bpy.ops.terrain.plants_add(seed=1)
    shoot("trees")
    bpy.ops.terrain.check()


def draw(
    terrain: bpy.types.Object, kind: str, points: Sequence[Sequence[float]], closed: bool = False
) -> bpy.types.Object:
    """Draw > Add Ready-Made, with the points of the curve moved."""
    for item in bpy.data.objects:
        item.select_set(item == terrain)
    bpy.context.view_layer.objects.active = terrain
    bpy.ops.terrain.draw(kind=kind)
    curve: Any = bpy.context.object
    reshape(curve, points, closed)
    return curve


def reshape(curve: Any, points: Sequence[Sequence[float]], closed: bool = False) -> None:
    """Put a curve through other points, on the surface."""
    data = curve.data
    data.splines.clear()
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(len(points) - 1)
    spline.use_cyclic_u = closed
    for point, place in zip(spline.bezier_points, points, strict=True):
        point.co = (*place, 0.0)
        point.handle_left_type = point.handle_right_type = "AUTO"
    drawn_objects.drape(curve, curve.parent)
    settle()


def settle() -> None:
    """Let terrains follow their curves, as before Blender draws again."""
    bpy.context.view_layer.update()
    if bpy.app.timers.is_registered(shapes.follow):
        bpy.app.timers.unregister(shapes.follow)
        shapes.follow()
    bpy.context.view_layer.update()


def house(terrain: Any, x: float, y: float) -> None:
    """Add a house on a pad of its own."""
    height = float(heights_at(terrain.data, np.array([x]), np.array([y]))[0])
    bpy.ops.mesh.primitive_cube_add(size=1, location=(x, y, height + 5))
    walls: Any = bpy.context.object
    walls.name = "House"
    walls.scale = (26, 14, 10)
    walls.rotation_euler.z = math.radians(20)
    bpy.context.view_layer.update()
    for item in bpy.data.objects:
        item.select_set(item in (walls, terrain))
    bpy.context.view_layer.objects.active = terrain
    bpy.ops.terrain.draw(kind="pad", way="SELECTED")
    settle()


if __name__ == "__main__":
    main(*([(640, 360), 8] if "--draft" in sys.argv else []))
    sys.stdout.flush()
    os._exit(0)  # Some releases of bpy crash while the interpreter shuts down.
