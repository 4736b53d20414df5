# SPDX-License-Identifier: GPL-3.0-or-later
"""Grids filled chunk by chunk, on one thread or several."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from ...numerics.arrays import small_ufunc_buffer
from ...numerics.progress import Cancel, Progress, poll
from ...numerics.work_arrays import Scratch
from ..basis import GridPlan
from ..fractals.octave import Field

POINT = 5
"""Terms in whose time a point is written."""
TERMS_PER_THREAD = 2**26
"""Threads that have less to do, about 7 milliseconds, may take longer than one alone."""


def run_plan(
    plan: GridPlan,
    out: Field,
    threads: int = 1,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> None:
    """Fill ``out`` in chunks of rows, on several threads if asked and useful; raises Cancelled.

    The caller's own thread works too: one that sleeps meanwhile costs a tenth of the gain.
    """
    scratch, stopped = Scratch(), threading.Event()
    rows = len(out)
    work = out.size * (POINT + plan.terms) if plan.terms else 0
    threads = min(threads, max(1, work // TERMS_PER_THREAD))
    # As many for each thread
    chunks = math.ceil(rows / plan.rows / threads) * threads
    size = math.ceil(rows / chunks / plan.step) * plan.step
    left = deque((start, min(start + size, rows)) for start in range(0, rows, size))
    done: list[int] = []

    @small_ufunc_buffer()
    def fill(chunk: tuple[int, int], ask: Callable[[], None]) -> None:
        start, stop = chunk
        plan.fill(start, stop, out[start:stop], scratch, ask)
        done.append(stop - start)
        ask()

    def fill_rest(ask: Callable[[], None]) -> None:
        while left:
            try:
                chunk = left.popleft()
            except IndexError:  # another thread was faster
                return
            fill(chunk, ask)

    def ask_caller() -> None:
        if progress is not None:
            progress(sum(done) / rows)
        poll(cancelled)

    def ask_others() -> None:
        poll(stopped.is_set)

    others = min(threads, len(left)) - 1
    first = left.popleft()  # of the caller's thread, the one that asks: no other can be faster
    with ThreadPoolExecutor(max(others, 1)) as pool:
        futures = [pool.submit(fill_rest, ask_others) for _ in range(others)]
        try:
            fill(first, ask_caller)
            fill_rest(ask_caller)
        except BaseException:
            stopped.set()
            raise
        for future in futures:
            future.result()
