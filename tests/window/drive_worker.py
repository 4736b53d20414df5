# SPDX-License-Identifier: GPL-3.0-or-later
"""An expensive terrain: a preview while dragging, the rest by the worker."""

import time
from typing import Any

import bpy
import numpy as np

NAME = "Island"
LONG = 10  # layers of noise


def terrain_mesh() -> Any:
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects[NAME].data


def is_preview():
    return "~" in terrain_mesh().terrain.built


def escape(ui, begin):
    """Press Esc over the viewport right after something began."""
    ui.xdotool("mousemove", *map(int, ui.screen_xy(ui.region("WINDOW"), 300, 300)))
    yield 0.3
    begin()
    ui.xdotool("key", "Escape")
    yield 0.3


def set_seed(seed):
    """As a slider does: the value, then one undo step."""
    terrain_mesh().terrain.seed = seed
    bpy.ops.ed.undo_push(message=f"seed {seed}")


def add_noise(terrain):
    bpy.ops.terrain.layer_add(kind="fractal_noise")
    layer = terrain.layers[terrain.active_layer]
    layer.fractal_noise.octaves = 12
    layer.fractal_noise.height = 10
    layer.fractal_noise.seed = len(terrain.layers)


def add_dear_island(ui):
    """A rebuild takes longer than a drag waits, and its preview, after the first rebuild was timed,
    does not."""
    ui.add_noise_island(NAME, 1025)
    yield from ui.rebuilt(NAME)
    set_seed(4)
    yield from ui.rebuilt(NAME)


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    yield from ui.open_tab("Terrain")
    yield from add_dear_island(ui)
    bpy.ops.ed.undo_push(message="dear")
    first = ui.heights(NAME)
    second = yield from preview_then_all(ui, first)
    for key, expected in (("ctrl+z", first), ("ctrl+shift+z", second), ("ctrl+z", first)):
        yield from ui.press(key)
        yield from ui.rebuilt(NAME)
        assert np.array_equal(ui.heights(NAME), expected), key
    yield from undo_in_mid_job(ui, first)
    yield from cancel(ui)
    yield from cancel_a_bake(ui)
    yield from edit_mode_and_deletion_in_mid_job(ui)
    yield from save_load_and_disable_in_mid_job(ui)
    set_seed(13)
    yield 0.2  # Blender quits in mid-job


def preview_then_all(ui, before):
    started = time.perf_counter()
    set_seed(5)
    print("preview after", round(time.perf_counter() - started, 3), "s", flush=True)
    assert is_preview()
    preview = ui.heights(NAME)
    assert len(preview) == len(before)
    yield 0.4
    ui.shot("worker-1-progress")
    yield from ui.rebuilt(NAME)
    ui.shot("worker-2-finished")
    after = ui.heights(NAME)
    near = np.abs(after - preview).mean() / np.ptp(after)
    assert 0 < near < 0.02, f"the preview is {near:.1%} of the range away"
    return after


def undo_in_mid_job(ui, before):
    set_seed(6)
    set_seed(7)  # replaces the job of 6
    yield from ui.press("ctrl+z")
    yield from ui.press("ctrl+z")
    yield from ui.rebuilt(NAME)
    assert terrain_mesh().terrain.seed != 7
    assert np.array_equal(ui.heights(NAME), before)


def cancel(ui):
    yield from escape(ui, begin_long_work)
    yield 3.0
    assert not ui.module("blender.live.surface").is_current(terrain_mesh()), (
        "a cancelled job was delivered"
    )
    ui.shot("worker-3-cancelled")
    terrain_mesh().terrain.live = False
    for _ in range(LONG):
        bpy.ops.terrain.layer_remove()
    terrain_mesh().terrain.resolution = 1025
    terrain_mesh().terrain.live = True
    yield from ui.rebuilt(NAME)


def begin_long_work():
    """Many octaves at many points take seconds, and their preview does not: the key comes long
    before the end."""
    terrain = terrain_mesh().terrain
    terrain.live = False
    for _ in range(LONG):
        add_noise(terrain)
    terrain.resolution = 1025
    terrain.live = True
    set_seed(8)


def cancel_a_bake(ui):
    terrain_mesh().terrain.bake.width = 4096
    bpy.ops.terrain.bake("INVOKE_DEFAULT")
    yield 0.5
    ui.shot("worker-4-baking")
    yield from escape(ui, lambda: None)
    ui.shot("worker-5-bake-cancelled")
    yield 2.0
    assert "Island Heightmap" not in bpy.data.images


def edit_mode_and_deletion_in_mid_job(ui):
    set_seed(9)
    bpy.ops.object.mode_set(mode="EDIT")
    yield 2.5
    bpy.ops.object.mode_set(mode="OBJECT")
    yield from ui.rebuilt(NAME)
    set_seed(10)
    bpy.data.meshes.remove(terrain_mesh())
    yield 2.0


def save_load_and_disable_in_mid_job(ui):
    yield from add_dear_island(ui)
    set_seed(14)
    assert is_preview()
    path = ui.out + "/saved.blend"
    bpy.ops.wm.save_as_mainfile(filepath=path)
    assert not is_preview(), "a preview was saved"
    set_seed(11)
    bpy.ops.wm.open_mainfile(filepath=path)
    yield from ui.wait_until(
        # Blender has no window for a moment, and then cannot push an undo step.
        lambda: terrain_mesh().terrain.seed != 11 and bpy.context.window,
        "the saved file is not open",
    )
    assert not is_preview()
    module = ui.extension()
    set_seed(12)
    bpy.ops.preferences.addon_disable(module=module)
    yield 1.0
    bpy.ops.preferences.addon_enable(module=module)
