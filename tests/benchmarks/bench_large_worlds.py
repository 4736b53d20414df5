# SPDX-License-Identifier: GPL-3.0-or-later
"""Windows of large worlds, where what lies elsewhere costs nothing; and what a solution costs:

python -m tests.benchmarks.bench_large_worlds 2048
"""

from __future__ import annotations

import dataclasses
import resource
import sys
import time
from collections.abc import Callable

import numpy as np

from terrain_addon.core import Erosion, Recipe, presets, solve
from terrain_addon.core.erosion.surface.channels import carve
from terrain_addon.core.erosion.surface.eroded_terrain import RiverCourses
from terrain_addon.core.hydrology import RiverLine
from terrain_addon.core.recipe import extend
from tests.benchmarks.timing import Tables, aim, compare

FEW = "2000 rivers"


def rivers(count: int) -> RiverCourses:
    """Rivers of 3 km side by side, 50 m apart, so that a window sees the same few of any number."""
    y = np.arange(0.0, 3000.0, 10.0)
    rng = np.random.default_rng(1)
    found: list[RiverLine] = []
    for number in range(count):
        x = 50.0 * number + 15 * np.sin(y / 90) + rng.normal(0, 1, y.size)
        width = np.linspace(1, 9, y.size)
        found.append(RiverLine(x, y, 80 - y / 100, width, width, np.ones_like(y)))
    return RiverCourses.of(found)


def job(courses: RiverCourses) -> Callable[[], object]:
    """Carve the rivers of a window of 513 x 513."""
    x, y, spacing = np.arange(500.0, 1013.0), np.arange(700.0, 1213.0), (1.0, 1.0)
    terrain = np.full((y.size, x.size), 90.0, np.float32)
    return lambda: carve(terrain, x, y, spacing, courses.near(x, y, spacing))


def tables() -> Tables:
    """A window of a world with 2000 rivers, and with ten times as many."""
    jobs = {FEW: job(rivers(2000)), "20 000 rivers": job(rivers(20000))}
    rows = compare(FEW, jobs, 9)
    aim(rows, "20 000 rivers", 1.1, than=FEW)
    return {"A window of a world with rivers": rows}


def world(cells: int) -> Recipe:
    """Alps, extended until its valleys need so many cells."""
    small = presets.load("alps")
    spacing = next(one.settings for one in small.layers if isinstance(one.settings, Erosion))
    factor = cells / 13.5 * spacing.unit(small.size_x) / small.size_x
    large = extend(small, factor)
    layers = tuple(
        dataclasses.replace(one, settings=dataclasses.replace(one.settings, resolution=str(cells)))
        if isinstance(one.settings, Erosion)
        else one
        for one in large.layers
    )
    return dataclasses.replace(large, layers=layers)


def solution(cells: int) -> None:
    """Processor time and peak memory per cell, and the longest time between two polls."""
    recipe, longest, last = world(cells), 0.0, time.thread_time()

    def poll() -> bool:
        nonlocal longest, last
        now = time.thread_time()
        longest, last = max(longest, now - last), now
        return False

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, last = time.process_time(), time.thread_time()
    (part,) = solve(recipe, cancelled=poll).parts.values()
    taken = time.process_time() - start
    peak = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    count = part.arrays[0].size
    print(
        f"solve at {cells}: {count} cells, {taken:.1f} s, {taken / count * 1e6:.2f} us and "
        f"{peak / count:.1f} B a cell, at most {longest:.2f} s between polls",
        flush=True,
    )


def main() -> None:
    for cells in map(int, sys.argv[1:]):
        solution(cells)


if __name__ == "__main__":
    main()
