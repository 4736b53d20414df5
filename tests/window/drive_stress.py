# SPDX-License-Identifier: GPL-3.0-or-later
"""Random work while threads compute: renders, playback, drivers, undo, files, add-on off and on.

At the end every terrain is what its recipe describes, and no thread or timer is left. Whatever was
random follows from STRESS_SEED; for a longer run set STRESS_SECONDS, and WINDOW_SECONDS above it.
"""

import ctypes
import faulthandler
import gc
import importlib
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import bpy
import numpy as np

SEED = int(os.environ.get("STRESS_SEED", "1"))
SECONDS = float(os.environ.get("STRESS_SECONDS", "30"))
PRESETS = ("alps", "island", "canyon", "dunes")
HUNG = 90  # seconds without the main thread: all stacks are printed, and the run has failed
LONGEST = 60  # seconds until the last jobs are done
GROWTH = 500  # megabytes by which the later half of new files may exceed the earlier one
BEAT = 0.01

rng = random.Random(SEED)
memory: list[int] = []


class Pulse:
    """Gaps between calls of a timer: how long the main thread did something else."""

    def __init__(self) -> None:
        self.doing = "start"
        self.gaps: list[tuple[float, str]] = []
        self._last = time.perf_counter()

    def beat(self) -> float:
        now = time.perf_counter()
        self.gaps.append((now - self._last - BEAT, self.doing))
        self._last = now
        faulthandler.dump_traceback_later(HUNG, exit=True)
        return BEAT

    def __str__(self) -> str:
        gaps = sorted(self.gaps, reverse=True)
        median = gaps[len(gaps) // 2][0]
        longest = ", ".join(f"{gap:.2f} s ({doing})" for gap, doing in gaps[:5])
        return f"gaps of the main thread: median {median:.3f} s, longest {longest}"


pulse = Pulse()


def extension() -> str:
    names = [addon.module for addon in bpy.context.preferences.addons]
    return next(name for name in names if name.endswith("orogen"))


def module(name: str) -> Any:
    """A module of the enabled add-on."""
    return importlib.import_module(f"{extension()}.terrain_addon.{name}")


def terrains() -> list[Any]:
    return [item for item in bpy.context.scene.objects if item.type == "MESH" and is_live(item)]


def is_live(item: Any) -> bool:
    return item.data.terrain.is_terrain and item.data.terrain.live


def one() -> Any:
    """Any terrain; it becomes the active and the only selected object."""
    found = terrains()
    chosen = rng.choice(found) if found else add_terrain()
    bpy.ops.object.select_all(action="DESELECT")
    chosen.select_set(True)
    bpy.context.view_layer.objects.active = chosen
    return chosen


def add_terrain() -> Any:
    bpy.ops.terrain.add(preset=rng.choice(PRESETS), resolution=rng.choice((65, 129, 257, 257, 513)))
    if rng.random() < 0.5:
        bpy.ops.terrain.layer_add(kind="fractal_noise")
        terrain = bpy.context.object.data.terrain
        noise = terrain.layers[terrain.active_layer].fractal_noise
        noise.height, noise.octaves = 20, 12
    return bpy.context.object


def key(ui: Any, name: str) -> Iterator[float]:
    """Press a key over the viewport."""
    ui.xdotool("mousemove", *map(int, ui.screen_xy(ui.region("WINDOW"), 300, 300)))
    yield 0.1
    ui.xdotool("key", name)
    yield 0.2


def do_add(ui: Any) -> None:
    if len(terrains()) < 5:
        add_terrain()


def do_drag(ui: Any) -> Iterator[float]:
    item = one()
    name, amount = item.name, rng.uniform(2, 20)
    setting = rng.choice(("seed", "opacity", "size_x"))
    for n in range(rng.randrange(3, 12)):
        terrain = bpy.data.objects[name].data.terrain
        if setting == "seed":
            terrain.seed += 1
        elif setting == "opacity" and terrain.layers:
            terrain.layers[0].opacity = 1 - 0.03 * n
        else:
            terrain.size_x += amount
        yield rng.choice((0.0, 0.03, 0.1))


def do_undo(ui: Any) -> Iterator[float]:
    for _ in range(rng.randrange(1, 4)):
        yield from key(ui, "ctrl+z")


def do_redo(ui: Any) -> Iterator[float]:
    yield from key(ui, "ctrl+shift+z")


def do_duplicate(ui: Any) -> None:
    if len(terrains()) < 5:
        one()
        bpy.ops.object.duplicate(linked=rng.random() < 0.3)


def do_delete(ui: Any) -> None:
    one().data.terrain.seed += 1
    bpy.ops.object.delete()


def do_animate(ui: Any) -> None:
    """Keyframes on one setting, a scripted driver on another."""
    mesh = one().data
    for frame, opacity in ((1, 0.5), (30, 1.0)):
        mesh.terrain.layers[0].opacity = opacity
        mesh.keyframe_insert("terrain.layers[0].opacity", frame=frame)
    if mesh.animation_data and not mesh.animation_data.drivers:
        mesh.driver_add("terrain.seed").driver.expression = "3 + int(frame / 7)"


def do_play(ui: Any) -> Iterator[float]:
    bpy.ops.screen.animation_play()
    yield rng.uniform(0.5, 2)
    bpy.ops.screen.animation_cancel(restore_frame=False)


def do_frame(ui: Any) -> None:
    bpy.context.scene.frame_set(rng.randrange(1, 40))


def do_render(ui: Any) -> Iterator[float]:
    """Render with Cycles as F12 does, and let a terrain change meanwhile."""
    scene = bpy.context.scene
    if not scene.camera:
        one()
        bpy.ops.terrain.scenery()
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = 4, False
    scene.render.resolution_x, scene.render.resolution_y = 320, 200
    scene.render.use_lock_interface = rng.random() < 0.5
    bpy.ops.render.render("INVOKE_DEFAULT")
    yield 0.3
    one().data.terrain.seed += 1
    yield rng.uniform(0.2, 2)


def do_shading(ui: Any) -> Iterator[float]:
    """Show the viewport rendered by Cycles while a terrain changes."""
    bpy.context.scene.render.engine = "CYCLES"
    bpy.context.scene.cycles.preview_samples = 2
    ui.view3d().spaces.active.shading.type = "RENDERED"
    yield from do_drag(ui)
    yield 0.5
    ui.view3d().spaces.active.shading.type = "SOLID"


def do_mode(ui: Any) -> Iterator[float]:
    item = one()
    item.data.terrain.seed += 1
    bpy.ops.object.mode_set(mode=rng.choice(("EDIT", "SCULPT", "VERTEX_PAINT")))
    yield 0.5
    bpy.ops.object.mode_set(mode="OBJECT")


def do_bake(ui: Any) -> None:
    one().data.terrain.bake.width = rng.choice((256, 1024, 2048))
    bpy.ops.terrain.bake("INVOKE_DEFAULT")


def do_cancel(ui: Any) -> Iterator[float]:
    yield from key(ui, "Escape")


def do_file(ui: Any) -> Iterator[float]:
    path = f"{ui.out}/stress.blend"
    one().data.terrain.seed += 1
    bpy.ops.wm.save_as_mainfile(filepath=path)
    one().data.terrain.seed += 1
    yield rng.choice((0.0, 0.2))
    again = rng.choice(("revert", "open", ""))
    if again == "revert":
        bpy.ops.wm.revert_mainfile()
    elif again == "open":
        bpy.ops.wm.open_mainfile(filepath=path)
    yield 0.3


def do_new(ui: Any) -> Iterator[float]:
    one().data.terrain.seed += 1
    bpy.ops.wm.read_homefile(app_template="")
    draw_less(ui)
    yield 0.3
    memory.append(resident())


def do_disable(ui: Any) -> Iterator[float]:
    one().data.terrain.seed += 1
    name = extension()
    bpy.ops.preferences.addon_disable(module=name)
    yield 0.2
    bpy.ops.preferences.addon_enable(module=name)


def do_fill_memory(ui: Any) -> Iterator[float]:
    filled = np.ones(150_000_000, np.float32)
    one().data.terrain.seed += 1
    yield 0.5
    del filled


def do_compare(ui: Any) -> None:
    """A terrain that claims to show its recipe does so to the last bit."""
    mesh = one().data
    if not module("blender.live.surface").is_current(mesh):
        return
    built = mesh.terrain.built
    wrong = why_wrong(mesh)
    # A render with Lock Interface writes meshes from its thread, also during a comparison.
    assert mesh.terrain.built != built or not wrong, wrong


ACTIONS = {name[3:]: do for name, do in globals().items() if name.startswith("do_")}
RARE = ("disable", "new", "file", "fill_memory")


def why_wrong(mesh: Any) -> str:
    """How the mesh differs from what the core makes of its recipe, here and now."""
    recipe = module("blender.properties.recipe").read(mesh.terrain)
    grid = module("blender.properties.recipe").grid_of(mesh.terrain, recipe)
    heights = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes["height"].data.foreach_get("value", heights)
    positions = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.attributes["position"].data.foreach_get("vector", positions)
    expected = module("core").evaluate(recipe, grid).height.ravel()
    off = [np.abs(shown - expected).max() for shown in (heights, positions[2::3])]
    return f"{mesh.name}: heights and positions are off by {off} m" if any(off) else ""


def resident() -> int:
    """Megabytes of memory that Blender takes, without what its allocator keeps of freed blocks."""
    gc.collect()
    with suppress(OSError, AttributeError):  # oneTBB's, which replaces malloc in Debian's Blender
        ctypes.CDLL("libtbbmalloc.so.2").scalable_allocation_command(0, None)
    with suppress(OSError, AttributeError):  # glibc's
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 2**20


def draw_less(ui: Any) -> None:
    """No window for renders, and a viewport that software draws in less time."""
    bpy.context.preferences.view.render_display_type = "NONE"
    bpy.context.preferences.system.viewport_aa = "OFF"
    ui.view3d().spaces.active.overlay.show_overlays = False


def act(ui: Any, done: Counter[str]) -> Iterator[float]:
    """One random thing, in the viewport."""
    weights = [1 if name in RARE else 3 for name in ACTIONS]
    pulse.doing = rng.choices(list(ACTIONS), weights)[0]
    done[pulse.doing] += 1
    print(pulse.doing, end=" ", flush=True)  # what a crash followed
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        steps = ACTIONS[pulse.doing](ui)
        first = next(steps, 0.0) if steps else 0.0
    yield first
    yield from steps or ()
    # Blender itself crashes in the undo of keyframes that no step contains.
    if pulse.doing not in ("undo", "redo"):
        bpy.ops.ed.undo_push(message=pulse.doing)
    yield rng.choice((0.0, 0.05, 0.5))


def settle() -> Iterator[float]:
    """Let all jobs end, after one more change each: canceled terrains stay as they were."""
    rebuild = module("blender.live.rebuild")
    for item in terrains():
        if not (item.data.animation_data and item.data.animation_data.drivers):
            item.data.terrain.seed += 1
        rebuild.request(item.data)
    until = time.monotonic() + LONGEST
    while busy():
        assert time.monotonic() < until, "jobs do not end"
        yield 0.1
    yield 0.3


def busy() -> bool:
    render = bpy.app.is_job_running("RENDER")
    rebuild, queue = module("blender.live.rebuild"), module("blender.bake.queue").bakes
    current = module("blender.live.surface").is_current
    stale = any(not current(item.data) for item in terrains())
    return render or stale or rebuild.is_busy() or queue.is_busy()


def check_nothing_is_left() -> None:
    others = [thread.name for thread in threading.enumerate() if thread.daemon]
    assert not others, f"threads are left: {others}"
    rebuild, queue = module("blender.live.rebuild"), module("blender.bake.queue").bakes
    for worker in (rebuild._state.worker, queue.worker):
        assert not bpy.app.timers.is_registered(worker._timer), "a timer is left"
    earlier, later = memory[: len(memory) // 2], memory[len(memory) // 2 :]
    if len(memory) >= 4:  # caches and results of four terrains fill up at first
        assert max(later) - max(earlier) < GROWTH, f"memory grows: {memory} MB"


def leave_jobs(ui: Any) -> Iterator[float]:
    """Leave a rebuild and a bake running: Blender quits in mid-job when the driver ends."""
    window = {"area": ui.view3d(), "region": ui.region("WINDOW")}
    with bpy.context.temp_override(**window):
        bpy.ops.terrain.add(preset="alps", resolution=1025)
    yield 1.0
    mesh = bpy.context.object.data
    mesh.terrain.bake.width = 4096
    with bpy.context.temp_override(**window):
        bpy.ops.terrain.bake("INVOKE_DEFAULT")
    mesh.terrain.layers[0].fractal_noise.seed += 1
    rebuild, queue = module("blender.live.rebuild"), module("blender.bake.queue").bakes
    assert rebuild.is_busy() and queue.is_busy(), "nothing is left to quit in"


def drive(ui: Any) -> Iterator[float]:
    faulthandler.enable()
    bpy.app.timers.register(pulse.beat, persistent=True)
    draw_less(ui)
    yield from ui.open_tab("Terrain")
    done: Counter[str] = Counter()
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        try:
            yield from act(ui, done)
        except RuntimeError as error:  # an operator that a render or a mode keeps from running
            print("refused:", pulse.doing, str(error).strip(), flush=True)
    pulse.doing = "end"
    bpy.ops.screen.animation_cancel(restore_frame=False)
    yield from settle()
    for item in terrains():
        assert not (wrong := why_wrong(item.data)), wrong
    ui.shot("stress-end")
    check_nothing_is_left()
    print(f"seed {SEED}: {sum(done.values())} actions: {dict(done)}", flush=True)
    print(f"{pulse}; memory after each new file: {memory} MB", flush=True)
    yield from leave_jobs(ui)
    print("quitting in mid-job", flush=True)
