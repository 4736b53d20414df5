# SPDX-License-Identifier: GPL-3.0-or-later
"""Work that is repeated in one Blender: memory that is bounded."""

import gc
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

COUNTS = {"rebuilds": 300, "bakes": 100, "loads": 50, "renders": 50}
MORE = 64
"""MiB by which the last third of the repetitions may exceed the first one, and a process differs
from one run to the next."""
LEAST = 30
"""Repetitions that show whether memory grows."""

Job = Callable[[int], object]


@contextmanager
def cases(variant: str, folder: Path) -> Iterator[Callable[[int, Counter[str]], None]]:
    import bpy

    from tests.blender.enabled import enable_from_source

    enable_from_source()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    job = {"rebuilds": rebuild, "bakes": bake, "loads": load, "renders": render}[variant](folder)
    used = [resident()]

    def case(seed: int, counts: Counter[str]) -> None:
        job(seed)
        gc.collect()
        if len(used) == 1:
            counts["MiB at first"] = used[0]
        counts["MiB more"] = (now := resident()) - used[-1]
        counts[variant] += 1
        used.append(now)

    yield case
    third = len(used) // 3
    if third * 3 >= LEAST:
        more = max(used[-third:]) - max(used[:third])
        assert more <= MORE, f"{more} MiB more in the last third than in the first: {used}"


def terrain(preset: str, resolution: int) -> Any:
    import bpy

    bpy.ops.terrain.add(preset=preset, resolution=resolution)
    return bpy.context.object.data.terrain


def rebuild(folder: Path) -> Job:
    """Rebuild a terrain with water, at another resolution each time."""
    import bpy

    name = terrain("rolling_downs", 257).id_data.name
    bpy.data.meshes[name].terrain.water.rivers = True
    sides = cycle((257, 129, 513))

    def job(seed: int) -> None:
        one = bpy.data.meshes[name].terrain
        one.resolution = next(sides)
        one.seed = seed

    return job


def bake(folder: Path) -> Job:
    """Bake images into Blender and files."""
    import bpy

    terrain("island", 129)
    images = cycle(("heightmap", "color", "normal", "slope"))

    def job(seed: int) -> None:
        path = str(folder / "baked.exr")
        target = ("image", "file", "both")[seed % 3]
        bpy.ops.terrain.bake(width=512, image=next(images), target=target, filepath=path)

    return job


def load(folder: Path) -> Job:
    """Open a file of three terrains, two of which differ from their recipe."""
    import bpy

    for preset in ("island", "dunes", "crater_field"):
        terrain(preset, 257)
    path = str(folder / "terrains.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)

    def job(seed: int) -> None:
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)
        for mesh in list(bpy.data.meshes)[:2]:
            if mesh.terrain.is_terrain:
                mesh.terrain.seed = seed

    return job


def render(folder: Path) -> Job:
    """Change a terrain and render it with Cycles."""
    import bpy

    name = terrain("island", 257).id_data.name
    bpy.ops.terrain.scenery()
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = 1, False
    scene.render.resolution_x, scene.render.resolution_y = 160, 100

    def job(seed: int) -> None:
        bpy.data.meshes[name].terrain.seed = seed
        bpy.ops.render.render()

    return job


def resident() -> int:
    """MiB of this process that are in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20
