# SPDX-License-Identifier: GPL-3.0-or-later
"""Peak memory, compared with the size of the result."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import Any

import bpy
import numpy as np

import terrain_addon
from terrain_addon.core import Layer, Recipe, evaluate, noise
from terrain_addon.core.layers import LAYERS
from tests.benchmarks import memory
from tests.benchmarks.timing import Row, Tables, aim


def tables() -> Tables:
    """All tables of this benchmark."""
    return {
        "Memory beyond Blender's own image: bake a displacement of 4096 x 4096": baking(4096),
        "Memory of erosion with drainage at 1024, 1024 x 1024": eroding(1024),
        "Memory of the command line: an eroded terrain in a .npy file": writing(),
        "Memory beyond the pixels: bake() of an eroded terrain, 8192 x 8192": baking_eroded(8192),
        "Memory beyond the result: 8 octaves of noise on 8192 x 8192 points": sampling(8192),
    }


def baking(size: int) -> list[Row]:
    """The bake operator."""
    terrain_addon.register()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.terrain.add(preset="island", resolution=65)
    pixels, operator = f"its pixels, {size} x {size} x 4 float32", "bpy.ops.terrain.bake"

    def bake() -> None:
        operators: Any = bpy.ops
        operators.terrain.bake(image="heightmap", width=size, target="image")

    rows = memory.rows(pixels, size * size * 4 * 4, {operator: bake})
    aim(rows, operator, 4, pixels)
    terrain_addon.unregister()
    return rows


def eroding(size: int) -> list[Row]:
    """Noise and erosion; the drainage grid has more cells than the terrain has points."""
    field, name = "the heightfield", "erosion with drainage at 1024"
    erosion = LAYERS["erosion"](resolution="1024")
    recipe = Recipe(layers=(Layer.of(LAYERS["fractal_noise"]()), Layer.of(erosion)))
    evaluate(recipe, recipe.grid(9))  # loads modules and tables
    rows = memory.rows(field, size * size * 4, {name: lambda: evaluate(recipe, recipe.grid(size))})
    aim(rows, name, 12, field)
    return rows


def sampling(size: int) -> list[Row]:
    """Noise into an existing array."""
    x, out = np.arange(size) / 1024.0, np.empty((size, size), np.float32)

    def sample(basis: str) -> Callable[[], object]:
        return lambda: noise.sample_grid(basis, x, x, fractal="fbm", octaves=8, out=out)

    jobs = {basis: sample(basis) for basis in ("perlin", "opensimplex2")}
    rows = memory.rows("the result", out.nbytes, jobs)
    for basis in jobs:
        aim(rows, basis, 64)
    return rows


def writing() -> list[Row]:
    """Whole processes of the command line, whose files have up to 4 GiB."""
    rows: list[Row] = []
    for size, most in ((4096, 300), (16384, 300), (32768, 400)):
        name = f"orogen height alps out.npy --resolution {size}"
        with tempfile.TemporaryDirectory(dir=".") as folder:
            command = ["height", "alps", f"{folder}/out.npy", "--resolution", str(size)]
            script = f"from terrain_addon.command_line import main\nmain({command!r})"
            rows.append(Row(name, memory.peak_of_process(script), 1.0, "the process", "MiB"))
        aim(rows, name, most)
    return rows


def baking_eroded(size: int) -> list[Row]:
    """The process, less one that only loads the modules, less the pixels."""
    start = "from terrain_addon.core import Bake, bake, presets\nrecipe = presets.load('alps')\n"
    name = f"bake() of {size} x {size} RGBA"
    used = memory.peak_of_process(f"{start}bake(recipe, recipe.pixel_grid({size}), Bake())")
    used -= memory.peak_of_process(start) + size * size * 16 / memory.MIB
    rows = [Row(name, used, 1.0, "beyond the pixels", "MiB")]
    aim(rows, name, 150)
    return rows
