# SPDX-License-Identifier: GPL-3.0-or-later
"""What it costs to drag a point of a curve, and to move other objects while a terrain follows one.

Our processor time, as for :mod:`bench_live`, with the reading of the curve, beside the same peer.
"""

from __future__ import annotations

import itertools
import statistics
import time
from typing import Any

import bpy

import terrain_addon
from tests.benchmarks.bench_live import drag
from tests.benchmarks.bench_noise import LITE, beside_peer
from tests.benchmarks.timing import Row, Tables, aim

POINTS, DETAIL = 513, "256"
STEP = 0.5
"""Meters by which a point moves."""
PREVIEW, FULL, HANDLER = 0.85, 2.1, 0.003
"""Limits as multiples of the peer."""
OBJECTS, TURNS = 3000, 21
CASES = (("river", "Noise"), ("range", "Noise"), ("road", "Noise"), ("river", "Eroded Hills"))
"""Kinds of layers that follow the curve, and terrain: noise with an Erosion layer, or a preset."""


def tables() -> Tables:
    """All tables of this benchmark."""
    terrain_addon.register()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    found = {
        f"A point of a curve moved by {STEP} m, {POINTS} x {POINTS} points, River Detail {DETAIL}: "
        "processor time": moves(),
        f"A move of one of {OBJECTS} objects: processor time": others(),
    }
    terrain_addon.unregister()
    return found


def terrain_with(kind: str, name: str) -> tuple[Any, Any]:
    """An eroded terrain and the curve that a layer of a kind follows."""
    preset = "empty" if name == "Noise" else name.lower().replace(" ", "_")
    bpy.ops.terrain.add(preset=preset, resolution=POINTS)
    item: Any = bpy.context.object
    if name == "Noise":
        for one in ("fractal_noise", "erosion"):
            bpy.ops.terrain.layer_add(kind=one)
    next(
        one for one in item.data.terrain.layers if one.kind == "erosion"
    ).erosion.resolution = DETAIL
    bpy.ops.terrain.draw(kind=kind)
    curve: Any = bpy.context.object
    return item, curve


def moves() -> list[Row]:
    """Previews and full results, by the kind of layer that follows the curve."""
    beside = beside_peer()
    for kind, name in CASES:
        item, curve = terrain_with(kind, name)
        point = curve.data.splines[0].bezier_points[2]
        numbers = itertools.count(1)

        def move(turn: int, point: Any = point, numbers: Any = numbers) -> None:
            point.co.x += STEP * (-1) ** turn * (1 + 1e-4 * next(numbers))
            bpy.context.view_layer.update()

        drag(item.data, beside, f"{kind.title()}, {name}", move)
        for one in (curve, item):
            bpy.data.objects.remove(one)
    rows = beside.rows()
    for row in rows[1:]:
        aim(rows, row.name, PREVIEW if row.name.endswith("preview") else FULL, LITE)
    return rows


def others() -> list[Row]:
    """The handler of updates, while another object moves."""
    from terrain_addon.blender.live import watch

    terrain_with("river", "Noise")
    for number in range(OBJECTS):
        bpy.context.collection.objects.link(bpy.data.objects.new(f"Other {number}", None))
    spent: list[float] = []

    def timed(scene: Any, graph: Any) -> None:
        begun = time.process_time()
        watch._on_update(scene, graph)
        spent.append((time.process_time() - begun) * 1e3)

    bpy.context.view_layer.update()
    bpy.app.handlers.depsgraph_update_post.append(timed)
    beside = beside_peer()
    for turn in range(TURNS):
        bpy.data.objects["Other 7"].location.x = turn
        beside.run("Blender's update, with our handler", bpy.context.view_layer.update)
    bpy.app.handlers.depsgraph_update_post.remove(timed)
    rows, handler = beside.rows(), statistics.median(spent)
    rows.append(Row("our handler", handler, handler / rows[0].value, beside.name))
    aim(rows, "our handler", HANDLER, LITE)
    return rows
