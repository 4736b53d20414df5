# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory at its peak, beyond what is wanted in the end.

Counted are the arrays of NumPy and the objects of Python, not what Blender keeps for itself.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import bpy
import numpy as np

import terrain_addon
from terrain_addon.core import noise

from .timing import Row, Tables, aim

MIB = 2**20


def tables() -> Tables:
    """All tables of this benchmark."""
    return {
        "Memory: bake a displacement image of 4096 x 4096": baking(4096),
        "Memory: 8 octaves of noise on 8192 x 8192 points": sampling(8192),
    }


def baking(size: int) -> list[Row]:
    """The operator, beyond the image that Blender keeps."""
    terrain_addon.register()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.terrain.add(preset="island", resolution=65)
    heights = f"the heights, {size} x {size} float32"
    name = "bpy.ops.terrain.bake"

    def bake() -> None:
        # Made by `register`, so no stub knows it.
        operators: Any = bpy.ops
        operators.terrain.bake(image="displacement", width=size, target="image")

    rows = [_row(heights, size * size * 4, heights, size * size * 4)]
    rows.append(_row(name, peak(bake), heights, size * size * 4))
    aim(rows, name, 4, heights)
    terrain_addon.unregister()
    return rows


def sampling(size: int) -> list[Row]:
    """Noise into an array that is there already."""
    x = np.arange(size) / 1024.0
    out = np.empty((size, size), np.float32)
    unit = "the result"
    rows = [_row(unit, out.nbytes, unit, out.nbytes)]
    for basis in ("perlin", "opensimplex2"):
        used = peak(lambda b=basis: noise.sample_grid(b, x, x, fractal="fbm", octaves=8, out=out))
        rows.append(_row(f"beyond it: {basis}", used, unit, out.nbytes))
        aim(rows, rows[-1].name, 64)
    return rows


def peak(job: Callable[[], object]) -> int:
    """Bytes that a job needs at its peak beyond what was there before."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        job()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def _row(name: str, used: int, unit: str, wanted: int) -> Row:
    return Row(name, used / MIB, used / wanted, unit, "MiB")
