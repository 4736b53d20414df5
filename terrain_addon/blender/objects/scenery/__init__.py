# SPDX-License-Identifier: GPL-3.0-or-later
"""A sun, a sky and a camera for a terrain."""

import math
from typing import Any

import bpy
from mathutils import Vector

from ..data.water_objects import remove

_MARK = "terrain_scenery"


def set_up(scene: bpy.types.Scene, terrain: bpy.types.Object) -> None:
    """Add a sun, a sky and a camera that frames a terrain; replaces earlier ones."""
    for item in [one for one in scene.objects if one.get(_MARK)]:
        remove(item)
    azimuth = -62.0
    light = sun(azimuth - 105.0)
    eye = camera(terrain, azimuth=azimuth, elevation=24.0, fill=1.65)
    for item in (light, eye):
        item[_MARK] = True
        scene.collection.objects.link(item)
    scene.camera = eye
    world, scene.world = scene.world, sky()
    if world and not world.users:
        world.use_fake_user = True  # otherwise Blender would not save it


def camera(
    terrain: bpy.types.Object, *, azimuth: float, elevation: float, fill: float, lens: float = 50.0
) -> bpy.types.Object:
    """A camera that looks at the center of a terrain, not linked to any scene yet.

    ``azimuth`` is in degrees from +X, ``elevation`` in degrees above the horizon; ``fill`` below 1
    moves the camera closer.
    """
    extent = fill * max(terrain.dimensions.x, terrain.dimensions.y)
    data = bpy.data.cameras.new("Terrain Camera")
    data.lens = lens
    data.clip_start, data.clip_end = extent * 1e-3, extent * 20
    corners = [terrain.matrix_world @ Vector(corner) for corner in terrain.bound_box]
    middle = sum(corners, Vector()) / 8
    a, e = math.radians(azimuth), math.radians(elevation)
    away = Vector((math.cos(a) * math.cos(e), math.sin(a) * math.cos(e), math.sin(e)))
    item = bpy.data.objects.new("Terrain Camera", data)
    item.location = middle + away * (extent * 0.5 / math.tan(data.angle / 2))
    item.rotation_euler = (-away).to_track_quat("-Z", "Y").to_euler()
    return item


def sun(azimuth: float) -> bpy.types.Object:
    """A warm afternoon sun from ``azimuth`` degrees from +X, not linked to any scene yet."""
    data: Any = bpy.data.lights.new("Terrain Sun", "SUN")
    data.energy = 4.2
    data.angle = math.radians(0.6)
    data.color = (1.0, 0.93, 0.82)
    item = bpy.data.objects.new("Terrain Sun", data)
    item.rotation_euler = (math.radians(58), 0.0, math.radians(azimuth + 90))
    return item


def sky() -> bpy.types.World:
    """A plain hazy sky: bluish from above, pale at the horizon."""
    name = "Terrain Sky"
    found = next((one for one in bpy.data.worlds if one.get(_MARK) and not one.library), None)
    if found:
        return found
    world: Any = bpy.data.worlds.new(name)
    world[_MARK] = True
    if bpy.app.version < (5, 0, 0):
        world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    coordinates = nodes.new("ShaderNodeTexCoord")
    split = nodes.new("ShaderNodeSeparateXYZ")
    ramp = nodes.new("ShaderNodeValToRGB")
    low, high = ramp.color_ramp.elements
    low.position, high.position = 0.0, 0.5
    low.color, high.color = (0.72, 0.78, 0.84, 1), (0.20, 0.36, 0.62, 1)
    links.new(coordinates.outputs["Generated"], split.inputs[0])
    links.new(split.outputs["Z"], ramp.inputs[0])
    background = next(node for node in nodes if node.type == "BACKGROUND")
    links.new(ramp.outputs[0], background.inputs["Color"])
    background.inputs["Strength"].default_value = 0.55
    return world
