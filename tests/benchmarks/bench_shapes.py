# SPDX-License-Identifier: GPL-3.0-or-later
"""What follows drawn shapes: distances, layers along curves, and solves with rivers."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from terrain_addon.core import Erosion, Grid, Layer, Recipe, evaluate
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.numerics.arrays import Doubles
from terrain_addon.core.shapes import Shape, nearest
from tests.benchmarks.timing import Jobs, Row, Tables, aim, compare

SIZE = 1000.0
POINTS = 513
DISTANCES = {200: {10: 15.0, 40: None, 120: 45.0}, 2000: {10: 20.0, 40: None, 120: 250.0}}
"""Limits in milliseconds by segments and samples to either side."""
JAGGED, REACH = 100_000, 120
"""Points of a line that turns at each, and samples to either side."""
LAYER_LIMITS = {"range": 80.0, "fault": 80.0}
ROAD_SIZE, ROAD_POINTS, ROAD_LIMIT = 2000.0, 1025, 150.0
ONE_RIVER, TWO_RIVERS = 1.5, 1.8
COPY = "np.copyto"


def tables() -> Tables:
    """All tables of this benchmark."""
    return {
        f"Distances to a line, {POINTS} x {POINTS} points: processor time": distances(),
        f"Distances to a jagged line, {POINTS} x {POINTS} points: processor time": jagged(),
        f"Layers along a curve, {POINTS} x {POINTS} points: processor time": layers(),
        f"A road of 1.6 km, {ROAD_POINTS} x {ROAD_POINTS} points: processor time": road(),
        "Solve of erosion with rivers, River Detail 256: processor time": rivers(),
    }


def winding_line(segments: int, seed: int = 1) -> Doubles:
    """A line across the terrain that winds, (segments + 1, 2) meters."""
    rng = np.random.default_rng(seed)
    along = np.linspace(0, 1, segments + 1)
    y = np.zeros_like(along)
    for k in range(2, 8):
        y += rng.normal() / k * np.sin(np.pi * k * along + rng.uniform(0, 6))
    return np.stack([(along - 0.5) * 0.96, y * 0.09], axis=1) * SIZE


def copy_of(points: int) -> Callable[[], object]:
    a, b = np.zeros((points, points), np.float32), np.ones((points, points), np.float32)
    return lambda: np.copyto(a, b)


def distances() -> list[Row]:
    """Exact distances up to some samples to either side."""
    grid = Grid.points(SIZE, SIZE, POINTS, POINTS)
    jobs: Jobs = {COPY: copy_of(POINTS)}
    limits: dict[str, float | None] = {}
    for segments, by_band in DISTANCES.items():
        lines = Shape.of("Line", [winding_line(segments)]).lines
        for band, limit in by_band.items():
            name = f"{segments} segments, {band} samples to either side"
            reach = band * grid.dx
            jobs[name] = lambda lines=lines, reach=reach: nearest(lines, grid, reach)
            limits[name] = limit
    return _within(compare(COPY, jobs, clock=time.process_time), limits)


def jagged() -> list[Row]:
    """Exact distances to a random walk over the terrain."""
    grid = Grid.points(SIZE, SIZE, POINTS, POINTS)
    walk = np.random.default_rng(1).normal(size=(JAGGED, 2)).cumsum(axis=0)
    walk -= (walk.min(axis=0) + walk.max(axis=0)) / 2
    lines = Shape.of("Line", [walk * (0.9 * SIZE / np.ptp(walk, axis=0).max())]).lines
    jobs: Jobs = {
        COPY: copy_of(POINTS),
        f"{JAGGED} points, {REACH} samples to either side": lambda: nearest(
            lines, grid, REACH * grid.dx
        ),
    }
    return compare(COPY, jobs, 3, clock=time.process_time)


def layers() -> list[Row]:
    """Layers along a curve."""
    jobs: Jobs = {COPY: copy_of(POINTS)}
    limits: dict[str, float | None] = {}
    for kind, limit in LAYER_LIMITS.items():
        name = f"{LAYERS[kind].label}, 200 segments"
        jobs[name] = _made(kind, winding_line(200), SIZE, POINTS)
        limits[name] = limit
    return _within(compare(COPY, jobs, 5, clock=time.process_time), limits)


def road() -> list[Row]:
    """A road beside the same terrain without one."""
    line = winding_line(200) * (1600 / SIZE)
    jobs: Jobs = {
        "the terrain below": _made(None, line, ROAD_SIZE, ROAD_POINTS),
        "with the road": _made("road", line, ROAD_SIZE, ROAD_POINTS),
    }
    rows = compare("the terrain below", jobs, clock=time.process_time)
    below, both = (row.value for row in rows)
    rows.append(Row("the road", both - below, (both - below) / below, rows[0].unit))
    return _within(rows, {"the road": ROAD_LIMIT})


def rivers() -> list[Row]:
    """The solve without rivers, with one and with two."""
    none, one, two = "without rivers", "one river", "two rivers"
    jobs: Jobs = {}
    for name, lines in ((none, []), (one, [1]), (two, [1, 2])):
        recipe = eroded([winding_line(120, seed) for seed in lines])
        grid = recipe.grid(9)
        jobs[name] = lambda recipe=recipe, grid=grid: evaluate(recipe, grid, fields=())
    rows = compare(none, jobs, clock=time.process_time)
    aim(rows, one, ONE_RIVER, none)
    aim(rows, two, TWO_RIVERS, none)
    return rows


def eroded(lines: Sequence[Doubles], seed: int = 3) -> Recipe:
    """Noise with a River layer for each line, and Erosion."""
    names = [f"River {n}" for n in range(len(lines))]
    return Recipe(
        seed=seed,
        size_x=SIZE,
        size_y=SIZE,
        layers=(
            Layer.of(LAYERS["fractal_noise"]()),
            *(Layer.of(LAYERS["river"](source=name)) for name in names),
            Layer.of(Erosion(resolution="256")),
        ),
        shapes=tuple(Shape.of(name, [line]) for name, line in zip(names, lines, strict=True)),
    )


def _made(kind: str | None, line: Doubles, size: float, points: int) -> Callable[[], object]:
    """A terrain, with noise below where the layer shapes it."""
    own = () if kind is None else (Layer.of(LAYERS[kind](source="Line")),)
    noise = () if kind in LAYER_LIMITS else (Layer.of(LAYERS["fractal_noise"]()),)
    recipe = Recipe(
        size_x=size, size_y=size, layers=(*noise, *own), shapes=(Shape.of("Line", [line]),)
    )
    grid = recipe.grid(points)
    return lambda: evaluate(recipe, grid, fields=())


def _within(rows: list[Row], limits: dict[str, Any]) -> list[Row]:
    for name, limit in limits.items():
        if limit is not None:
            aim(rows, name, limit)
    return rows
