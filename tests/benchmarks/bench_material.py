# SPDX-License-Identifier: GPL-3.0-or-later
"""Frame times of the natural and the simple material, in turn: processor time of all threads.

Without denoising and adaptive sampling, so that both take the same number of samples. EEVEE renders
in a window on a virtual screen, with OpenGL that the processor draws: tests/window/time_eevee.py.
"""

from __future__ import annotations

import dataclasses
import json
import os
import statistics
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bpy

import terrain_addon
from tests.benchmarks.timing import Row, Tables, aim

PRESETS = ("alps", "island")
POINTS = 1025
ROUNDS = 7
SIZE = (320, 180)
SAMPLES = 16
LIMIT = 1.4
"""Times the frame time of the simple material."""
ROOT = Path(__file__).parents[2]
WINDOW = ROOT / "tests" / "window"
SECONDS = 1800
"""The longest that the window may take."""


def tables() -> Tables:
    """All tables of this benchmark."""
    terrain_addon.register()
    cycles = {preset: _cycles(preset) for preset in PRESETS}
    terrain_addon.unregister()
    found = {_title(preset, "Cycles"): _rows(times) for preset, times in cycles.items()}
    eevee = _eevee()
    return found | ({_title("alps", "EEVEE"): _rows(eevee)} if eevee else {})


def _title(preset: str, engine: str) -> str:
    return f"Frame of {preset.title()} in {engine}, {POINTS} x {POINTS} points"


def _rows(times: Mapping[str, list[float]]) -> list[Row]:
    """Median frame times of both materials, without the first turn, which compiles shaders."""
    median = {kind: statistics.median(values[1:]) for kind, values in times.items()}
    rows = [Row(kind, ms, ms / median["simple"], "simple") for kind, ms in median.items()]
    aim(rows, "natural", LIMIT, than="simple")
    return rows


def _eevee() -> dict[str, list[float]]:
    """Milliseconds by material that the newest built extension takes in a window."""
    packages = sorted((ROOT / "build").glob("*.zip"), key=lambda path: path.stat().st_mtime)
    if not packages or not hasattr(os, "geteuid") or os.geteuid() != 0:
        print("SKIPPED: EEVEE needs `make build`, and root for a virtual screen", flush=True)
        return {}
    screen, out = WINDOW / "screen", ROOT / "build" / "window" / "time_eevee"
    out.mkdir(parents=True, exist_ok=True)
    (out / "times.json").unlink(missing_ok=True)
    subprocess.run([screen / "setup.sh"], check=True)
    command = [screen / "run.sh", packages[-1], WINDOW / "time_eevee.py", out]
    subprocess.run(command, check=True, env={**os.environ, "WINDOW_SECONDS": str(SECONDS)})
    return json.loads((out / "times.json").read_text())


def _cycles(preset: str) -> dict[str, list[float]]:
    """Milliseconds of each frame by material."""
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
    _set_up(scene, terrains["natural"])
    times: dict[str, list[float]] = {kind: [] for kind in terrains}
    for _ in range(ROUNDS + 1):
        for kind in terrains:
            for other, item in terrains.items():
                for one in (item, *item.children):
                    one.hide_render = other != kind
            begun = time.process_time()
            bpy.ops.render.render()
            times[kind].append((time.process_time() - begun) * 1e3)
    return times


def _set_up(scene: Any, terrain: Any) -> None:
    """Light, a camera low above the terrain, and the settings of the renderer."""
    from terrain_addon.blender.objects import scenery

    view = scenery.View(azimuth=-62.0, elevation=20.0, fill=0.8)
    scenery.set_up(
        scene, terrain, scenery.SceneryChoices("noon", edges="none", haze=0.0, view=view)
    )
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.max_bounces = "CPU", SAMPLES, 3
    cycles.use_denoising = cycles.use_adaptive_sampling = False
