# SPDX-License-Identifier: GPL-3.0-or-later
"""Random recipes at 33 x 33: finite, and the same bits in windows and threads."""

import dataclasses
import resource
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random

import numpy as np

from terrain_addon.core import Heightfield, Recipe, evaluate, solve
from tests.soak.random_recipes import random_recipe

COUNTS = {"33": 20_000}
MEMORY = 6 << 30
THREADS = (2, 4)


@contextmanager
def cases(variant: str, folder: Path) -> Iterator[Callable[[int, Counter[str]], None]]:
    warnings.simplefilter("error")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    pools = {count: ThreadPoolExecutor(count) for count in THREADS}

    def case(seed: int, counts: Counter[str]) -> None:
        rng = Random(seed)
        try:
            recipe = random_recipe(rng)
        except ValueError:  # settings that do not go together, such as a range that is empty
            counts["refused as settings"] += 1
            return
        recipe = checked_json(recipe)
        try:
            terrain = evaluate(recipe, recipe.grid(int(variant)))
        except ValueError as error:
            check_refusal(error)
            counts["refused as terrain"] += 1
            return
        check_finite(terrain)
        check_window(recipe, terrain, rng)
        counts["windows"] += 1
        if seed % 8 == 0:
            for count, pool in pools.items():
                check_threads(recipe, terrain, count, pool)
            counts["in threads"] += 1
        counts["terrains"] += 1

    yield case


def checked_json(recipe: Recipe) -> Recipe:
    """Return the recipe as it comes back from JSON, which must be the same text again."""
    text = recipe.to_json()
    back = Recipe.from_json(text)
    assert back.to_json() == text, text
    return dataclasses.replace(back, maps=recipe.maps, shapes=recipe.shapes)


def check_refusal(error: ValueError) -> None:
    """The product says why it makes no terrain; an error of NumPy is a fault."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    raised = trace.tb_frame.f_code.co_filename if trace else ""
    if "terrain_addon" not in raised:
        raise AssertionError(f"{raised} refuses, not the product") from error


def check_finite(terrain: Heightfield) -> None:
    assert np.isfinite(terrain.height).all(), "heights are not finite"
    for name in terrain.fields:
        assert np.isfinite(terrain.fields[name]).all(), f"{name} is not finite"


def check_window(recipe: Recipe, terrain: Heightfield, rng: Random) -> None:
    """Any window is the same bits as that part of the whole, with the solution given or not."""
    grid = terrain.grid
    solution = solve(recipe) if rng.random() < 0.5 else None
    x, y = rng.randrange(grid.nx), rng.randrange(grid.ny)
    nx, ny = rng.randrange(1, grid.nx - x + 1), rng.randrange(1, grid.ny - y + 1)
    part = evaluate(recipe, grid.window(x, y, nx, ny), solution=solution).height
    whole = terrain.height[y : y + ny, x : x + nx]
    off = np.abs(part - whole).max()
    given = "given" if solution else "not given"
    assert part.tobytes() == whole.tobytes(), f"window {(x, y, nx, ny)} ({given}) is off by {off}"


def check_threads(
    recipe: Recipe, terrain: Heightfield, count: int, pool: ThreadPoolExecutor
) -> None:
    made = pool.map(lambda _: evaluate(recipe, terrain.grid).height.tobytes(), range(count))
    same = [height == terrain.height.tobytes() for height in made]
    assert all(same), f"{same.count(False)} of {count} threads differ"
