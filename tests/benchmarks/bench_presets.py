# SPDX-License-Identifier: GPL-3.0-or-later
"""What each preset costs, and what it costs to let one repeat, in processor time.

Multiples of pyfastnoiselite (C++), which runs before and after each.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from terrain_addon.core import Recipe, evaluate, presets
from tests.benchmarks.bench_noise import beside_peer
from tests.benchmarks.timing import Row, Tables, aim

POINTS = 1025
ROUNDS = 3
REPEATING = ("dunes", "rolling_downs", "eroded_hills", "dry_wash")
"""Presets of noise, of patterns, of erosion, and of large erosion that can repeat."""
SEAMLESS, BOUNDED = "seamless", "as it is"
MOST = 1.5
"""How many times a repeating preset may cost what it costs as it is."""


def tables() -> Tables:
    """All tables of this benchmark."""
    return {
        f"Presets from nothing, {POINTS} x {POINTS} points: processor time": costs(),
        **{
            f"{presets.label(name)} that repeats, {POINTS} x {POINTS} points: processor "
            "time": repeating(name)
            for name in REPEATING
        },
    }


def costs() -> list[Row]:
    """Return the cost of each preset, solved and evaluated."""
    beside = beside_peer()
    recipes = {name: presets.load(name) for name in presets.names()}
    for _ in range(ROUNDS):
        for name, recipe in recipes.items():
            beside.run(name, evaluated(recipe))
    return beside.rows()


def repeating(name: str) -> list[Row]:
    """Return the cost of a preset as it is, and of one that repeats."""
    beside, recipe = beside_peer(), presets.load(name)
    for _ in range(ROUNDS + 2):
        beside.run(BOUNDED, evaluated(recipe))
        beside.run(SEAMLESS, evaluated(dataclasses.replace(recipe, seamless=True)))
    rows = beside.rows()
    aim(rows, SEAMLESS, MOST, BOUNDED)
    return rows


def evaluated(recipe: Recipe) -> Callable[[], object]:
    """Return a job that evaluates a recipe without a cache."""
    return lambda: evaluate(recipe, recipe.grid(POINTS), fields=())
