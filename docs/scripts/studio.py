# SPDX-License-Identifier: GPL-3.0-or-later
"""Render settings for pictures of a terrain, shared by the demo and the docs.

Light, camera and surroundings are those of *Add Sun, Sky and Camera*.
"""

from __future__ import annotations

import os
from pathlib import Path

import bpy

from terrain_addon.blender.objects.scenery import SceneryChoices, set_up


def photograph(
    terrain: bpy.types.Object,
    path: Path,
    *,
    width: int = 1280,
    height: int = 720,
    samples: int = 64,
    setting: SceneryChoices | None = None,
) -> None:
    """Render a terrain with Cycles to a PNG or JPEG file."""
    scene = bpy.context.scene
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.resolution_percentage = 100
    scene.view_settings.view_transform = "AgX"
    bpy.context.view_layer.update()
    set_up(scene, terrain, setting)
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = samples
    scene.cycles.use_adaptive_sampling = True
    scene.cycles.adaptive_threshold = 0.05
    scene.cycles.use_denoising = True
    scene.cycles.max_bounces = 4
    scene.render.threads_mode = "FIXED"
    scene.render.threads = os.cpu_count() or 1
    if hasattr(scene.render.image_settings, "media_type"):
        scene.render.image_settings.media_type = "IMAGE"
    jpeg = path.suffix == ".jpg"
    scene.render.image_settings.file_format = "JPEG" if jpeg else "PNG"
    scene.render.image_settings.quality = 88
    scene.render.image_settings.color_mode = "RGB"
    scene.render.image_settings.color_depth = "8"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
