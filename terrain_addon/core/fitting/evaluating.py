# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure terrains of many recipes and seeds: in this process, or in others."""

from __future__ import annotations

import dataclasses
import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass

from ..evaluation.stack import evaluate
from ..numerics.arrays import Doubles
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, Cancelled, poll
from ..recipe.recipe import Recipe
from .target import measured

WAIT = 0.1
"""Seconds between two looks at ``cancelled``."""

Task = tuple[Recipe, int]
"""A recipe and its seed."""


@dataclass(frozen=True)
class Measurement:
    """Measures of one terrain, and the time that they took.

    Attributes
    ----------
    values : the result of :func:`terrain_addon.core.fitting.target.measured`
    seconds : how long evaluating and measuring the terrain took
    """

    values: Doubles
    seconds: float


Measurer = Callable[[Sequence[Task], Grid, float, Cancel | None], list[Measurement | None]]
"""Measures terrains until a time of ``time.monotonic``; None for each that was not ready by then.
Processes share that clock."""


@contextmanager
def measurer(workers: int) -> Generator[Measurer]:
    """Yield a function that measures terrains in a number of processes, which changes no result.

    Raises BrokenExecutor, which is a RuntimeError, where a process dies.
    """
    if workers == 1:
        yield lambda tasks, grid, deadline, cancelled: [
            measured_by(deadline, task, grid, cancelled) for task in tasks
        ]
        return
    pool = ProcessPoolExecutor(
        workers,
        multiprocessing.get_context("spawn"),  # a fork would copy threads in any state
        initializer=_end_with_parent,
    )
    try:
        yield lambda tasks, grid, deadline, cancelled: _measure_in(
            pool, tasks, grid, deadline, cancelled
        )
    finally:
        pool.shutdown(cancel_futures=True)


def measure_terrain(task: Task, grid: Grid, cancelled: Cancel | None = None) -> Doubles:
    """Return the measures of a recipe with a seed, on a grid."""
    recipe, seed = task
    terrain = evaluate(dataclasses.replace(recipe, seed=seed), grid, fields=(), cancelled=cancelled)
    return measured(terrain.height, grid.dx, cancelled)


def measured_by(
    deadline: float, task: Task, grid: Grid, cancelled: Cancel | None = None
) -> Measurement | None:
    """Measure a terrain; None if that is not done at the deadline."""

    def ends() -> bool:
        return time.monotonic() >= deadline or (cancelled is not None and cancelled())

    start = time.monotonic()
    try:
        poll(ends)
        values = measure_terrain(task, grid, ends)
    except Cancelled:
        if time.monotonic() < deadline:
            raise
        return None
    return Measurement(values, time.monotonic() - start)


def _measure_in(
    pool: Executor, tasks: Sequence[Task], grid: Grid, deadline: float, cancelled: Cancel | None
) -> list[Measurement | None]:
    futures = [pool.submit(measured_by, deadline, task, grid) for task in tasks]
    waiting = set(futures)
    while waiting:
        poll(cancelled)
        _, waiting = wait(waiting, WAIT)
    return [future.result() for future in futures]


def _end_with_parent() -> None:
    """End this process with its parent: it would wait for work forever."""
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
