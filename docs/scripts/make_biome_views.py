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
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import bpy
import numpy as np
from mathutils import Vector

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
DRAFTS = ROOT / "build" / "biome_views"
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "scripts")]

import studio  # noqa: E402

import terrain_addon  # noqa: E402
from terrain_addon.blender.objects.scenery import SceneryChoices, View, set_up  # noqa: E402
from terrain_addon.blender.operators.add import make_terrain  # noqa: E402
from terrain_addon.core import Recipe, Water, evaluate, presets  # noqa: E402
from terrain_addon.core.recipe import biome  # noqa: E402

WIDE = 2400.0
"""Side in meters of the square in which plants grow, at most that of the terrain."""
CLOSE = 80.0
"""Side in meters of the square before the eye in which dense ground cover grows."""
EDGE = 700.0
"""Side in meters of the square before an eye on the ground in which trees grow."""
RESOLUTION = 1025
SHALLOW = Water(rivers=True, lakes=True, min_lake_depth=0.2, min_lake_size=0.02)
Stand = tuple[float, float, float, float]
FRAMINGS = {"afar": "auto", "near": "flight", "ground": "ground"}


@dataclass(frozen=True)
class Scene:
    """The ground of a biome and its sets of plants.

    Views in ``raised`` are so many meters above the viewpoint on the ground: that of the framing,
    or that in ``stands``, a place from which another is looked at (x, y, x, y in meters). An eye on
    the ground has a clearing of so many meters before it. With water, rivers and shallow lakes
    show.
    """

    preset: str
    sets: tuple[str, ...] = ("none",)
    cover: tuple[str, ...] = ()
    biome: str = ""
    raised: Mapping[str, float] = field(default_factory=dict[str, float])
    clearing: float = 14.0
    stands: Mapping[str, Stand] = field(default_factory=dict[str, Stand])
    water: bool = False


SCENES: dict[str, Scene] = {
    "forest": Scene("eroded_hills", ("none", "rocks"), ("meadow",), "forest", clearing=45.0),
    "alpine_meadow": Scene(
        "alps", ("alpine", "rocks"), ("meadow",), "alpine_meadow", {"near": 100.0}
    ),
    "scree": Scene("dolomite_wall", ("alpine", "rocks"), ("gravel",), "scree", clearing=90.0),
    "desert": Scene("butte_desert", ("desert", "rocks"), ("gravel",), "desert"),
    "wetland": Scene(
        "rolling_downs",
        ("temperate",),
        ("meadow",),
        "wetland",
        {"afar": 350.0, "near": 100.0},
        clearing=45.0,
        water=True,
        stands={
            "afar": (1400.0, 1400.0, 400.0, 640.0),
            "near": (852.0, 984.0, 400.0, 640.0),
            "ground": (765.0, 907.0, 400.0, 640.0),
        },
    ),
    "tropical_island": Scene(
        "island", ("tropical_island", "rocks"), ("undergrowth",), raised={"near": 100.0}
    ),
}


def main(wanted: list[str], draft: bool) -> None:
    """Render the named pictures, or all."""
    terrain_addon.register()
    for name, scene in SCENES.items():
        views = [view for view in FRAMINGS if _asked(wanted, name, view)]
        if views:
            render(name, scene, views, draft)


def _asked(wanted: list[str], name: str, view: str) -> bool:
    return not wanted or name in wanted or f"{name}_{view}" in wanted


def recipe_of(scene: Scene) -> Recipe:
    """Return a terrain with a biome."""
    ground = presets.load(scene.preset)
    if scene.water:
        ground = dataclasses.replace(ground, water=SHALLOW)
    if not scene.biome:
        return ground
    heights = evaluate(ground, ground.grid(129), fields=()).range
    layers = biome(scene.biome, ground.size_x, ground.size_y, heights)
    return dataclasses.replace(ground, layers=(*ground.layers, *layers))


def render(name: str, scene: Scene, views: list[str], draft: bool) -> None:
    """Render some views of a biome."""
    width, samples = (400, 6) if draft else (1280, 6)
    folder, kind = (DRAFTS, "png") if draft else (PICTURES, "jpg")
    folder.mkdir(parents=True, exist_ok=True)
    for view in views:
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        recipe, collection = recipe_of(scene), bpy.context.scene.collection
        terrain: Any = make_terrain(name, recipe, RESOLUTION, collection)
        bpy.context.view_layer.objects.active = terrain
        camera = Camera.of(terrain, scene, view)
        print(name, view, camera, flush=True)
        if view == "ground":
            for species in scene.sets:
                camera.plant(species, EDGE, 0.5, scene.clearing)
            for species in scene.cover:
                camera.plant(species, CLOSE, 0.42)
        else:
            for species in scene.sets:
                camera.plant(species, min(WIDE, recipe.size_x), 0.45)
        path = folder / f"biome_{name}_{view}.{kind}"
        camera.shoot(terrain, path, width, samples)
        print(path.name, flush=True)


def standing(terrain: Any, stand: Stand, up: float) -> tuple[Vector, Vector]:
    """Return an eye so high above that of a person at a place, and the direction of another."""
    here, there = (Vector((x, y, 1e4)) for x, y in (stand[:2], stand[2:]))
    down = Vector((0, 0, -1))
    eye, ahead = (terrain.ray_cast(one, down)[1] for one in (here, there))
    eye.z += 2.0 + up
    return eye, (ahead - eye).normalized()


@dataclass(frozen=True)
class Camera:
    """Where a picture is taken from, and the direction of view."""

    eye: Vector
    toward: Vector
    lens: float
    setting: SceneryChoices

    @classmethod
    def of(cls, terrain: Any, scene: Scene, view: str) -> Self:
        """Return the camera of a view by its framing."""
        blender: Any = bpy.context.scene
        raised = scene.raised.get(view, 0.0)
        framing = FRAMINGS["ground" if raised and view == "near" else view]
        setting = SceneryChoices("noon", "horizon", framing=framing)
        blender.render.resolution_x, blender.render.resolution_y = 1280, 720
        bpy.context.view_layer.update()
        set_up(blender, terrain, setting)
        made = blender.camera
        bpy.context.view_layer.update()
        eye, toward = made.location.copy(), made.matrix_world.to_quaternion() @ Vector((0, 0, -1))
        if view in scene.stands:
            eye, toward = standing(terrain, scene.stands[view], raised)
        else:
            eye.z += raised
            toward.z -= raised / 400
            toward.normalize()
        # Light comes from where it does if the scenery frames that view.
        shot = View(float(np.degrees(np.arctan2(-toward.y, -toward.x))), 17.0, 0.8)
        setting = setting._replace(view=shot, framing="auto")
        return cls(eye, toward, made.data.lens, setting)

    def plant(self, species: str, wide: float, before: float, clear: float = 0.0) -> None:
        """Let a set grow in a square whose middle is before the eye by a share of its side.

        With half of its side, all plants are before the eye, and farther than ``clear`` meters.
        """
        known = set(bpy.data.objects)
        bpy.ops.terrain.plants_add(species=species, density=0.001)
        (one,) = [item for item in bpy.data.objects if item not in known and item.parent]
        ahead = np.array(self.toward)[:2]
        if clear:
            ahead *= (before * wide + clear) / np.abs(ahead).max()
        else:
            ahead *= before * wide / np.linalg.norm(ahead)
        middle = np.array(self.eye)[:2] + ahead
        if wide >= 0.99 * one.parent.dimensions.x or not before:
            middle = np.zeros(2)
        settings: Any = one.terrain_plants
        settings.live, settings.far = False, 900.0
        settings.center, settings.extent, settings.density = tuple(middle), wide, 1.0
        settings.live = True

    def shoot(self, terrain: Any, path: Path, width: int, samples: int) -> None:
        """Render a picture."""

        def looked(shown: bpy.types.Scene, *_: Any) -> None:
            camera: Any = shown.camera
            camera.location = self.eye
            camera.rotation_euler = self.toward.to_track_quat("-Z", "Y").to_euler()
            camera.data.clip_start, camera.data.lens = 0.1, self.lens
            settings: Any = shown
            settings.view_settings.look = "AgX - Medium High Contrast"
            settings.cycles.max_bounces = 8

        bpy.app.handlers.render_pre.append(looked)
        try:
            studio.photograph(
                terrain, path, width=width, height=width * 9 // 16, samples=samples,
                setting=self.setting,
            )  # fmt: skip
        finally:
            bpy.app.handlers.render_pre.remove(looked)


if __name__ == "__main__":
    main([one for one in sys.argv[1:] if not one.startswith("--")], "--draft" in sys.argv)
    sys.stdout.flush()
    os._exit(0)  # Some releases of bpy crash while the interpreter shuts down.
