# SPDX-License-Identifier: GPL-3.0-or-later
"""Diamond-square, compared with filling as many points with random numbers."""

from __future__ import annotations

import numpy as np

from terrain_addon.core import Layer, Recipe, evaluate
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.noise.diamond_square.lattice import DiamondSquareLattice
from tests.benchmarks.timing import Jobs, Row, Tables, aim, compare

LEVELS = 12
POINTS = 2**LEVELS + 1
FILL = "fill with uniform random numbers"
LATTICE = "make the lattice"


def tables() -> Tables:
    """All tables of this benchmark."""
    return {f"Diamond-square, {POINTS} x {POINTS} points": against_fill()}


def against_fill() -> list[Row]:
    """The lattice, the layer, and NumPy's generator of random float32."""
    source = np.random.default_rng(1)
    out = np.empty((POINTS, POINTS), np.float32)
    lattice = DiamondSquareLattice(
        seed=1, cells=(1, 1), corners=(0, 0, 0, 0), height=200, roughness=0.9, wrap=False
    )
    every = np.arange(POINTS)
    kind = LAYERS["diamond_square"]
    recipe = Recipe(layers=(Layer.of(kind(subdivisions=LEVELS)),))
    grid = recipe.grid(POINTS)
    jobs: Jobs = {
        FILL: lambda: source.random(dtype=np.float32, out=out),
        LATTICE: lambda: lattice.nodes(LEVELS, every, every, lambda: None),
        "evaluate a recipe of this layer": lambda: evaluate(recipe, grid),
    }
    rows = compare(FILL, jobs)
    aim(rows, LATTICE, 4, FILL)
    aim(rows, LATTICE, 2.6, FILL)
    return rows
