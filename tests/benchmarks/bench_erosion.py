# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion and hydrology against a plain copy."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from terrain_addon.core import Cache, Erosion, Recipe, evaluate, hydrology, noise, presets
from terrain_addon.core.erosion.rivers.solver import drain
from terrain_addon.core.erosion.surface import gullies as gully_module
from terrain_addon.core.erosion.surface.gullies import WORTHWHILE, Gullies, GullyField
from terrain_addon.core.erosion.surface.settings import SurfaceSettings
from terrain_addon.core.erosion.surface.surface import roughness, sample_surface
from terrain_addon.core.erosion.thermal import slide
from terrain_addon.core.numerics.blocks import for_each_band
from tests.benchmarks import memory
from tests.benchmarks.timing import Beside, Row, Tables, aim, compare

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


TICKS = 9


def gully_ticks(preset: str, size: int) -> list[Row]:
    """A tick of a slider of the gullies: cut where there are any, or in every column; and the noise
    of rock, which is kept from tick to tick."""
    recipe, cache, numbers = presets.load(preset), Cache(), itertools.count(1)
    grid = recipe.grid(size)

    def tick() -> None:
        evaluate(
            _with_gullies(recipe, 1 + 1e-4 * next(numbers)), grid, cache=cache, fields=recipe.fields
        )

    def everywhere() -> None:
        with mock.patch.object(gully_module, "BLOCK", size):
            tick()

    settings = (layer.settings for layer in recipe.layers)
    erosion = next(kind for kind in settings if isinstance(kind, SurfaceSettings))
    unit, spacing = erosion.unit(recipe.size_x), max(grid.dx, grid.dy)

    def noise() -> None:
        roughness(unit, grid.x, grid.y, spacing, erosion, 0, 1, None)

    beside = Beside("gullies in every column", everywhere)
    for _ in range(TICKS):
        beside.run("gullies where there are any", tick)
        beside.run("noise of rock, kept", noise)
    rows = beside.rows()
    if preset == "island":  # Alps has gullies almost everywhere
        aim(rows, "gullies where there are any", 1 / 1.2, "gullies in every column")
    return rows


def _with_gullies(recipe: Recipe, factor: float) -> Recipe:
    """Return the recipe with deeper gullies."""
    layers = [
        dataclasses.replace(
            layer,
            settings=dataclasses.replace(
                layer.settings, gully_depth=layer.settings.gully_depth * factor
            ),
        )
        if isinstance(layer.settings, Erosion)
        else layer
        for layer in recipe.layers
    ]
    return dataclasses.replace(recipe, layers=tuple(layers))


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
    for preset in ("alps", "island"):
        title = f"A tick of Gully Depth, {preset.title()}, 1025 x 1025: processor time"
        found[title] = gully_ticks(preset, 1025)
    found["Memory of the default erosion, 1024 x 1024"] = peak(1024)
    return found
