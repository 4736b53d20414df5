# SPDX-License-Identifier: GPL-3.0-or-later
"""Light, camera and render settings for pictures of a terrain, shared by the demo and the docs."""

from __future__ import annotations

import os
from pathlib import Path

import bpy
from mathutils import Vector

from terrain_addon.blender.data import water_objects
from terrain_addon.blender.objects import scenery


def photograph(
    terrain: bpy.types.Object,
    path: Path,
    *,
    width: int = 1280,
    height: int = 720,
    samples: int = 64,
    azimuth: float = -62.0,
    elevation: float = 17.0,
    lens: float = 50.0,
    fill: float = 1.0,
) -> None:
    """Render a terrain with Cycles to a PNG or JPEG file.

    The camera looks at the center of the terrain from ``azimuth`` (degrees from +X) and
    ``elevation`` (degrees above the horizon); a ``fill`` below 1 moves it closer.
    """
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    extent = max(terrain.dimensions.x, terrain.dimensions.y)
    _ocean(scene, terrain, extent)
    view = {"azimuth": azimuth, "elevation": elevation, "lens": lens, "fill": fill}
    scene.camera, light = scenery.camera(terrain, **view), scenery.sun(azimuth - 105.0)
    for item in (scene.camera, light):
        scene.collection.objects.link(item)
    scene.world = scenery.sky()
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = samples
    scene.cycles.use_adaptive_sampling = True
    scene.cycles.adaptive_threshold = 0.05
    scene.cycles.use_denoising = True
    scene.cycles.max_bounces = 4
    scene.render.threads_mode = "FIXED"
    scene.render.threads = os.cpu_count() or 1
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.resolution_percentage = 100
    scene.view_settings.view_transform = "AgX"
    scene.view_settings.look = "AgX - Medium High Contrast"
    if hasattr(scene.render.image_settings, "media_type"):
        scene.render.image_settings.media_type = "IMAGE"
    jpeg = path.suffix == ".jpg"
    scene.render.image_settings.file_format = "JPEG" if jpeg else "PNG"
    scene.render.image_settings.quality = 88
    scene.render.image_settings.color_mode = "RGB"
    scene.render.image_settings.color_depth = "8"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


def _ocean(scene: bpy.types.Scene, terrain: bpy.types.Object, extent: float) -> None:
    """Extend the sea, if there is one, to the horizon."""
    for sea in water_objects.of(terrain).get("Sea", []):
        mesh = bpy.data.meshes.new("Ocean")
        half = extent * 40
        corners = [(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0)]
        mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
        for material in sea.data.materials:
            mesh.materials.append(material)
        ocean = bpy.data.objects.new("Ocean", mesh)
        ocean.location = sea.matrix_world.translation
        water_level = (sea.matrix_world @ Vector(sea.bound_box[0])).z
        ocean.location.z = water_level - extent * 1e-5
        scene.collection.objects.link(ocean)
        floor = bpy.data.objects.new("Sea Floor", mesh.copy())
        floor.data.materials.clear()
        floor.data.materials.append(terrain.data.materials[0])
        floor.location = terrain.location
        floor.location.z = (terrain.matrix_world @ Vector(terrain.bound_box[0])).z
        scene.collection.objects.link(floor)
