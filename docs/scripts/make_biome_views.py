# SPDX-License-Identifier: GPL-3.0-or-later
"""Render the pictures of the guide *Groups and biomes*: biomes from afar, from 100 m and from 2 m.

    python docs/scripts/make_biome_views.py                     all of them
    python docs/scripts/make_biome_views.py forest scree_near   only these
    python docs/scripts/make_biome_views.py --draft forest      small ones

Needs bpy. Writes JPEG files to docs/pictures/, or small PNG files to build/biome_views/.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
DRAFTS = ROOT / "build" / "biome_views"
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "scripts")]

import studio  # noqa: E402

import terrain_addon  # noqa: E402
from terrain_addon.blender.mesh.sculpted import heights_at  # noqa: E402
from terrain_addon.blender.objects.scenery import SceneryChoices, View as Shot  # noqa: E402
from terrain_addon.blender.operators.add import make_terrain  # noqa: E402
from terrain_addon.core import Recipe, evaluate  # noqa: E402
from terrain_addon.core.recipe import biome  # noqa: E402

SIDE, RESOLUTION = 1200.0, 1025
CLOSE = 70.0
"""Side in meters of the square around the eye in which dense ground cover grows."""

View = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Eye and target: meters from the middle, and above the ground."""


@dataclass(frozen=True)
class Scene:
    """The ground of a biome, its sets of plants, and the views of it."""

    size: float
    height: float
    color: str
    views: dict[str, View]
    sets: tuple[str, ...] = ("none",)
    cover: tuple[str, ...] = ()
    eroded: bool = True
    seed: int = 4
    daylight: str = "noon"
    exposure: dict[str, float] = field(default_factory=dict[str, float])


def usual(x: float, y: float, toward: float = 90.0) -> dict[str, View]:
    """Return views of a place from afar, from 100 m and from 2 m, in a direction in degrees."""
    ahead = np.array([np.cos(np.radians(toward)), np.sin(np.radians(toward))])

    def view(back: float, up: float, beyond: float, target: float) -> View:
        eye, goal = np.array([x, y]) - back * ahead, np.array([x, y]) + beyond * ahead
        return (float(eye[0]), float(eye[1]), up), (float(goal[0]), float(goal[1]), target)

    return {
        "afar": view(420.0, 130.0, 60.0, 0.0),
        "near": view(100.0, 24.0, 30.0, 0.0),
        "ground": view(0.0, 2.0, 40.0, 1.0),
    }


SCENES: dict[str, Scene] = {
    "forest": Scene(
        460.0,
        150.0,
        "#66713F",
        usual(0.0, 0.0),
        ("none", "rocks"),
        ("undergrowth",),
        exposure={"near": 0.7, "ground": 1.6},
    ),
    "alpine_meadow": Scene(
        520.0, 190.0, "#77795F", usual(0.0, 0.0), ("alpine", "rocks"), ("meadow",)
    ),
    "scree": Scene(700.0, 420.0, "#77795F", usual(0.0, 0.0), ("alpine",), ("gravel",)),
    "desert": Scene(
        420.0, 40.0, "#A98A66", usual(0.0, 0.0), ("none", "rocks"), ("gravel",), eroded=False
    ),
    "wetland": Scene(420.0, 60.0, "#6B7049", usual(0.0, 0.0), ("temperate",), ("meadow",)),
    "farmland": Scene(
        600.0, 45.0, "#6B7545", usual(0.0, 0.0), ("none",), ("meadow",), eroded=False
    ),
}


def main(wanted: list[str], draft: bool) -> None:
    """Render the named pictures, or all."""
    terrain_addon.register()
    for name, scene in SCENES.items():
        views = [view for view in scene.views if _asked(wanted, name, view)]
        if views:
            render(name, scene, views, draft)


def _asked(wanted: list[str], name: str, view: str) -> bool:
    return not wanted or name in wanted or f"{name}_{view}" in wanted


def recipe_of(name: str, scene: Scene) -> Recipe:
    """Return a terrain with a biome."""
    noise = {"seed": scene.seed, "octaves": 8, "size": scene.size, "height": scene.height}
    layers = [{"kind": "fractal_noise", "settings": noise}]
    if scene.eroded:
        layers.append({"kind": "erosion", "settings": {"valley_spacing": 180.0}})
    palette = {"regions": [{"color": scene.color}], "rock_on_slopes": scene.eroded}
    data: dict[str, Any] = {
        "size_x": SIDE, "size_y": SIDE, "material": "natural", "layers": layers, "palette": palette,
    }  # fmt: skip
    ground = Recipe.from_dict(data)
    heights = evaluate(ground, ground.grid(129), fields=()).range
    return dataclasses.replace(ground, layers=(*ground.layers, *biome(name, SIDE, SIDE, heights)))


def render(name: str, scene: Scene, views: list[str], draft: bool) -> None:
    """Render some views of a biome."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    recipe, collection = recipe_of(name, scene), bpy.context.scene.collection
    terrain: Any = make_terrain(name, recipe, 257 if draft else RESOLUTION, collection)
    bpy.context.view_layer.objects.active = terrain
    for species in scene.sets:
        bpy.ops.terrain.plants_add(species=species)
    covers = []
    for species in scene.cover:
        before = set(bpy.data.objects)
        bpy.ops.terrain.plants_add(species=species, density=0.01)
        (one,) = [item for item in bpy.data.objects if item not in before and item.parent]
        covers.append(one)
    width, samples = (320, 6) if draft else (1280, 8)
    folder, kind = (DRAFTS, "png") if draft else (PICTURES, "jpg")
    folder.mkdir(parents=True, exist_ok=True)
    for view in views:
        eye, target = (_above(terrain, *place) for place in scene.views[view])
        for one in covers:
            _around(one, eye, view, scene.views[view])
        away = eye - target
        # Light comes from where it does if the scenery frames that view.
        shot = Shot(float(np.degrees(np.arctan2(away.y, away.x))), 17.0, 0.8)
        setting = SceneryChoices(scene.daylight, "horizon", view=shot)
        path = folder / f"biome_{name}_{view}.{kind}"
        light = scene.exposure.get(view, 0.0)
        _photograph(terrain, path, width, samples, setting, eye, target, light)
        print(path.name, flush=True)


def _around(item: Any, eye: Vector, view: str, places: View) -> None:
    """Let dense cover grow before the eye only, where it is seen."""
    item.hide_render = view == "afar"
    if view == "afar":
        return
    settings = item.terrain_plants
    (x, y, _), (tx, ty, _) = places
    ahead = np.array([tx - x, ty - y]) / np.hypot(tx - x, ty - y)
    wide, before = (CLOSE, 30.0) if view == "ground" else (130.0, 100.0)
    settings.live = False
    settings.center = tuple(np.array([x, y]) + before * ahead)
    settings.extent, settings.density = wide, 1.0
    settings.live = True


def _photograph(
    terrain: Any,
    path: Path,
    width: int,
    samples: int,
    setting: SceneryChoices,
    eye: Vector,
    target: Vector,
    light: float,
) -> None:
    def looked(scene: bpy.types.Scene, *_: Any) -> None:
        camera: Any = scene.camera
        camera.location = eye
        camera.rotation_euler = (target - eye).to_track_quat("-Z", "Y").to_euler()
        camera.data.clip_start, camera.data.lens = 0.1, 32.0
        scene.view_settings.exposure += light

    bpy.app.handlers.render_pre.append(looked)
    try:
        studio.photograph(
            terrain, path, width=width, height=width * 9 // 16, samples=samples, setting=setting
        )
    finally:
        bpy.app.handlers.render_pre.remove(looked)


def _above(terrain: Any, x: float, y: float, z: float) -> Vector:
    ground = heights_at(terrain.data, np.array([x]), np.array([y]))[0]
    return Vector((x, y, float(ground) + z))


if __name__ == "__main__":
    main([one for one in sys.argv[1:] if not one.startswith("--")], "--draft" in sys.argv)
    sys.stdout.flush()
    os._exit(0)  # Some releases of bpy crash while the interpreter shuts down.
