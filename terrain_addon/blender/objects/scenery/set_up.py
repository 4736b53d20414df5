# SPDX-License-Identifier: GPL-3.0-or-later
"""Set up a scene for a terrain."""

import math
from typing import Any, NamedTuple, cast

import bpy

from ....core.analysis import Sun
from ...data.scenery_objects import is_ours, mark, nodes_of, remove
from ...materials import haze, sky
from . import clouds, surroundings
from .framing import HighestPoints, Shot, View, camera, from_outlook, overview, up_valley

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


FRAMINGS = {
    "auto": ("Automatic", "From above a valley's floor where there is one, otherwise all of it"),
    "overview": ("Overview", "All of the terrain, from outside"),
    "valley": ("Valley", "From above the floor of the largest valley, looking up it"),
    "flight": ("Low Flight", "From 100 m above the ground, where much of the terrain is in view"),
    "ground": ("Eye Level", "From 2 m above the ground, where much of the terrain is in view"),
}
"""Label and description of each framing of the camera, by identifier."""
_HEIGHTS = {"flight": 100.0, "ground": 2.0}
"""Height of the camera above the ground in meters, of framings that have one."""
LOOK = "AgX - High Contrast"


class SceneryChoices(NamedTuple):
    """The choices for a scenery."""

    daylight: str = next(iter(sky.DAYLIGHT))
    edges: str = "horizon"
    haze: float = 20.0
    """Distance at which haze hides 63 %, in sizes of the terrain; 0 for none."""
    framing: str = "auto"
    clouds: bool = False
    """Clouds in a clear sky, and their shadows on the ground."""
    view: View | None = None
    """Instead of the usual ones."""


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
    light, air = sky.DAYLIGHT[setting.daylight], sky.air_above(terrain)
    indoors = setting.edges == "block"
    view = setting.view or _VIEWS.get(kind, _MODEL)
    level = surroundings.sea_level(terrain) if view.horizon else -math.inf
    ground = HighestPoints(terrain, mirrored=kind in ("horizon", "alone"), level=level)
    valleys = kind == "horizon" and not sky.is_airless(air)
    shot, notes = _framed(scene, ground, view, setting, valleys)
    toward = shot.azimuth(ground)
    cloudy = setting.clouds and not (air or indoors or light.clouds)
    around = [] if setting.edges == "none" else [surroundings.surround(terrain, setting.edges)]
    made = [*around, sky.sun(light, toward, air), camera(ground, shot)]
    if cloudy:
        made.insert(0, clouds.shadows(ground))
    _replace(scene, made)
    scene.camera = made[-1]
    world = sky.sky(scene, light, toward, air, clouds=cloudy, indoors=indoors)
    previous, scene.world = scene.world, world
    if previous and not previous.users:
        previous.use_fake_user = True  # otherwise Blender would not save it
    _fill_air(terrain, around, world, 0.0 if indoors else setting.haze * ground.extent, air)
    return [*notes, *_expose(scene, light.exposure)]


def _framed(
    scene: bpy.types.Scene,
    ground: HighestPoints,
    view: View,
    setting: SceneryChoices,
    valleys: bool,
) -> tuple[Shot, list[str]]:
    """Return what the camera shows, and what the user should know of it."""
    framing, notes, shot = setting.framing, [], None
    if framing in _HEIGHTS:
        shot = from_outlook(scene, ground, _HEIGHTS[framing] * ground.scale, _sun(setting))
        notes = ["There is no free place to stand: the camera shows all of the terrain"]
    elif framing == "valley":
        shot = up_valley(ground, asked=True)
        notes = ["There is no valley to look up: the camera shows all of the terrain"]
    elif framing == "auto" and valleys:
        shot = up_valley(ground, asked=False)
    if shot and not setting.view:
        return shot, []
    return overview(scene, ground, view), notes


def _sun(setting: SceneryChoices) -> Sun:
    """Return where the sun will stand for who looks at the terrain."""
    light = sky.DAYLIGHT[setting.daylight]
    return Sun(math.radians(light.aside), math.tan(math.radians(light.elevation)))


def _fill_air(
    terrain: bpy.types.Object,
    around: list[bpy.types.Object],
    world: bpy.types.World,
    length: float,
    air: sky.Air | None,
) -> None:
    """Show a terrain, its children and what surrounds it through haze of a length, or without for
    a length of 0 or where there is no air."""
    fog = haze.group(sky.radiance(world))
    scattering = air.scattering if air else haze.SCATTERING
    if scattering:
        haze.set_scattering(fog, scattering)
    for item in (terrain, *terrain.children, *around):
        for material in surroundings.materials_of(item):
            if material.library:
                continue
            if length and scattering:
                haze.insert(material, length, fog)
            else:
                haze.remove(material)


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
    """Set the exposure and, for Blender's usual view, the contrast; return what changed."""
    settings: Any = scene.view_settings
    exposure, look = settings.exposure, settings.look
    settings.exposure = stops
    notes = []
    if not math.isclose(exposure, stops, abs_tol=1e-3):
        notes.append(f"The exposure of the scene is now {stops:g}, it was {exposure:g}")
    if settings.view_transform == "AgX" and look != LOOK:
        settings.look = LOOK
        notes.append(f"The look of the scene is now {LOOK}, it was {look}")
    return notes
