# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that are projected, results of geometry nodes, and ready biomes, in processor time.

Multiples of pyfastnoiselite (C++), which runs before and after each.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import partial

import numpy as np

from terrain_addon.core import (
    FromGeometryNodes,
    Layer,
    NodesMask,
    ProjectMesh,
    Ramp,
    Recipe,
    evaluate,
    presets,
    solve,
)
from terrain_addon.core.layers import packed, unpacked
from terrain_addon.core.numerics.arrays import Doubles
from terrain_addon.core.recipe.biomes import biome, biome_names
from terrain_addon.core.shapes import FACE, Shape
from tests.benchmarks.bench_noise import beside_peer
from tests.benchmarks.timing import Row, Tables

SIZE = 1000.0
POINTS = 1025
STORED = 512
"""Points along a side of a result of nodes."""
FACES = (24, 240)
"""Quads along the circles of a dome, and half as many from its foot to its foot."""
BIOME_POINTS = 513
ROUNDS = 3


def tables() -> Tables:
    """All tables of this benchmark."""
    return {
        f"Project Mesh, {POINTS} x {POINTS} points: processor time": projected(),
        f"Results of nodes, {STORED} x {STORED}, on {POINTS} x {POINTS} points: processor "
        "time": results(),
        f"Ready biomes on Eroded Hills, {BIOME_POINTS} x {BIOME_POINTS} points: processor "
        "time": ready_biomes(),
    }


def projected() -> list[Row]:
    """Return the cost of a dome of few and of many faces, with its falloff."""
    beside = beside_peer()
    domes = {f"{sides * sides // 2} quads": dome(sides) for sides in FACES}
    for _ in range(ROUNDS):
        for name, shape in domes.items():
            beside.run(
                name, evaluated(recipe_of([Layer.of(ProjectMesh(source=shape.name))], shape))
            )
    return beside.rows()


def dome(sides: int) -> Shape:
    """Return a sphere of quads, 400 m in radius."""
    around, down = np.meshgrid(
        np.linspace(0, 2 * np.pi, sides + 1), np.linspace(0, np.pi, sides // 2 + 1)
    )
    flat = np.sin(down)
    ball: Doubles = 400 * np.stack(
        [flat * np.cos(around), flat * np.sin(around), np.cos(down)], axis=-1
    )
    quads = np.stack([ball[:-1, :-1], ball[1:, :-1], ball[1:, 1:], ball[:-1, 1:]], axis=2)
    return Shape.of("Dome", list(quads.reshape(-1, 4, 3)), FACE)


def results() -> list[Row]:
    """Return the cost of a layer alone, of one with a result as its mask, of a result as a layer,
    and of reading the text that holds it."""
    beside = beside_peer()
    values = np.random.default_rng(1).random((STORED, STORED), np.float32)
    text = packed(values, "digest")
    mask = NodesMask(nodes="Mine", stored=text)
    kinds = {
        "a ramp": Layer.of(Ramp()),
        "a ramp with the mask From Geometry Nodes": Layer.of(Ramp(), masks=(mask,)),
        "the layer Geometry Nodes": Layer.of(FromGeometryNodes(nodes="Mine", stored=text)),
    }
    for _ in range(ROUNDS):
        beside.run("its text read, once", partial(unpacked.__wrapped__, text))
        for name, layer in kinds.items():
            beside.run(name, evaluated(recipe_of([layer])))
    return beside.rows()


def ready_biomes() -> list[Row]:
    """Return the cost of the terrain below, and with each biome and all of them on it."""
    beside, below = beside_peer(), presets.load("eroded_hills")
    heights = evaluate(below, below.grid(BIOME_POINTS), fields=()).range
    own = {name: biome(name, below.size_x, below.size_y, heights) for name in biome_names()}
    every = [layer for layers in own.values() for layer in layers]
    recipes = {
        "the terrain below": below,
        **{presets.label(name): with_layers(below, layers) for name, layers in own.items()},
        "all seven": with_layers(below, every),
    }
    for name, recipe in recipes.items():
        solution = solve(recipe)
        job = partial(evaluate, recipe, recipe.grid(BIOME_POINTS), solution=solution)
        for _ in range(ROUNDS):
            beside.run(name, job)
    return beside.rows()


def with_layers(below: Recipe, layers: Sequence[Layer]) -> Recipe:
    return dataclasses.replace(below, layers=(*below.layers, *layers))


def recipe_of(layers: Sequence[Layer], *shapes: Shape) -> Recipe:
    return Recipe(size_x=SIZE, size_y=SIZE, layers=tuple(layers), shapes=shapes)


def evaluated(recipe: Recipe) -> partial[object]:
    """Return a job that evaluates a recipe without a cache."""
    return partial(evaluate, recipe, recipe.grid(POINTS), fields=())
