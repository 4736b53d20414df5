# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion and hydrology against a plain copy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from terrain_addon.core import hydrology, noise
from terrain_addon.core.erosion.rivers.solver import drain
from terrain_addon.core.erosion.surface.gullies import WORTHWHILE, Gullies, GullyField
from terrain_addon.core.erosion.surface.settings import SurfaceSettings
from terrain_addon.core.erosion.surface.surface import sample_surface
from terrain_addon.core.erosion.thermal import slide
from terrain_addon.core.numerics.blocks import for_each_band
from tests.benchmarks import memory
from tests.benchmarks.timing import Row, Tables, aim, compare

EXTENT = 1000.0
COPY = "np.copyto"
LIMITS = {512: 200.0, 1024: 300.0, 2048: 1000.0, 4096: 4500.0}
"""Milliseconds of the default layer, by size."""


def axis(size: int) -> NDArray[np.float64]:
    """Sample centers over the extent, in meters."""
    return (np.arange(size, dtype=np.float64) + 0.5) / size * EXTENT - EXTENT / 2


def terrain(size: int, octaves: int = 4) -> NDArray[np.float32]:
    x = axis(size) / 400
    return noise.sample_grid("perlin", x, x, fractal="fbm", octaves=octaves) * np.float32(150)


def copy_job(size: int) -> Callable[[], object]:
    a, b = np.zeros((size, size), np.float32), np.ones((size, size), np.float32)
    return lambda: np.copyto(a, b)


def settings(**changes: object) -> SurfaceSettings:
    return SurfaceSettings.from_dict(changes, "settings")


def erosion(size: int, threads: int = 2, **changes: object) -> Callable[[], object]:
    """The whole layer: the drainage solve, then the surface."""
    how, x = settings(**changes), axis(size)
    cells = 2 * int(how.resolution)
    below = terrain(cells)
    return lambda: sample_surface(drain(below, EXTENT / cells, how), x, x, how, threads=threads)


def recipes(sizes: tuple[int, ...]) -> Tables:
    """The default layer at several sizes."""
    found: Tables = {}
    for size in sizes:
        rows = compare(COPY, {COPY: copy_job(size), "default erosion": erosion(size)}, 5)
        aim(rows, "default erosion", LIMITS[size])
        found[f"Default erosion, {size} x {size}, drainage at 256"] = rows
    return found


def parts(size: int) -> list[Row]:
    """Single steps at one size."""
    height, x = terrain(size, 9), axis(size)
    form = Gullies(35.0, 4.0)
    gy, gx = (np.gradient(terrain(size), EXTENT / size, axis=k).astype(np.float32) for k in (0, 1))

    def gullies(threads: int) -> Callable[[], object]:
        def run() -> None:
            field = GullyField(form, x, x, EXTENT / size, 1)

            def cut(rows: slice) -> None:
                field.rows(rows, gx[rows].copy(), gy[rows].copy())

            for_each_band((size, size), cut, threads=threads, worthwhile=WORTHWHILE)

        return run

    def drained() -> object:
        return hydrology.drainage_area(hydrology.route(height), EXTENT / size)

    tree = hydrology.route(height)
    spacing = (EXTENT / size, EXTENT / size)
    rows = compare(
        COPY,
        {
            COPY: copy_job(size),
            "receivers, depressions, drainage area": drained,
            "spill levels": lambda: hydrology.spill_levels(height, tree),
            "multiple-flow area": lambda: hydrology.multiple_flow_area(height, tree, spacing[0]),
            "gully filter, 1 thread": gullies(1),
            "gully filter, 2 threads": gullies(2),
            "talus, 3 passes": lambda: slide(height, spacing, 40.0, 3),
            "erosion with drainage at 1024": erosion(size, resolution="1024"),
        },
        5,
    )
    aim(rows, "receivers, depressions, drainage area", 250.0)
    aim(rows, "gully filter, 1 thread", 130.0)
    aim(rows, "gully filter, 2 threads", 1 / 1.6, "gully filter, 1 thread")
    aim(rows, "erosion with drainage at 1024", 1200.0)
    return rows


def peak(size: int) -> list[Row]:
    """Peak memory of the default layer."""
    field, name = "the heightfield", "default erosion"
    rows = memory.rows(field, size * size * 4, {name: erosion(size)})
    aim(rows, name, 12, field)
    return rows


def tables() -> Tables:
    """All tables of this benchmark."""
    found = recipes(tuple(LIMITS))
    found["Steps of erosion, 1024 x 1024"] = parts(1024)
    found["Memory of the default erosion, 1024 x 1024"] = peak(1024)
    return found
