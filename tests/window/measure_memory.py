# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure what holds memory in a window: after each kind of work, with and without what the
allocators keep for later.

    tests/window/screen/run.sh build/orogen-*.zip tests/window/measure_memory.py build/window/memory

Each phase repeats one kind of work twice; then a new file is opened.
MEMORY_TURNS are the repetitions, MEMORY_POINTS the points along a side.
"""

import ctypes
import gc
import os
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import bpy

TURNS = int(os.environ.get("MEMORY_TURNS", "12"))
POINTS = int(os.environ.get("MEMORY_POINTS", "513"))
NAME = "Land"


def resident() -> int:
    """MiB of this process that are in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def say(what: str) -> None:
    print(
        f"MEMORY {what:34} {resident():5} MiB; {len(os.listdir('/proc/self/task'))} threads, "
        f"{threading.active_count()} of Python",
        flush=True,
    )


def give_back() -> None:
    """Let the allocators return what they keep: oneTBB, which may replace malloc, and glibc."""
    with suppress(OSError):
        # TBBMALLOC_CLEAN_ALL_BUFFERS is 0.
        ctypes.CDLL("libtbbmalloc.so.2").scalable_allocation_command(0, None)
    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def libraries() -> list[str]:
    """Allocators and drivers that are loaded."""
    maps = Path("/proc/self/maps").read_text()
    wanted = ("jemalloc", "tbbmalloc", "tcmalloc", "gallium", "llvmpipe", "LLVM", "swrast")
    paths = {line.split()[-1] for line in maps.splitlines() if "/" in line}
    return sorted(path for path in paths if any(one in path for one in wanted))


def start(ui: Any) -> Iterator[float]:
    bpy.ops.wm.read_homefile(app_template="")
    yield 0.5
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    make_terrain = ui.module("blender.operators.add").make_terrain
    recipe = ui.module("core").presets.load("island")
    make_terrain(NAME, recipe, POINTS, bpy.context.scene.collection)
    yield 0.5


def change(ui: Any) -> Iterator[float]:
    bpy.data.objects[NAME].data.terrain.seed += 1
    yield 0.1
    yield from ui.rebuilt(NAME)


def rebuilds(ui: Any) -> Iterator[float]:
    for _ in range(TURNS):
        yield from change(ui)


def undo_steps(ui: Any) -> Iterator[float]:
    for _ in range(3 * TURNS):
        yield from change(ui)
        bpy.ops.ed.undo_push(message="changed")


def renders(ui: Any) -> Iterator[float]:
    set_up_cycles(ui)
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.context.view_layer.objects.active = bpy.data.objects[NAME]
        bpy.ops.terrain.scenery()
    for _ in range(TURNS):
        yield from change(ui)
        bpy.ops.render.render("INVOKE_DEFAULT")
        yield 0.3
        until = time.monotonic() + 120
        while bpy.app.is_job_running("RENDER") and time.monotonic() < until:
            yield 0.1


def set_up_cycles(ui: Any) -> None:
    scene: Any = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = 1, False
    scene.cycles.preview_samples = 1
    scene.render.resolution_x, scene.render.resolution_y = 320, 200


def shaded(ui: Any, shading: str) -> Iterator[float]:
    """Toggle a shading of the viewport while the terrain changes."""
    for _ in range(TURNS):
        ui.view3d().spaces.active.shading.type = shading
        yield 0.5
        yield from change(ui)
        yield 0.5
        ui.view3d().spaces.active.shading.type = "SOLID"
        yield 0.2


def rendered_views(ui: Any) -> Iterator[float]:
    set_up_cycles(ui)
    yield from shaded(ui, "RENDERED")


def material_previews(ui: Any) -> Iterator[float]:
    yield from shaded(ui, "MATERIAL")


PHASES = (rebuilds, undo_steps, renders, rendered_views, material_previews)


def drive(ui: Any) -> Iterator[float]:
    print("LIBRARIES", libraries(), flush=True)
    say("at the start")
    chosen = os.environ.get("MEMORY_PHASES", "").split() or [one.__name__ for one in PHASES]
    for phase in PHASES:
        if phase.__name__ not in chosen:
            continue
        for turn in (1, 2):
            yield from start(ui)
            yield from phase(ui)
            say(f"{phase.__name__}, {turn} x {TURNS}")
        give_back()
        say("  without what allocators keep")
        bpy.ops.wm.read_homefile(app_template="")
        yield 1.0
        gc.collect()
        say("  a new file")
        give_back()
        say("  without what allocators keep")
        cache = ui.module("blender.live.cache").CACHE
        cache.clear()
        cache.parts.clear()
        gc.collect()
        give_back()
        say("  without the extension's cache")
