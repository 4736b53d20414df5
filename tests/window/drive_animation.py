# SPDX-License-Identifier: GPL-3.0-or-later
"""An animated terrain: keyframes, scrubbing, undo, and a render in a thread of its own."""

from pathlib import Path
from typing import Any

import bpy
import numpy as np

EVOLUTION = "terrain.layers[0].fractal_noise.evolution"
FRAMES = (1, 2)


def terrain_mesh() -> Any:
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Alps"].data


def make_animated():
    mesh = terrain_mesh()
    while len(mesh.terrain.layers) > 1:
        bpy.ops.terrain.layer_remove()
    noise = mesh.terrain.layers[0].fractal_noise
    mesh.terrain.layers[0].kind = "fractal_noise"
    noise.animate = True
    noise.size, noise.height = 3000, 1500
    for frame, value in zip(FRAMES, (0.0, 0.7), strict=True):
        noise.evolution = value
        mesh.keyframe_insert(EVOLUTION, frame=frame)


def rendered(ui, folder):
    """Render the frames as the Render menu does, wait for the end, and read the pictures."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 4
    scene.render.resolution_x = scene.render.resolution_y = 96
    scene.frame_start, scene.frame_end = FRAMES
    scene.render.filepath = str(folder / "frame")
    bpy.ops.render.render("INVOKE_DEFAULT", animation=True)
    yield 0.5
    yield from ui.wait_until(lambda: not bpy.app.is_job_running("RENDER"), "the render goes on")
    yield 0.5
    for window in bpy.context.window_manager.windows[1:]:
        with bpy.context.temp_override(window=window):
            bpy.ops.wm.window_close()
    yield 0.5


def pictures(folder):
    out = []
    for frame in FRAMES:
        image = bpy.data.images.load(str(folder / f"frame{frame:04}.png"))
        pixels = np.empty(len(image.pixels), np.float32)  # pyright: ignore[reportArgumentType]  # it has one
        image.pixels.foreach_get(pixels)
        bpy.data.images.remove(image)
        out.append(pixels)
    return out


def put_camera():
    scene = bpy.context.scene
    camera = bpy.data.objects.new("View", bpy.data.cameras.new("View"))
    camera.location = (0, 0, 12000)
    camera.data.clip_end = 50000
    scene.collection.objects.link(camera)
    scene.camera = camera
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.rotation_euler = (1, 0, 0)
    sun.data.energy = 4
    scene.collection.objects.link(sun)


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="alps", resolution=129)
    yield from ui.open_tab("Terrain")
    make_animated()
    put_camera()
    bpy.ops.ed.undo_push(message="animated")
    scene = bpy.context.scene
    terrains = []
    for frame in FRAMES:
        scene.frame_set(frame)
        yield 0.3
        ui.shot(f"animation-{frame}-frame")
        terrains.append(ui.heights("Alps"))
    assert np.abs(terrains[0] - terrains[1]).max() > 10

    folder = Path(ui.out)
    yield from rendered(ui, folder)
    ui.shot("animation-3-not-locked")
    yield 0.3
    still = pictures(folder)
    assert np.abs(still[0] - still[1]).max() < 0.1, "a mesh was written beside a drawing window"

    scene.render.use_lock_interface = True
    terrain_mesh().terrain.water.rivers = True  # has other points in each frame
    yield from rendered(ui, folder)
    ui.shot("animation-4-locked")
    yield 0.3
    moved = pictures(folder)
    assert np.abs(moved[0] - moved[1]).max() > 0.3
