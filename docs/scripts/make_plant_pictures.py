# SPDX-License-Identifier: GPL-3.0-or-later
"""Render the pictures of the guide *Plants*.

    python docs/scripts/make_plant_pictures.py [--draft]

Needs bpy. Writes JPEG files to docs/pictures/.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "scripts")]

import studio  # noqa: E402

import terrain_addon  # noqa: E402
from terrain_addon.blender.mesh.sculpted import heights_at  # noqa: E402
from terrain_addon.blender.objects.scenery import SceneryChoices, set_up  # noqa: E402

SETTING = SceneryChoices(edges="horizon")
EYE, TARGET = (-180.0, -560.0, 62.0), (60.0, 120.0, 0.0)
"""Places in meters from the middle, and heights above the ground."""


def main(width: int = 1280, samples: int = 32) -> None:
    """Grow a forest on eroded hills, and look over it."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    terrain_addon.register()
    bpy.ops.terrain.add(preset="eroded_hills", resolution=1025)
    terrain: Any = bpy.context.object
    for species in ("temperate", "rocks"):
        bpy.ops.terrain.plants_add(species=species)
    set_up(bpy.context.scene, terrain, SETTING)

    def looked(scene: bpy.types.Scene, *_: Any) -> None:
        camera: Any = scene.camera
        eye, target = (_above(terrain, *place) for place in (EYE, TARGET))
        camera.location = eye
        camera.rotation_euler = (target - eye).to_track_quat("-Z", "Y").to_euler()
        camera.data.clip_start = 0.1

    bpy.app.handlers.render_pre.append(looked)
    path = PICTURES / "plants_forest.jpg"
    studio.photograph(
        terrain, path, width=width, height=width * 9 // 16, samples=samples, setting=SETTING
    )


def _above(terrain: Any, x: float, y: float, z: float) -> Vector:
    ground = heights_at(terrain.data, np.array([x]), np.array([y]))[0]
    return Vector((x, y, float(ground) + z))


if __name__ == "__main__":
    main(*((640, 8) if "--draft" in sys.argv else ()))
    sys.stdout.flush()
    os._exit(0)  # Some releases of bpy crash while the interpreter shuts down.
