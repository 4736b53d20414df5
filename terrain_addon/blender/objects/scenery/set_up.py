# SPDX-License-Identifier: GPL-3.0-or-later
"""Set up a scene for a terrain."""

import math
from typing import Any, NamedTuple

import bpy

from ...data import water_objects
from .. import haze, sky
from . import surroundings
from .framing import Ground, View, camera

_MARK = "terrain_scenery"
"""Custom property of the objects of a scenery."""
EDGES = {
    "horizon": (
        "Horizon",
        "The sea reaches the horizon. Where the border is not under water, mirrored copies continue"
        " the terrain",
    ),
    "block": ("Block", "A model on a table, with sides down to a base; without haze"),
    "none": ("None", "Nothing surrounds the terrain"),
}
"""What surrounds a terrain, by identifier: label and description."""


class Setting(NamedTuple):
    """The choices for a scenery."""

    daylight: str = next(iter(sky.DAYLIGHT))
    edges: str = "horizon"
    haze: float = 10.0
    """Distance at which haze hides 63 %, in sizes of the terrain; 0 for none."""
    view: View | None = None
    """Instead of the usual one."""


_FAR = View(azimuth=-62.0, elevation=17.0, fill=0.8)
_LOW = View(azimuth=-62.0, elevation=11.0, fill=1.2)
_MODEL = View(azimuth=-62.0, elevation=27.0, fill=1.75, lens=70.0, horizon=False)


def set_up(
    scene: bpy.types.Scene, terrain: bpy.types.Object, setting: Setting | None = None
) -> list[str]:
    """Add a sun, a sky, haze and a camera that frames a terrain; replaces earlier ones.

    Returns what else changed in the scene, for the user.
    """
    setting = setting or Setting()
    for item in [one for one in scene.objects if one.get(_MARK)]:
        _remove(item)
    around, view = _surroundings(terrain, setting.edges)
    view = setting.view or view
    light = sky.DAYLIGHT[setting.daylight]
    level = surroundings.sea_level(terrain) if view.horizon else -math.inf
    ground = Ground(terrain, mirrored=around == surroundings.mirrored, level=level)
    toward = math.degrees(ground.yaw) + view.azimuth + 180.0
    made = [sky.sun(light, toward), camera(scene, ground, view)]
    if around:
        made.append(around(terrain))
    for item in made:
        item[_MARK] = True
        scene.collection.objects.link(item)
    scene.camera = made[1]
    world, scene.world = scene.world, sky.sky(light, toward, indoors=setting.edges == "block")
    if world and not world.users:
        world.use_fake_user = True  # otherwise Blender would not save it
    length = 0.0 if setting.edges == "block" else setting.haze * ground.extent
    for material in _materials([terrain, *terrain.children], made):
        if length:
            haze.insert(material, length)
        else:
            haze.remove(material)
    return _expose(scene, light.exposure)


def _surroundings(terrain: bpy.types.Object, edges: str) -> tuple[Any, View]:
    """What makes the surroundings, and the usual view of them."""
    if edges == "horizon":
        if surroundings.is_under_water(terrain):
            return surroundings.at_sea, _LOW
        return surroundings.mirrored, _FAR
    return (surroundings.on_base if edges == "block" else None), _MODEL


def _materials(shown: list[bpy.types.Object], made: list[bpy.types.Object]) -> set[Any]:
    """The materials of objects, and of the geometry nodes of a scenery."""
    found = {slot.material for item in shown for slot in item.material_slots}
    for item in made:
        for modifier in item.modifiers:
            nodes: Any = getattr(modifier, "node_group", None)
            found |= {
                node.inputs["Material"].default_value
                for node in (nodes.nodes if nodes else ())
                if node.type == "SET_MATERIAL"
            }
    return {one for one in found if one and not one.library}


def _remove(item: bpy.types.Object) -> None:
    """Remove an object of a scenery with its nodes."""
    groups = {getattr(modifier, "node_group", None) for modifier in item.modifiers}
    water_objects.remove(item)
    unused = [group for group in groups if group and not group.users]
    bpy.data.batch_remove(unused)


def _expose(scene: bpy.types.Scene, stops: float) -> list[str]:
    before = scene.view_settings.exposure
    scene.view_settings.exposure = stops
    if math.isclose(before, stops, abs_tol=1e-3):
        return []
    return [f"The exposure of the scene is now {stops:g}, it was {before:g}"]
