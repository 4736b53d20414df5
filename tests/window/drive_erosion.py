# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion takes long on a coarse grid too: sliders go on, and results come one by one."""

import time

import bpy


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    yield from ui.open_tab("Terrain")
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="island", resolution=257)
    bpy.ops.terrain.layer_add(kind="erosion")
    yield from ui.rebuilt("Island")
    terrain = bpy.context.object.data.terrain
    took = []
    seen = {terrain.built}
    for seed in range(1, 31):
        started = time.perf_counter()
        terrain.seed = seed
        took.append(time.perf_counter() - started)
        yield 0.2
        seen.add(terrain.built)
    took = sorted(took[5:])  # the first ones are tried with a preview
    print(f"tick {took[len(took) // 2]:.3f} s, lands shown {len(seen) - 1}", flush=True)
    ui.shot("erosion-1-dragged")
    assert len(seen) > 2, "nothing moved under the mouse"
    yield from ui.rebuilt("Island")
    ui.shot("erosion-2-finished")
