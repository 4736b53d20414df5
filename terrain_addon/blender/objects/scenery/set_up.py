# SPDX-License-Identifier: GPL-3.0-or-later
"""Set up a scene for a terrain."""

import math
from typing import NamedTuple, cast

import bpy

from ...data.scenery_objects import is_ours, mark, nodes_of, remove
from ...materials import haze, sky
from . import surroundings
from .framing import HighestPoints, View, camera

EDGES = {
    "horizon": (
        "Horizon",
        "The sea reaches the horizon. Where the border is not under water, mirrored copies continue"
        " the terrain; flat ones a mountain that stands alone",
    ),
    "block": ("Block", "A model on a table, with sides down to a base; without haze"),
    "none": ("None", "Nothing surrounds the terrain"),
}
"""What surrounds a terrain, by identifier: label and description."""


class SceneryChoices(NamedTuple):
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
_VIEWS = {"horizon": _FAR, "alone": _FAR, "sea": _LOW}
"""The usual views, by kind of surroundings; `_MODEL` for all others."""


def set_up(
    scene: bpy.types.Scene, terrain: bpy.types.Object, setting: SceneryChoices | None = None
) -> list[str]:
    """Add a sun, a sky, haze and a camera that frames a terrain; replaces earlier ones.

    What the user copied or renamed stays. Returns what else changed in the scene, for the user.
    Raises ValueError for a mesh without points.
    """
    if not len(cast(bpy.types.Mesh, terrain.data).vertices):
        raise ValueError("The terrain has no points: rebuild it first")
    setting = setting or SceneryChoices()
    kind = surroundings.kind_for(terrain, setting.edges)
    view = setting.view or _VIEWS.get(kind, _MODEL)
    light = sky.DAYLIGHT[setting.daylight]
    level = surroundings.sea_level(terrain) if view.horizon else -math.inf
    ground = HighestPoints(terrain, mirrored=kind in ("horizon", "alone"), level=level)
    toward = math.degrees(ground.yaw) + view.azimuth + 180.0
    around = [] if setting.edges == "none" else [surroundings.surround(terrain, setting.edges)]
    made = [*around, sky.sun(light, toward), camera(scene, ground, view)]
    _replace(scene, made)
    scene.camera = made[-1]
    world = sky.sky(scene, light, toward, indoors=setting.edges == "block")
    previous, scene.world = scene.world, world
    if previous and not previous.users:
        previous.use_fake_user = True  # otherwise Blender would not save it
    length = 0.0 if setting.edges == "block" else setting.haze * ground.extent
    air = haze.group(sky.radiance(world))
    for item in (terrain, *terrain.children, *around):
        for material in surroundings.materials_of(item):
            if material.library:
                continue
            if length:
                haze.insert(material, length, air)
            else:
                haze.remove(material)
    return _expose(scene, light.exposure)


def _replace(scene: bpy.types.Scene, made: list[bpy.types.Object]) -> None:
    """Put new objects in the place of those of an earlier scenery."""
    for item in [one for one in scene.objects if is_ours(one)]:
        if len(item.users_scene) == 1:
            remove(item)
        elif item.name in scene.collection.objects:  # another scene shows it too
            scene.collection.objects.unlink(item)
    for item in made:
        name = item.name.split(".")[0]  # the old ones are gone
        for one in (item, item.data, *nodes_of(item)):
            one.name = name
        mark(item)
        scene.collection.objects.link(item)


def _expose(scene: bpy.types.Scene, stops: float) -> list[str]:
    before = scene.view_settings.exposure
    scene.view_settings.exposure = stops
    if math.isclose(before, stops, abs_tol=1e-3):
        return []
    return [f"The exposure of the scene is now {stops:g}, it was {before:g}"]
