# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion takes long on a coarse grid too: sliders go on, and results come one by one."""

import importlib
import time

import bpy

LONGEST = 60.0  # seconds that one job may take on a slow machine


def is_current():
    modules = [addon.module for addon in bpy.context.preferences.addons]
    extension = next(name for name in modules if name.endswith("orogen"))
    surface = importlib.import_module(f"{extension}.terrain_addon.blender.live.surface")
    return surface.is_current(bpy.context.object.data)


def finished():
    """Give control back until the worker has delivered."""
    until = time.monotonic() + LONGEST
    while not is_current():
        assert time.monotonic() < until, "the worker delivered nothing"
        yield 0.1
    yield 0.3


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    yield from ui.open_tab("Terrain")
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="island", resolution=257)
    bpy.ops.terrain.layer_add(kind="erosion")
    yield from finished()
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
    yield from finished()
    ui.shot("erosion-2-finished")
