# SPDX-License-Identifier: GPL-3.0-or-later
"""Frame times of the natural and the simple material, in turn: processor time of all threads.

Without denoising and adaptive sampling, so that both take the same number of samples. EEVEE runs on
whatever draws OpenGL, which on a machine without a graphics card is the processor.
"""

from __future__ import annotations

import dataclasses
import statistics
import time
from typing import Any

import bpy

import terrain_addon

from .timing import Row, Tables, aim

FRAMES = {"Cycles": ("alps", "island"), "EEVEE": ("alps",)}
POINTS = 1025
ROUNDS = 3
SIZE = (320, 180)
SAMPLES = {"Cycles": 16, "EEVEE": 4}
LIMIT = 1.4
"""Times the frame time of the simple material."""


def tables() -> Tables:
    """All tables of this benchmark."""
    terrain_addon.register()
    found = {
        f"Frame of {preset.title()} in {engine}, {POINTS} x {POINTS} points": _frames(
            preset, engine
        )
        for engine, names in FRAMES.items()
        for preset in names
    }
    terrain_addon.unregister()
    return found


def _frames(preset: str, engine: str) -> list[Row]:
    """Median frame times of both materials."""
    from terrain_addon.blender.operators.add import make_terrain
    from terrain_addon.core import presets

    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene: Any = bpy.context.scene
    recipe = presets.load(preset)
    terrains = {
        kind: make_terrain(
            kind, dataclasses.replace(recipe, material=kind), POINTS, scene.collection
        )
        for kind in ("simple", "natural")
    }
    bpy.context.view_layer.update()
    _set_up(scene, terrains["natural"], engine)
    times: dict[str, list[float]] = {kind: [] for kind in terrains}
    for turn in range(ROUNDS + 1):
        for kind in terrains:
            for other, item in terrains.items():
                for one in (item, *item.children):
                    one.hide_render = other != kind
            begun = time.process_time()
            bpy.ops.render.render()
            if turn:  # the first turn compiles shaders
                times[kind].append((time.process_time() - begun) * 1e3)
    median = {kind: statistics.median(values) for kind, values in times.items()}
    rows = [Row(kind, ms, ms / median["simple"], "simple") for kind, ms in median.items()]
    aim(rows, "natural", LIMIT, than="simple")
    return rows


def _set_up(scene: Any, terrain: Any, engine: str) -> None:
    """Light, a camera low above the terrain, and the settings of the renderer."""
    from terrain_addon.blender.objects import scenery

    view = scenery.View(azimuth=-62.0, elevation=20.0, fill=0.8)
    scenery.set_up(scene, terrain, scenery.Setting("noon", edges="none", haze=0.0, view=view))
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    if engine == "Cycles":
        scene.render.engine = "CYCLES"
        cycles = scene.cycles
        cycles.device, cycles.samples, cycles.max_bounces = "CPU", SAMPLES[engine], 3
        cycles.use_denoising = cycles.use_adaptive_sampling = False
    else:
        newest = bpy.app.version >= (5, 0, 0)
        scene.render.engine = "BLENDER_EEVEE" if newest else "BLENDER_EEVEE_NEXT"
        scene.eevee.taa_render_samples = SAMPLES[engine]
