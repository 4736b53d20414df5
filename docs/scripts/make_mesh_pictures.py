# SPDX-License-Identifier: GPL-3.0-or-later
"""Render the pictures of docs/guide/meshes.md: levels of detail and a solid, with their triangles.

    python docs/scripts/make_mesh_pictures.py

Needs bpy. Writes levels_of_detail.jpg and solid.jpg to docs/pictures/.
"""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path
from typing import Any

import bpy
from mathutils import Vector

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "scripts")]

import terrain_addon  # noqa: E402
from terrain_addon.blender.operators.add import make_terrain  # noqa: E402
from terrain_addon.core import presets  # noqa: E402

LINES = (0.006, 0.006, 0.008, 1.0)


def main() -> None:
    """Render both pictures."""
    terrain_addon.register()
    levels()
    render("levels_of_detail.jpg", (300, -600, 250), (1200, -8600, 5200), 38)
    solid()
    render("solid.jpg", (0, 0, 2), (185, -320, 190), 46)
    sys.stdout.flush()
    os._exit(0)  # bpy 4.2 and 4.5 do not end regularly


def levels() -> None:
    """Add four chunks from west to east, each of a coarser level than the one before."""
    added()
    bpy.ops.terrain.levels_of_detail(levels=4, error=4.0, columns=4)  # type: ignore[attr-defined]
    for collection in bpy.data.collections:
        collection.hide_render = False
    for item in bpy.data.objects:
        if "_LOD" in item.name:
            column, level = item.name[item.name.index("_x") + 2], item.name[-1]
            item.hide_render = column != level
            show_triangles(item.data, 0.7)


def solid() -> None:
    """Add a solid of few triangles, at the origin."""
    terrain = added()
    bpy.ops.terrain.solid(error=0.5)  # type: ignore[attr-defined]
    made: Any = bpy.context.object
    made.location = 0, 0, 0
    terrain.hide_render = True
    show_triangles(made.data, 0.6)


def added() -> Any:
    """Add a terrain to an empty scene."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    item = make_terrain("Alps", presets.load("alps"), 513, bpy.context.collection)
    bpy.context.view_layer.objects.active = item
    return item


def show_triangles(mesh: Any, width: float) -> None:
    """Replace the material of the terrain by its colors, with edges so many pixels wide."""
    material: Any = bpy.data.materials.new("Triangles")
    material.use_nodes = True
    tree = material.node_tree
    surface = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    surface.inputs["Roughness"].default_value = 0.95
    color = tree.nodes.new("ShaderNodeVertexColor")
    color.layer_name = "Color"
    edges = tree.nodes.new("ShaderNodeWireframe")
    edges.use_pixel_size = True
    edges.inputs[0].default_value = width
    mix = tree.nodes.new("ShaderNodeMix")
    mix.data_type = "RGBA"
    mix.inputs[7].default_value = LINES
    tree.links.new(edges.outputs[0], mix.inputs[0])
    tree.links.new(color.outputs[0], mix.inputs[6])
    tree.links.new(mix.outputs[2], surface.inputs["Base Color"])
    mesh.materials[0] = material


def render(name: str, at: tuple[float, ...], eye: tuple[float, ...], lens: float) -> None:
    """Render what a camera sees in evening light."""
    scene: Any = bpy.context.scene
    camera: Any = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    light: Any = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    for item in (camera, light):
        scene.collection.objects.link(item)
    camera.location = eye
    camera.rotation_euler = (Vector(at) - Vector(eye)).to_track_quat("-Z", "Y").to_euler()
    camera.data.lens, camera.data.clip_start, camera.data.clip_end = lens, 1.0, 1e5
    scene.camera = camera
    light.data.energy, light.data.angle = 5.0, 0.02
    light.rotation_euler = math.radians(52), 0, math.radians(-65)
    scene.world = bpy.data.worlds.new("World")
    scene.world.use_nodes = True
    inputs = scene.world.node_tree.nodes["Background"].inputs
    inputs[0].default_value, inputs[1].default_value = (0.83, 0.88, 0.95, 1), 1.0
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = 64, False  # it would blur the lines
    scene.cycles.max_bounces = 3
    scene.cycles.sample_clamp_direct, scene.cycles.sample_clamp_indirect = 4.0, 1.0
    scene.render.resolution_x, scene.render.resolution_y = 1280, 720
    scene.view_settings.view_transform = "AgX"
    scene.view_settings.look = "AgX - Medium High Contrast"
    if hasattr(scene.render.image_settings, "media_type"):
        scene.render.image_settings.media_type = "IMAGE"
    scene.render.image_settings.file_format = "JPEG"
    scene.render.image_settings.quality = 88
    scene.render.filepath = str(PICTURES / name)
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main()
