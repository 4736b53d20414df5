# SPDX-License-Identifier: GPL-3.0-or-later
"""Time frames of both materials in EEVEE, which renders only where there is a screen.

tests/benchmarks/bench_material.py runs this driver and reads what it writes: for each material,
milliseconds of processor time of all threads, one number for each turn.
"""

import dataclasses
import json
import time
from pathlib import Path
from typing import Any

import bpy

PRESET = "alps"
POINTS = 1025
TURNS = 4
"""Of which the first compiles shaders."""
SIZE = (320, 180)
SAMPLES = 4


def drive(ui):
    scene: Any = bpy.context.scene
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    make_terrain = ui.module("blender.operators.add").make_terrain
    recipe = ui.module("core").presets.load(PRESET)
    terrains = {
        kind: make_terrain(
            kind, dataclasses.replace(recipe, material=kind), POINTS, scene.collection
        )
        for kind in ("simple", "natural")
    }
    yield 0.5
    scenery = ui.module("blender.objects.scenery")
    view = scenery.View(azimuth=-62.0, elevation=20.0, fill=0.8)
    setting = scenery.SceneryChoices("noon", edges="none", haze=0.0, view=view)
    scenery.set_up(scene, terrains["natural"], setting)
    scene.render.engine = "BLENDER_EEVEE"
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.eevee.taa_render_samples = SAMPLES
    times: dict[str, list[float]] = {kind: [] for kind in terrains}
    for turn in range(TURNS):
        for kind in terrains:
            for other, item in terrains.items():
                for one in (item, *item.children):
                    one.hide_render = one.hide_viewport = other != kind
            yield 0.1
            begun = time.process_time()
            scene.render.filepath = f"{ui.out}/{kind}.png"
            bpy.ops.render.render(write_still=True)
            times[kind].append((time.process_time() - begun) * 1e3)
            print(kind, turn, round(times[kind][-1]), "ms", flush=True)
    Path(ui.out, "times.json").write_text(json.dumps(times))
